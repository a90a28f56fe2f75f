import type { ReportFrequency } from '@bidwell/contract/report-schedules/schema';
import { addDays, dateAt, hourOfDayMs } from '@bidwell/contract/lib/calendar';

/** When a report is sent. The weekday, 1 for Monday, applies to weekly reports; the hour is in the time zone. */
export interface ReportTimes {
  frequency: ReportFrequency;
  weekday: number | null;
  hour: number;
  timeZone: string;
}

/** The days that a report is of, both included. */
export interface ReportPeriod {
  start: string;
  end: string;
}

/** A monthly report is due once in this number of days. */
const DAYS_MAX = 32;

/** The days of the latest report that is due at `now`. Pure. */
export function latestPeriod(now: Date, times: ReportTimes): ReportPeriod {
  const today = dateAt(now.getTime(), times.timeZone);
  for (let back = 0; back <= DAYS_MAX; back += 1) {
    const date = addDays(today, -back);
    if (isDay(date, times) && hourOfDayMs(date, times.hour, times.timeZone) <= now.getTime())
      return periodBefore(date, times);
  }
  throw new RangeError('No day of the past month has a report');
}

/** When the next report after `now` is due. Pure. */
export function nextDue(now: Date, times: ReportTimes): Date {
  const today = dateAt(now.getTime(), times.timeZone);
  for (let ahead = 0; ahead <= DAYS_MAX; ahead += 1) {
    const date = addDays(today, ahead);
    if (!isDay(date, times)) continue;
    const atMs = hourOfDayMs(date, times.hour, times.timeZone);
    if (atMs > now.getTime()) return new Date(atMs);
  }
  throw new RangeError('No day of the next month has a report');
}

function isDay(date: string, { frequency, weekday }: ReportTimes): boolean {
  if (frequency === 'daily') return true;
  if (frequency === 'monthly') return date.endsWith('-01');
  return ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1 === weekday;
}

function periodBefore(date: string, { frequency }: ReportTimes): ReportPeriod {
  const end = addDays(date, -1);
  if (frequency === 'daily') return { start: end, end };
  if (frequency === 'weekly') return { start: addDays(date, -7), end };
  return { start: `${end.slice(0, 7)}-01`, end };
}
