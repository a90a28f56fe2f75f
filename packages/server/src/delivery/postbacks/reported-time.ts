import { decimalOf, floorTimes } from './decimal.ts';

/** Times of events and installs that are read. ClickHouse cannot store some later ones. */
const YEARS = { fromMs: Date.UTC(2000), beforeMs: Date.UTC(2100) };

/**
 * The units of a Unix time by its number of digits before the decimal point: seconds, milliseconds, microseconds or nanoseconds. In
 * these years the numbers of the units do not overlap.
 */
const PER_MILLISECOND: readonly [from: number, to: number, divisor: bigint, factor: bigint][] = [
  [9, 10, 1n, 1000n],
  [12, 13, 1n, 1n],
  [15, 16, 1000n, 1n],
  [18, 19, 1_000_000n, 1n],
];

/** A date, a time to the second or minute, and a zone: an offset with or without a colon, hours alone, or a name of UTC. */
const DATE_AND_TIME =
  /^(\d{4}-\d\d-\d\d)[T ]{1,2}(\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)?\s?(?:(Z|UTC|GMT)|([+ -])(\d\d)(?::?(\d\d))?)?$/i;

/** Longest text of a time. */
const CHARS_MAX = 100;

/**
 * A time that a partner reports, in Unix ms: Unix seconds, milliseconds, microseconds or nanoseconds, also with a fraction or an
 * exponent, or a date and time of RFC 3339, of UTC without a zone, as AppsFlyer writes it; also without dashes and colons (ISO 8601), with
 * slashes, with the name of its zone after its offset (RFC 9557), as mails have it (RFC 5322), and in a leap second. The plus sign of a
 * zone arrives as a space where the partner did not encode it. Null for anything else, and outside the years 2000 to 2099.
 */
export function reportedTimeOf(text: string): number | null {
  if (text.length > CHARS_MAX) return null;
  return likelyTime(unixTimeOf(text) ?? dateTimeOf(usualForm(text)));
}

/** A date and time without its dashes and colons, which a `T` tells from a number. */
const BASIC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?/i;
/** A date and time as in mails and HTTP. The zone is an offset or a name of UTC, as others are ambiguous. */
const OF_MAIL =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d:\d\d(?::\d\d)?) (Z|UTC|GMT|[+-]\d{4})$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A date and time in other forms as {@link DATE_AND_TIME} has it; other texts as they are. */
function usualForm(text: string): string {
  const [, day, month, year, time, zone] = OF_MAIL.exec(text) ?? [];
  if (day && month) {
    const number = MONTHS.indexOf(month.toLowerCase()) + 1;
    return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}T${time}${zone}`;
  }
  return (
    text
      .replace(
        BASIC,
        (_all, y, m, d, hours, minutes, seconds = '00') => `${y}-${m}-${d}T${hours}:${minutes}:${seconds}`,
      )
      .replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3')
      // The offset before the name of a zone decides.
      .replace(/(Z|[+-]\d\d:?\d\d)\[[\w/+-]+\]$/i, '$1')
      .replace('\u2212', '-')
  );
}

function unixTimeOf(text: string): number | null {
  const number = /^\d/.test(text) ? decimalOf(text) : null;
  if (!number) return null;
  const length = floorTimes(number, 1n).toString().length;
  const unit = PER_MILLISECOND.find(([from, to]) => length >= from && length <= to);
  if (!unit) return null;
  const [, , divisor, factor] = unit;
  return Number(floorTimes(number, factor) / divisor);
}

function dateTimeOf(text: string): number | null {
  const [, date, time, seconds = ':00', utc, sign, hours, minutes = '00'] = DATE_AND_TIME.exec(text) ?? [];
  if (!date || !isDate(date)) return null;
  const isUtc = utc !== undefined || sign === undefined;
  const zone = isUtc ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`;
  // Date has no leap seconds: 23:59:60 is the second after 23:59:59.
  const isLeap = seconds.startsWith(':60');
  const read = isLeap ? seconds.replace(':60', ':59') : seconds;
  const atMs = Date.parse(`${date}T${time}${read.replace(',', '.')}${zone}`);
  return Number.isNaN(atMs) ? null : atMs + (isLeap ? 1000 : 0);
}

/** Whether a calendar has a date; JavaScript reads 30 February as 2 March. */
function isDate(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

function likelyTime(atMs: number | null): number | null {
  return atMs !== null && atMs >= YEARS.fromMs && atMs < YEARS.beforeMs ? atMs : null;
}
