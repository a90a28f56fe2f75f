import { z } from 'zod';
import { adsetMessages } from './messages.ts';

/** Days of a week in the order of ISO 8601. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export const DAY_HOURS = 24;
export const WEEK_HOURS = WEEKDAYS.length * DAY_HOURS;

/** From an hour, inclusive, to another one, exclusive: `[8, 22]` is 08:00 to 22:00. */
const Span = z.array(z.number().int().min(0).max(DAY_HOURS)).length(2);
const SPANS_MAX = DAY_HOURS / 2;

const days = <Day extends z.ZodType>(day: Day) =>
  Object.fromEntries(WEEKDAYS.map((name) => [name, day])) as Record<Weekday, Day>;

/** The hours of a week in which an ad set bids: for each day the open spans in their order, none for a closed day. */
export const Hours = z.object(days(z.array(Span)));
export type Hours = z.infer<typeof Hours>;

const SpanInput = Span.refine((span) => span[0]! < span[1]!, adsetMessages.hoursSpan);

/** {@link Hours} in an input: absent days are closed, spans may overlap. A week that is open throughout is null. */
export const HoursInput = z
  .strictObject(
    days(
      z
        .array(SpanInput)
        .max(SPANS_MAX, `At most ${SPANS_MAX} spans a day`)
        .nullish()
        .transform((spans) => spans ?? []),
    ),
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' ? adsetMessages.weekdayUnknown(String(keys?.[0]), WEEKDAYS) : undefined,
    },
  )
  .refine((hours) => WEEKDAYS.some((day) => hours[day].length > 0), adsetMessages.hoursNone)
  .nullish()
  .transform((hours) => (hours ? hoursOf(openHours(hours)) : null));

/** Whose time an ad set's {@link Hours} are in. */
export const HOURS_ZONES = ['company', 'device'] as const;
export const HoursZone = z.enum(HOURS_ZONES);
export type HoursZone = z.infer<typeof HoursZone>;

/** 1 for each open hour of a week, from Monday 00:00 on. */
export function openHours(hours: Readonly<Record<Weekday, readonly (readonly number[])[]>>): Uint8Array {
  const open = new Uint8Array(WEEK_HOURS);
  for (const [index, day] of WEEKDAYS.entries())
    for (const span of hours[day]) open.fill(1, index * DAY_HOURS + span[0]!, index * DAY_HOURS + span[1]!);
  return open;
}

/** The hours of {@link openHours}; null where all are open. */
export function hoursOf(open: Uint8Array): Hours | null {
  return open.every((hour) => hour === 1) ? null : weekOf(open);
}

/** The hours of {@link openHours}. */
export function weekOf(open: Uint8Array): Hours {
  const entries = WEEKDAYS.map((day, index) => [
    day,
    spansOf(open.subarray(index * DAY_HOURS, (index + 1) * DAY_HOURS)),
  ]);
  return Object.fromEntries(entries) as Hours;
}

function spansOf(day: Uint8Array): number[][] {
  const spans: number[][] = [];
  for (let hour = 0; hour < day.length; hour += 1) {
    if (day[hour] !== 1) continue;
    const from = hour;
    while (hour < day.length && day[hour] === 1) hour += 1;
    spans.push([from, hour]);
  }
  return spans;
}

const DAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

const ALL_DAY = 'all day';

const dayHoursText = (spans: readonly (readonly number[])[]): string =>
  spans.length === 1 && spans[0]![0] === 0 && spans[0]![1] === DAY_HOURS
    ? ALL_DAY
    : spans.map((span) => `${span[0]}–${span[1]}`).join(' and ');

/** Hours as people read them, days with the same hours together: `Mon–Fri 8–22; Sat 10–14 and 18–22`, `every day 8–22`. */
export function hoursText(hours: Hours): string {
  const daysByText = new Map<string, number[]>();
  for (const [index, day] of WEEKDAYS.entries()) {
    const text = dayHoursText(hours[day]);
    if (text !== '') daysByText.set(text, [...(daysByText.get(text) ?? []), index]);
  }
  return [...daysByText]
    .map(([text, of]) => (of.length === WEEKDAYS.length ? everyDayText(text) : `${daysText(of)} ${text}`))
    .join('; ');
}

const everyDayText = (text: string): string => (text === ALL_DAY ? 'always' : `every day ${text}`);

/** Days by their places in the week, in order: `Mon–Wed, Fri`. */
function daysText(of: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const index of of) {
    const before = ranges.at(-1);
    if (before?.last === index - 1) before.last = index;
    else ranges.push({ first: index, last: index });
  }
  const nameOf = (index: number) => DAY_NAMES[WEEKDAYS[index]!];
  return ranges
    .map(({ first, last }) => (first === last ? nameOf(first) : `${nameOf(first)}–${nameOf(last)}`))
    .join(', ');
}

/** {@link hoursText} within a sentence, with whose time they are in: `on Mon–Fri 8–22 in the company’s time`. */
export function hoursWords(hours: Hours, zone: HoursZone): string {
  const text = hoursText(hours);
  const isOfDays = !/^(?:always|every day)/.test(text);
  return `${isOfDays ? 'on ' : ''}${text} in the ${zone}’s time`;
}

/** {@link hoursText} of a logged value, which an earlier or a later release may have written; undefined for no hours. */
export function loggedHoursText(value: unknown): string | undefined {
  const hours = Hours.safeParse(value);
  return hours.success ? hoursText(hours.data) : undefined;
}
