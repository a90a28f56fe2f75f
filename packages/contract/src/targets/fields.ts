import { z } from 'zod';
import { audienceFields } from '../audiences/use.ts';
import type { FormField } from '../lib/fields.ts';
import { textList } from '../lib/wire.ts';
import { targetMessages } from './messages.ts';
import {
  CIRCLES_MAX,
  Circle,
  PLACE_NAME_MAX,
  foldedName,
  parseCity,
  parsePostalPrefix,
} from './place-values.ts';

const list = (label: string, example: readonly string[] = []) =>
  ({
    label,
    input: textList,
    output: z.array(z.string()),
    form: z.array(z.string()),
    initial: [],
    undo: true,
    example,
  }) satisfies FormField;

/** A list of texts of which each has a form; the message names those that lack it. */
const listIn = (
  label: string,
  isValid: (text: string) => boolean,
  message: (wrong: readonly string[]) => string,
) => ({
  ...list(label),
  input: textList.superRefine((texts, context) => {
    const wrong = texts.filter((text) => !isValid(text));
    if (wrong.length > 0) context.addIssue({ code: 'custom', message: message(wrong) });
  }),
});

const cities = (label: string) => listIn(label, (text) => parseCity(text) !== null, targetMessages.cityForm);
const postalCodes = (label: string) =>
  listIn(label, (text) => parsePostalPrefix(text) !== null, targetMessages.postalForm);
const carriers = (label: string) =>
  listIn(
    label,
    (text) => text.length <= PLACE_NAME_MAX && foldedName(text) !== '',
    targetMessages.carrierForm,
  );

const circles = (label: string) =>
  ({
    label,
    input: z
      .array(Circle)
      .max(CIRCLES_MAX, `At most ${CIRCLES_MAX} places`)
      .nullish()
      .transform((all) => all ?? []),
    output: z.array(Circle),
    /** A row that is being filled in has no numbers yet. */
    form: z.array(
      z.object({ lat: z.number().nullable(), lon: z.number().nullable(), km: z.number().nullable() }),
    ),
    initial: [],
    undo: true,
    example: [],
  }) satisfies FormField;

/** Kinds of placements. A rewarded one counts as rewarded only, also where it fills the screen. */
export const PLACEMENT_KINDS = ['interstitial', 'rewarded', 'other'] as const;
export type PlacementKind = (typeof PLACEMENT_KINDS)[number];

/** Whether a target needs requests with an advertising id that may be used, or without one. */
export const DeviceIdChoice = z.enum(['any', 'with', 'without']);
export type DeviceIdChoice = z.infer<typeof DeviceIdChoice>;

const version = (label: string, example: string | null) =>
  ({
    label,
    input: z
      .string()
      .trim()
      .max(20)
      .regex(/^\d+(\.\d+){0,3}$/, 'Enter a version such as 12.4')
      .or(z.literal(''))
      .nullish()
      .transform((v) => v || null),
    output: z.string().nullable(),
    form: z.string(),
    initial: '',
    undo: true,
    example,
  }) satisfies FormField;

/** Criteria of a target. An empty include list matches all; exclude lists take precedence over include lists. */
export const targetFields = {
  device_connection_types: list('Connection types', ['WiFi']),
  device_max_os_version: version('Maximum OS version', null),
  device_min_os_version: version('Minimum OS version', '11'),
  device_models: list('Device models'),
  device_os: list('OS', ['android']),
  device_types: list('Device types', ['Phone']),
  exchange_include: list('Exchange include'),
  exchange_exclude: list('Exchange exclude'),
  genre_include: list('Genre include', ['Games']),
  genre_exclude: list('Genre exclude'),
  /** ISO 639-1 codes. */
  language_include: list('Language include', ['en']),
  language_exclude: list('Language exclude'),
  /** ISO 3166-1 alpha-2 codes. */
  location_include: list('Location include', ['DE', 'AT']),
  location_exclude: list('Location exclude'),
  /** ISO 3166-2 codes, such as US-CA. An include list leaves out requests that name no region. */
  region_include: list('Region include'),
  region_exclude: list('Region exclude'),
  /** A country, or a region of it, and a name: `DE:Berlin`, `US-OR:Portland`. */
  city_include: cities('City include'),
  city_exclude: cities('City exclude'),
  /** A country and the beginning of its postal codes: `US:900`. */
  postal_include: postalCodes('Postal code include'),
  postal_exclude: postalCodes('Postal code exclude'),
  /** Circles around places; only for locations that the device or its user gave. */
  radius_include: circles('Radius include'),
  radius_exclude: circles('Radius exclude'),
  /** Names of mobile carriers, or their numbers: `Verizon`, `310-410`. */
  carrier_include: carriers('Carrier include'),
  carrier_exclude: carriers('Carrier exclude'),
  placement_kinds: {
    label: 'Placement kinds',
    input: z
      .array(z.enum(PLACEMENT_KINDS))
      .max(PLACEMENT_KINDS.length)
      .nullish()
      .transform((kinds) => [...new Set(kinds ?? [])]),
    output: z.array(z.enum(PLACEMENT_KINDS)),
    form: z.array(z.enum(PLACEMENT_KINDS)),
    initial: [],
    undo: true,
    example: [],
  } satisfies FormField,
  device_id: {
    label: 'Advertising ID',
    input: DeviceIdChoice.nullish().transform((choice) => choice ?? ('any' as const)),
    output: DeviceIdChoice,
    form: DeviceIdChoice,
    initial: 'any',
    undo: true,
    example: 'any',
  } satisfies FormField,
  /** Audiences in addition to the ad set's: a person has to be in one of each group of both, and in no excluded one of either. */
  audience_include: audienceFields.audience_include,
  audience_exclude: audienceFields.audience_exclude,
};
