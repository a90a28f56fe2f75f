import { type AlertRuleMetric, cohortDayOf } from '@bidwell/contract/alerts/rules';
import { addDays, dateAt, hourOfDayMs, startOfDayMs } from '@bidwell/contract/lib/calendar';

/** What says when a rule is checked. */
export interface CheckTimes {
  /** Whole days; 0 for today so far. */
  days: number;
  /** Of the company's day; null for every hour of today so far, or an hour after the last whole day ended. */
  hour: number | null;
  timeZone: string;
}

const HOUR_MS = 3_600_000;
/** After an hour, for events that are still being counted. */
const SETTLED_MS = 5 * 60_000;
/** The hour of the first check of whole days that ended at midnight. */
const AFTER_MIDNIGHT = 1;

/**
 * When a rule is first checked: figures of whole days at once, since they exist, and those of today where the hour of its checks
 * has come. Pure.
 */
export function firstCheckAt(now: Date, times: CheckTimes): Date {
  if (times.days > 0 || times.hour === null) return now;
  const today = dateAt(now.getTime(), times.timeZone);
  return hourOfDayMs(today, times.hour, times.timeZone) <= now.getTime() ? now : nextCheckAt(now, times);
}

/** When a rule is checked next after a check at `now`. Pure. */
export function nextCheckAt(now: Date, { days, hour, timeZone }: CheckTimes): Date {
  const nowMs = now.getTime();
  if (days === 0 && hour === null)
    return new Date(Math.floor((nowMs - SETTLED_MS) / HOUR_MS + 1) * HOUR_MS + SETTLED_MS);
  const today = dateAt(nowMs, timeZone);
  for (const date of [today, addDays(today, 1)]) {
    const atMs = hourOfDayMs(date, hour ?? AFTER_MIDNIGHT, timeZone) + SETTLED_MS;
    if (atMs > nowMs) return new Date(atMs);
  }
  return new Date(startOfDayMs(addDays(today, 2), timeZone));
}

/**
 * The first and last day of a figure at `now`, both included: today, or the last whole days. For a cohort, the last days all of whose
 * installs are old enough. Pure.
 */
export function daysOf(
  now: Date,
  { metric, days, timeZone }: { metric: AlertRuleMetric; days: number; timeZone: string },
): { from: string; to: string } {
  const today = dateAt(now.getTime(), timeZone);
  if (days === 0) return { from: today, to: today };
  const cohortDay = cohortDayOf(metric);
  // Day n of an install ends n + 1 times 24 hours after it.
  const to = addDays(today, -1 - (cohortDay === undefined ? 0 : cohortDay + 1));
  return { from: addDays(to, 1 - days), to };
}
