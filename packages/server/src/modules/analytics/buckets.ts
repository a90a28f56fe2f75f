import { addDays, dateTimeAt, daysBetween, isoWeekOf, startOfDayMs } from '@bidwell/contract/calendar';
import type { TimeLevel } from '@bidwell/contract/metrics';
import { TIME_LEVELS } from '@bidwell/contract/metrics';
import type { Period } from './plan.ts';
import type { Bucket } from './query-model.ts';
import type { Group } from './series.ts';
import { bucketsOf } from './series.ts';

/** Spans of time in one answer. */
export const BUCKETS_MAX = 3660;
const HOUR_MS = 3_600_000;
const FIRST_MS = Date.UTC(2000, 0, 1) - 24 * HOUR_MS;
const BEFORE_MS = Date.UTC(2100, 0, 1);

/** Both dates included, in the company's time zone. */
export interface DateRange {
  start: string;
  end: string;
  timeZone: string;
}

export function isTimeLevel(level: string): level is TimeLevel {
  return (TIME_LEVELS as readonly string[]).includes(level);
}

/** The instants of a range, as far as there can be events: the engine's dates do not reach much further. */
export function periodOf({ start, end, timeZone }: DateRange): Period {
  const known = (ms: number) => Math.min(Math.max(ms, FIRST_MS), BEFORE_MS);
  return {
    fromMs: known(startOfDayMs(start, timeZone)),
    beforeMs: known(startOfDayMs(addDays(end, 1), timeZone)),
  };
}

/** The range of the same length that ends the day before. */
export function rangeBefore({ start, end, timeZone }: DateRange): DateRange {
  const dayBefore = addDays(start, -1);
  return { start: addDays(dayBefore, -daysBetween(start, end)), end: dayBefore, timeZone };
}

/**
 * The spans of a range, sorted: their value is the first day, or an hour's instant. Null for more than
 * {@link BUCKETS_MAX}. An hour begins where the company's days do, also where its clock is half an hour off.
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

/** The spans of a range and those of the one before it, which take the values of their counterparts. Sorted. */
export function withBefore(buckets: readonly Bucket[], before: readonly Bucket[]): Bucket[] {
  const last = buckets.length - 1;
  const counterparts = before.map(({ startMs }, index) => ({
    startMs,
    value: buckets[Math.min(index, last)]!.value,
  }));
  // A week or month may lie in both ranges: its days before this range are the other's, and the plan keeps them apart.
  return [...counterparts.filter(({ startMs }) => startMs < buckets[0]!.startMs), ...buckets];
}

/** What a person calls a span of time, by its value. */
export function nameOfSpan(level: TimeLevel, value: string, timeZone: string): string {
  if (level === 'hour') return dateTimeAt(Date.parse(value), timeZone);
  if (level === 'year') return value.slice(0, 4);
  if (level === 'month') return value.slice(0, 7);
  if (level === 'day') return value;
  const { week, year } = isoWeekOf(value);
  return `W${week} ${year}`;
}
