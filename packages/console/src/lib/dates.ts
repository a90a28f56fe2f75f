import { addDays, isoWeekOf, mondayOf } from '@bidwell/contract/calendar';

/** The bucket size of a chart's points. */
export type TimeGroup = 'day' | 'week' | 'month' | 'year';

export const monthNames = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const;
const longestDays = { day: 1, week: 7, month: 31, year: 366 } as const;

/** The first day of the bucket that a day falls in. */
export function bucketOf(day: string, group: TimeGroup): string {
  if (group === 'day') return day;
  if (group === 'week') return mondayOf(day);
  return group === 'month' ? `${day.slice(0, 7)}-01` : `${day.slice(0, 4)}-01-01`;
}

/** All buckets that overlap the range, in order; `start` and `end` are clipped to the range. */
export function bucketsOf(
  range: { start: string; end: string },
  group: TimeGroup,
): { bucket: string; start: string; end: string }[] {
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

/** The label of a bucket: May 04, W19 2026, May 2026 or 2026. */
export function bucketLabel(bucket: string, group: TimeGroup): string {
  const [year = '', month = '', day = ''] = bucket.split('-');
  const monthName = monthNames[Number(month) - 1] ?? '';
  if (group === 'day') return `${monthName} ${day}`;
  if (group === 'month') return `${monthName} ${year}`;
  if (group === 'year') return year;
  const week = isoWeekOf(bucket);
  return `W${week.week} ${week.year}`;
}
