import { addDays, dayText, startOfDayMs, timeOfDayMs } from '../lib/calendar.ts';
import { campaignMessages } from './messages.ts';

/** The first and last day of a campaign with their times in the company's time zone; null is unbounded, or the whole day. */
export interface Flight {
  start_date: string | null;
  /** HH:MM. */
  start_time: string | null;
  end_date: string | null;
  /** HH:MM, at which the campaign ends. */
  end_time: string | null;
}

/** The fields of a flight that are wrong together, with their messages. */
export function flightErrors(flight: Partial<Flight>): { field: keyof Flight; message: string }[] {
  const { start_date: start, start_time: from, end_date: end, end_time: until } = flight;
  if (from && !start) return [{ field: 'start_time', message: campaignMessages.timeWithoutDay }];
  if (until && !end) return [{ field: 'end_time', message: campaignMessages.timeWithoutDay }];
  if (!start || !end) return [];
  if (end < start) return [{ field: 'end_date', message: campaignMessages.endBeforeStart }];
  const isEmpty = start === end && until != null && until <= (from ?? '00:00');
  return isEmpty ? [{ field: 'end_time', message: campaignMessages.endTimeBeforeStart }] : [];
}

/** A flight in Unix ms: `fromMs` inclusive, `untilMs` exclusive; ±Infinity where it is unbounded. */
export function flightMs(
  { start_date: start, start_time: from, end_date: end, end_time: until }: Flight,
  timeZone: string,
): { fromMs: number; untilMs: number } {
  return {
    fromMs: start === null ? -Infinity : instantOf(start, from, timeZone),
    untilMs:
      end === null
        ? Infinity
        : until === null
          ? startOfDayMs(addDays(end, 1), timeZone)
          : timeOfDayMs(end, until, timeZone),
  };
}

const instantOf = (date: string, time: string | null, timeZone: string): number =>
  time === null ? startOfDayMs(date, timeZone) : timeOfDayMs(date, time, timeZone);

/** Whether a flight is over; `now` is the company's date and time, YYYY-MM-DD HH:MM. */
export const hasEnded = ({ end_date: end, end_time: until }: Flight, now: string): boolean =>
  end !== null && `${end} ${until ?? '24:00'}` <= now;

/** Whether a flight begins later; `now` is the company's date and time, YYYY-MM-DD HH:MM. */
export const startsLater = ({ start_date: start, start_time: from }: Flight, now: string): boolean =>
  start !== null && `${start} ${from ?? '00:00'}` > now;

/** A day of a flight with its time, as it is shown to people: May 04 / 2026, 18:30. */
export const flightText = (date: string, time: string | null): string =>
  time === null ? dayText(date) : `${dayText(date)}, ${time}`;

/** Days of a flight with parts of the first and the last one; null if it is unbounded. */
export function flightDays({ start_date, start_time, end_date, end_time }: Flight): number | null {
  if (start_date === null || end_date === null) return null;
  const dayOf = (date: string, time: string) =>
    Date.parse(`${date}T00:00:00Z`) / 86_400_000 +
    (Number(time.slice(0, 2)) + Number(time.slice(3)) / 60) / 24;
  return dayOf(end_date, end_time ?? '24:00') - dayOf(start_date, start_time ?? '00:00');
}
