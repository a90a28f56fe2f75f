import { z } from 'zod';
import type { FormField } from '../lib/fields.ts';
import { textList } from '../lib/wire.ts';

const list = (label: string, example: readonly string[] = []) =>
  ({
    label,
    input: textList,
    output: z.array(z.string()),
    form: z.array(z.string()),
    initial: [],
    undo: false,
    example,
  }) satisfies FormField;

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
    undo: false,
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
};
