const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** The local date and time in `timeZone` at an instant, encoded as if it were UTC: Unix ms. */
function wallClockMs(atMs: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(atMs)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
}

/** The calendar date, YYYY-MM-DD, in `timeZone` (an IANA name) at an instant in unix ms. */
export function dateAt(atMs: number, timeZone: string): string {
  return new Date(wallClockMs(atMs, timeZone)).toISOString().slice(0, 10);
}

/** Short names of the months, January first. */
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

/** A calendar date as it is shown to people: May 04 / 2026. */
export function dayText(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${monthNames[Number(month) - 1] ?? month} ${day} / ${year}`;
}

/** A month, YYYY-MM, as it is shown to people: May 2026. */
export function monthText(month: string): string {
  const [year = '', number = ''] = month.split('-');
  return `${monthNames[Number(number) - 1] ?? number} ${year}`;
}

/** The calendar date and time of day, YYYY-MM-DD HH:MM, in `timeZone` at an instant in unix ms. */
export function dateTimeAt(atMs: number, timeZone: string): string {
  return new Date(wallClockMs(atMs, timeZone)).toISOString().slice(0, 16).replace('T', ' ');
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_HOURS = 168;
/** 1970-01-01 was a Thursday. */
const EPOCH_HOUR_OF_WEEK = 72;

/** The hour of the week, 0 for Monday 00:00 to 167, on a clock that is `offsetMinutes` ahead of UTC. */
export function hourOfWeekBy(atMs: number, offsetMinutes: number): number {
  const hour = (Math.floor((atMs + offsetMinutes * MINUTE_MS) / HOUR_MS) + EPOCH_HOUR_OF_WEEK) % WEEK_HOURS;
  return hour < 0 ? hour + WEEK_HOURS : hour;
}

/** The hour of the week, 0 for Monday 00:00 to 167, in `timeZone` at an instant in unix ms. */
export function hourOfWeekAt(atMs: number, timeZone: string): number {
  return hourOfWeekBy(wallClockMs(atMs, timeZone), 0);
}

/**
 * The instant, Unix ms, at which a calendar date begins in `timeZone`: the first midnight if the clocks pass it twice, the
 * change of the clocks if they skip it.
 */
export function startOfDayMs(date: string, timeZone: string): number {
  const targetMs = Date.parse(`${date}T00:00:00Z`);
  const midnightAt = (atMs: number) => targetMs - (wallClockMs(atMs, timeZone) - atMs);
  // Midnight by the offset of the day before and of the day after, which differ around a change of the clocks.
  const [before, after] = [midnightAt(targetMs - DAY_MS), midnightAt(targetMs + DAY_MS)];
  const early = Math.min(before, after);
  return dateAt(early, timeZone) === date ? early : Math.max(before, after);
}

/** All time zones begin their hours at a quarter of an hour in UTC, and change their clocks then. */
const STEP_MS = DAY_MS / 96;

/** The instant of an hour of a day, Unix ms: the first if the clocks pass it twice, the one that follows if they skip it. */
export function hourOfDayMs(date: string, hour: number, timeZone: string): number {
  return timeOfDayMs(date, `${String(hour).padStart(2, '0')}:00`, timeZone);
}

/** The instant of a time of a day, HH:MM, Unix ms: the first if the clocks pass it twice, the one that follows if they skip it. */
export function timeOfDayMs(date: string, time: string, timeZone: string): number {
  const endMs = startOfDayMs(addDays(date, 1), timeZone);
  const clock = `${date} ${time}`;
  // In steps to the quarter of an hour that has the time, or begins after it.
  let atMs = startOfDayMs(date, timeZone);
  while (atMs < endMs && dateTimeAt(atMs + STEP_MS - MINUTE_MS, timeZone) < clock) atMs += STEP_MS;
  while (atMs < endMs && dateTimeAt(atMs, timeZone) < clock) atMs += MINUTE_MS;
  return Math.min(atMs, endMs);
}

/** Whether a name is a time zone of the IANA database, such as `Europe/Berlin`. Offsets and abbreviations are not. */
export function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !/^[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The date `days` later (earlier when negative). */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Whole days from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** The Monday of a date's ISO week. */
export function mondayOf(date: string): string {
  return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** ISO week number and year of a date; the year is the year of the week's Thursday. */
export function isoWeekOf(date: string): { week: number; year: number } {
  const thursday = addDays(mondayOf(date), 3);
  const year = Number(thursday.slice(0, 4));
  const dayOfYear = (Date.parse(`${thursday}T00:00:00Z`) - Date.UTC(year, 0, 1)) / DAY_MS;
  return { week: Math.floor(dayOfYear / 7) + 1, year };
}
