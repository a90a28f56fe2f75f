import {
  addDays,
  dateAt,
  dateTimeAt,
  daysBetween,
  isoWeekOf,
  startOfDayMs,
} from '@bidwell/contract/lib/calendar';
import { TIME_LEVELS, type TimeLevel } from '@bidwell/contract/reports/metrics';
import type { Period } from './query/plan.ts';
import type { Bucket } from './query/query-model.ts';
import { type Group, bucketsOf } from './series.ts';
import { reportApiMessages } from '@bidwell/contract/reports/api-messages';
import { limits } from '@bidwell/contract/lib/limits';
import type { Context } from '../../context.ts';
import type { Owner } from '../../platform/actor.ts';
import { Invalid } from '../../platform/errors.ts';
import { timeZoneOf } from '../identity/public.ts';

/** Most buckets in one response. */
export const BUCKETS_MAX = 3660;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST_MS = Date.UTC(2000, 0, 1) - 24 * HOUR_MS;
const BEFORE_MS = Date.UTC(2100, 0, 1);

/** A range of dates, both included, in the company's time zone. */
export interface DateRange {
  start: string;
  end: string;
  timeZone: string;
}

export function isTimeLevel(level: string): level is TimeLevel {
  return (TIME_LEVELS as readonly string[]).includes(level);
}

/** Instants of a range, clamped to 2000 to 2100: ClickHouse's date types do not reach much further. */
export function periodOf({ start, end, timeZone }: DateRange): Period {
  const known = (ms: number) => Math.min(Math.max(ms, FIRST_MS), BEFORE_MS);
  return {
    fromMs: known(startOfDayMs(start, timeZone)),
    beforeMs: known(startOfDayMs(addDays(end, 1), timeZone)),
  };
}

/** The range of equal length that ends the day before `start`. */
export function rangeBefore({ start, end, timeZone }: DateRange): DateRange {
  const dayBefore = addDays(start, -1);
  return { start: addDays(dayBefore, -daysBetween(start, end)), end: dayBefore, timeZone };
}

/**
 * The period with which a range is compared: {@link rangeBefore}. For a range that has not ended, it ends at the counterpart of
 * `nowMs` at the same local time, so that a part of a day is not compared with a whole one.
 */
export function periodBefore(range: DateRange, nowMs: number): Period {
  const period = periodOf(rangeBefore(range));
  const { start, end, timeZone } = range;
  const today = dateAt(nowMs, timeZone);
  if (today < start || today > end) return period;
  const counterpart = addDays(today, -(daysBetween(start, end) + 1));
  const sinceMidnightMs = nowMs - startOfDayMs(today, timeZone);
  const untilMs =
    Math.ceil((startOfDayMs(counterpart, timeZone) + sinceMidnightMs + 1) / MINUTE_MS) * MINUTE_MS;
  if (untilMs <= period.fromMs || untilMs >= period.beforeMs) return period;
  return { fromMs: period.fromMs, beforeMs: untilMs };
}

/**
 * Buckets of a range, sorted. A bucket's value is its first day, or for hours the instant at which it starts. Hours
 * are counted from the company's midnight, so they are not whole hours of UTC where the offset is half an hour. Null
 * for more than {@link BUCKETS_MAX}.
 */
export function bucketsIn(range: DateRange, span: Group | 'hour'): Bucket[] | null {
  const { timeZone } = range;
  if (span !== 'hour') {
    const days = bucketsOf(range.start, range.end, span, BUCKETS_MAX);
    return days && days.map((day) => ({ startMs: startOfDayMs(day, timeZone), value: day }));
  }
  const { fromMs, beforeMs } = periodOf(range);
  const hours = Math.ceil((beforeMs - fromMs) / HOUR_MS);
  if (hours > BUCKETS_MAX) return null;
  return Array.from({ length: hours }, (_, index) => {
    const startMs = fromMs + index * HOUR_MS;
    return { startMs, value: `${new Date(startMs).toISOString().slice(0, 16)}Z` };
  });
}

/** Buckets of a range preceded by the buckets of the range before it, which carry the values of their counterparts. Sorted. */
export function withPreviousBuckets(buckets: readonly Bucket[], before: readonly Bucket[]): Bucket[] {
  const last = buckets.length - 1;
  const counterparts = before.map(({ startMs }, index) => ({
    startMs,
    value: buckets[Math.min(index, last)]!.value,
  }));
  // A week or month may overlap both ranges. It is listed once, under this range; the plan separates the two periods.
  return [...counterparts.filter(({ startMs }) => startMs < buckets[0]!.startMs), ...buckets];
}

/** Display name of a bucket's value. */
export function bucketName(level: TimeLevel, value: string, timeZone: string): string {
  if (level === 'hour') return dateTimeAt(Date.parse(value), timeZone);
  if (level === 'year') return value.slice(0, 4);
  if (level === 'month') return value.slice(0, 7);
  if (level === 'day') return value;
  const { week, year } = isoWeekOf(value);
  return `W${week} ${year}`;
}

/** A query's dates in the company's time zone. Throws Invalid for dates outside `limits.dateMin` to `limits.dateMax`. */
export async function rangeOf(
  ctx: Context,
  { companyId }: Owner,
  { start_date: start, end_date: end }: { start_date: string; end_date: string },
): Promise<DateRange> {
  requireSupportedDates(start, end);
  return { start, end, timeZone: await timeZoneOf(ctx.db, companyId) };
}

function requireSupportedDates(startDate: string, endDate: string): void {
  const message = reportApiMessages.dates(limits.dateMin, limits.dateMax);
  if (startDate < limits.dateMin) throw new Invalid([{ field: 'start_date', message }]);
  if (endDate > limits.dateMax) throw new Invalid([{ field: 'end_date', message }]);
}
