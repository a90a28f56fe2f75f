import { z } from 'zod';
import type { FormField } from '../lib/fields.ts';
import { numberText } from '../lib/number-text.ts';

/** Bounds of frequency caps. */
export const CAP_LIMITS = {
  /** Caps of one ad set or campaign. */
  capsMax: 5,
  impressionsMax: 1000,
  /** 30 days. */
  minutesMax: 43_200,
} as const;

const IMPRESSIONS = `Enter 1 to ${numberText(CAP_LIMITS.impressionsMax)} impressions`;
const DURATION = 'Enter a time of 1 minute to 30 days';

/** At most this many impressions to one person in any period of this length. */
export const FrequencyCap = z.object({
  impressions: z
    .number(IMPRESSIONS)
    .int(IMPRESSIONS)
    .min(1, IMPRESSIONS)
    .max(CAP_LIMITS.impressionsMax, IMPRESSIONS),
  minutes: z.number(DURATION).int(DURATION).min(1, DURATION).max(CAP_LIMITS.minutesMax, DURATION),
});
export type FrequencyCap = z.infer<typeof FrequencyCap>;

export const capMessages = {
  tooMany: `At most ${CAP_LIMITS.capsMax} frequency caps`,
  sameTime: 'Enter each time once',
  order: 'A cap of a shorter time needs fewer impressions than one of a longer time',
} as const;

/** Why caps do not go together; null where they do. */
export function capsError(caps: readonly FrequencyCap[]): string | null {
  if (caps.length > CAP_LIMITS.capsMax) return capMessages.tooMany;
  const byTime = caps.toSorted((a, b) => a.minutes - b.minutes);
  for (let index = 1; index < byTime.length; index += 1) {
    const [shorter, longer] = [byTime[index - 1]!, byTime[index]!];
    if (shorter.minutes === longer.minutes) return capMessages.sameTime;
    if (shorter.impressions >= longer.impressions) return capMessages.order;
  }
  return null;
}

function capWords(value: unknown): string | undefined {
  const cap = FrequencyCap.safeParse(value).data;
  return cap && capText(cap);
}

/** The caps of an ad set or a campaign, the shortest time first. */
export const capsField = {
  label: 'Frequency caps',
  input: z
    .array(FrequencyCap)
    .check(({ value, issues }) => {
      const message = capsError(value);
      if (message !== null) issues.push({ code: 'custom', message, input: value });
    })
    .nullish()
    .transform((caps) => (caps ?? []).toSorted((a, b) => a.minutes - b.minutes))
    .describe(
      'The most impressions (`impressions`) to one person in any period of `minutes`, 1 to 43200 (30 days). At most 5, each of another time, and a shorter time has fewer impressions. Null or empty for none.',
    ),
  output: z.array(FrequencyCap),
  form: z.array(z.object({ impressions: z.number(), minutes: z.number() })),
  initial: [],
  text: capWords,
  undo: true,
  example: [
    { impressions: 3, minutes: 1440 },
    { impressions: 10, minutes: 10_080 },
  ],
} as const satisfies FormField;

/** What an ad set with caps does with people whom no id identifies, by whom nothing can be counted. */
export const PEOPLE_WITHOUT_ID = ['bid', 'skip'] as const;
export const PeopleWithoutId = z.enum(PEOPLE_WITHOUT_ID);
export type PeopleWithoutId = z.infer<typeof PeopleWithoutId>;

const MINUTES = { day: 1440, hour: 60 } as const;

/** Units in which forms and sentences have a time. */
export const CAP_UNITS = ['minutes', 'hours', 'days'] as const;
export type CapUnit = (typeof CAP_UNITS)[number];
const MINUTES_OF: Record<CapUnit, number> = { minutes: 1, hours: MINUTES.hour, days: MINUTES.day };

/** A time in its largest whole unit, but 24 hours in hours: caps hold in any such time, not by calendar days. */
export function capTime(minutes: number): { count: number; unit: CapUnit } {
  const isDays = minutes % MINUTES.day === 0 && minutes !== MINUTES.day;
  const unit = isDays ? 'days' : minutes % MINUTES.hour === 0 ? 'hours' : 'minutes';
  return { count: minutes / MINUTES_OF[unit], unit };
}

/** The minutes of a time. */
export function capMinutes(count: number, unit: CapUnit): number {
  return count * MINUTES_OF[unit];
}

/** The name of a unit for a count of it: `hour` for 1. */
export const capUnitName = (unit: CapUnit, count: number): string => (count === 1 ? unit.slice(0, -1) : unit);

/** A cap in words, which say that it holds in any such time: `3 in any 24 hours`, `1 in any hour`. */
export function capText({ impressions, minutes }: FrequencyCap): string {
  const { count, unit } = capTime(minutes);
  const time = capUnitName(unit, count);
  return `${numberText(impressions)} in any ${count === 1 ? time : `${numberText(count)} ${time}`}`;
}

/** Caps in words: `at most 3 in any 24 hours and 10 in any 7 days`; '' for none. */
export function capsText(caps: readonly FrequencyCap[]): string {
  if (caps.length === 0) return '';
  const texts = caps.map(capText);
  const last = texts.pop()!;
  return `at most ${texts.length === 0 ? last : `${texts.join(', ')} and ${last}`}`;
}
