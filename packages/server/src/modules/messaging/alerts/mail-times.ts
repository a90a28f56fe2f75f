import type { AlertFrequency } from '@bidwell/contract/alerts/preferences';
import { dateTimeAt } from '@bidwell/contract/lib/calendar';

/** The times at which a person wants mails. Hours are in the time zone. */
export interface MailTimes {
  frequency: AlertFrequency;
  dailyHour: number;
  /** Null for none. */
  quiet: { from: number; until: number } | null;
  timeZone: string;
}

const HOUR_MS = 3_600_000;
/** All time zones begin their hours at a quarter of an hour in UTC. */
const STEP_MS = HOUR_MS / 4;
/** Two days: every hour of the clock is within, also where one is left out. */
const STEPS_MAX = (48 * HOUR_MS) / STEP_MS;

/** The time to mail an alert that is written at `now`; null for never. Pure. */
export function mailDueAt(now: Date, times: MailTimes): Date | null {
  const { frequency, dailyHour, timeZone } = times;
  if (frequency === 'off') return null;
  const nowMs = now.getTime();
  if (frequency === 'daily')
    return new Date(
      firstStep(nowMs, (atMs) => {
        const { hour, minute } = clockAt(atMs, timeZone);
        return atMs > nowMs && hour === dailyHour && minute === 0;
      }),
    );
  const dueMs =
    frequency === 'at_once' ? nowMs : firstStep(nowMs + 1, (atMs) => clockAt(atMs, timeZone).minute === 0);
  if (!isQuiet(dueMs, times)) return new Date(dueMs);
  return new Date(firstStep(dueMs, (atMs) => !isQuiet(atMs, times)));
}

/** Whether an instant is within quiet hours, which may go over midnight. */
function isQuiet(atMs: number, { quiet, timeZone }: MailTimes): boolean {
  if (quiet === null) return false;
  const { from, until } = quiet;
  const { hour } = clockAt(atMs, timeZone);
  return from < until ? hour >= from && hour < until : hour >= from || hour < until;
}

function clockAt(atMs: number, timeZone: string): { hour: number; minute: number } {
  const [hour, minute] = dateTimeAt(atMs, timeZone).slice(11).split(':').map(Number);
  return { hour: hour!, minute: minute! };
}

/** The first quarter of an hour from an instant on that meets a condition; the last one of two days if none does. */
function firstStep(fromMs: number, isMet: (atMs: number) => boolean): number {
  let atMs = Math.ceil(fromMs / STEP_MS) * STEP_MS;
  for (let step = 0; step < STEPS_MAX && !isMet(atMs); step += 1) atMs += STEP_MS;
  return atMs;
}
