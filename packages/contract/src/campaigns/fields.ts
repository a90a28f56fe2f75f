import { z } from 'zod';
import { capsField } from '../frequency/caps.ts';
import type { Field } from '../lib/fields.ts';
import { CalendarDate } from '../lib/wire.ts';
import { campaignMessages } from './messages.ts';

const date = (label: string, example: string | null) =>
  ({
    label,
    input: CalendarDate.nullish().transform((v) => v ?? null),
    output: z.string().nullable(),
    undo: true,
    example,
  }) satisfies Field;

const time = (label: string, none: string) =>
  ({
    label,
    none,
    input: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, campaignMessages.timeFormat)
      .nullish()
      .transform((v) => v ?? null)
      .describe(`HH:MM of that day, in the company's time zone; null is the ${none.toLowerCase()}.`),
    output: z.string().nullable(),
    undo: true,
    example: null,
  }) satisfies Field;

/** The fields of a campaign except its name, description, status and references. */
export const campaignFields = {
  /** First and last day of the flight, in the company's time zone; null is unbounded. */
  start_date: date('Start date', '2026-03-02'),
  end_date: date('End date', null),
  start_time: time('Start time', 'Begin of the day'),
  end_time: time('End time', 'End of the day'),
  /** The most impressions of all its ad sets to one person in any period of a length in minutes. */
  frequency_caps: { ...capsField, example: [{ impressions: 20, minutes: 43_200 }] },
  start_when_approved: {
    label: 'Start when approved',
    input: z
      .boolean()
      .nullish()
      .transform((v) => v ?? false)
      .describe(
        'Whether a paused campaign starts by itself once everything in it is reviewed. A start, a pause and an attempt that fails set it to false.',
      ),
    output: z.boolean(),
    undo: true,
    example: true,
  },
} satisfies Record<string, Field>;
