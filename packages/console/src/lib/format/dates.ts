import {
  addDays,
  dateTimeAt,
  daysBetween,
  isoWeekOf,
  mondayOf,
  monthNames,
  monthText,
  startOfDayMs,
} from '@bidwell/contract/lib/calendar';

/** The bucket size of a chart's points. */
export type TimeGroup = 'hour' | DayGroup;
/** Bucket sizes of whole days. */
export type DayGroup = 'day' | 'week' | 'month' | 'year';

interface Range {
  start: string;
  end: string;
}

const HOUR_MS = 3_600_000;
/** The longest range, in days, whose chart has a point for each hour. */
const HOURLY_DAYS_MAX = 3;

/** Whether the chart of a range may have a point for each hour. */
export const isHourly = ({ start, end }: Range): boolean => daysBetween(start, end) < HOURLY_DAYS_MAX;

/** The bucket size of a chart: the requested one where the range allows it, else hours for one day and days for more. */
export function chartGroup(range: Range, requested: TimeGroup | undefined): TimeGroup {
  if (requested === undefined) return range.start === range.end ? 'hour' : 'day';
  return requested === 'hour' && !isHourly(range) ? 'day' : requested;
}

/** The starts of the hours of a range in a time zone, as the server names them: YYYY-MM-DDTHH:MMZ. */
export function hoursOf({ start, end }: Range, timeZone: string): string[] {
  const fromMs = startOfDayMs(start, timeZone);
  const count = Math.ceil((startOfDayMs(addDays(end, 1), timeZone) - fromMs) / HOUR_MS);
  return Array.from(
    { length: count },
    (_, index) => `${new Date(fromMs + index * HOUR_MS).toISOString().slice(0, 16)}Z`,
  );
}

const longestDays = { day: 1, week: 7, month: 31, year: 366 } as const;

/** The first day of the bucket that a day falls in. */
function bucketOf(day: string, group: DayGroup): string {
  if (group === 'day') return day;
  if (group === 'week') return mondayOf(day);
  return group === 'month' ? `${day.slice(0, 7)}-01` : `${day.slice(0, 4)}-01-01`;
}

/** How complete a bucket is at a point in time: nothing yet, a part of it, in words, or all of it. */
export type BucketState = 'future' | { part: string } | 'whole';

/** The present day and time for {@link bucketState}. */
export interface Present {
  today: string;
  nowMs: number;
}

/**
 * How much of a bucket of a chart can have figures: a bucket that has not ended has only those until now (`so far`), and one
 * that the range cuts only its days in the range (`from Mar 03`). Pure.
 */
export function bucketState(
  bucket: string,
  group: TimeGroup,
  range: Range,
  { today, nowMs }: Present,
): BucketState {
  if (group === 'hour') {
    const startMs = Date.parse(bucket);
    if (startMs > nowMs) return 'future';
    return startMs + HOUR_MS > nowMs ? { part: 'so far' } : 'whole';
  }
  if (bucket > today) return 'future';
  const last = addDays(bucketOf(addDays(bucket, longestDays[group]), group), -1);
  if (last >= today && range.end >= today) return { part: 'so far' };
  if (bucket < range.start) return { part: `from ${bucketLabel(range.start, 'day', 'UTC')}` };
  return last > range.end ? { part: `to ${bucketLabel(range.end, 'day', 'UTC')}` } : 'whole';
}

/** All buckets that overlap the range, in order; `start` and `end` are clipped to the range. */
export function bucketsOf(range: Range, group: DayGroup): { bucket: string; start: string; end: string }[] {
  const buckets: { bucket: string; start: string; end: string }[] = [];
  let bucket = bucketOf(range.start, group);
  while (bucket <= range.end) {
    const next = bucketOf(addDays(bucket, longestDays[group]), group);
    const last = addDays(next, -1);
    buckets.push({
      bucket,
      start: bucket < range.start ? range.start : bucket,
      end: last > range.end ? range.end : last,
    });
    bucket = next;
  }
  return buckets;
}

/** The label of a bucket: May 04 13:00 in the time zone, May 04, W19 2026, May 2026 or 2026. */
export function bucketLabel(bucket: string, group: TimeGroup, timeZone: string): string {
  if (group === 'hour') {
    const [date = '', time = ''] = dateTimeAt(Date.parse(bucket), timeZone).split(' ');
    return `${bucketLabel(date, 'day', timeZone)} ${time}`;
  }
  const [year = '', month = '', day = ''] = bucket.split('-');
  const monthName = monthNames[Number(month) - 1] ?? '';
  if (group === 'day') return `${monthName} ${day}`;
  if (group === 'month') return monthText(bucket);
  if (group === 'year') return year;
  const week = isoWeekOf(bucket);
  return `W${week.week} ${week.year}`;
}

/** The label of a bucket of days; of one that the range cuts, with its days in it: W10 2026, from Mar 03. Pure. */
export function labelInRange(bucket: string, group: DayGroup, range: Range): string {
  const label = bucketLabel(bucket, group, 'UTC');
  const next = bucketOf(addDays(bucket, longestDays[group]), group);
  const last = addDays(next, -1);
  const day = (date: string) => bucketLabel(date, 'day', 'UTC');
  if (last < range.start || bucket > range.end) return label;
  const isCutBefore = bucket < range.start;
  const isCutAfter = last > range.end;
  if (isCutBefore && isCutAfter)
    return range.start === range.end
      ? `${label}, ${day(range.start)}`
      : `${label}, ${day(range.start)} to ${day(range.end)}`;
  if (isCutBefore) return `${label}, from ${day(range.start)}`;
  return isCutAfter ? `${label}, to ${day(range.end)}` : label;
}
