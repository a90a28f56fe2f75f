import { z } from 'zod';
import { AppSummary } from '../apps/schema.ts';
import { Timestamp, Uuid, description, textList, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

const version = z
  .string()
  .trim()
  .max(20)
  .regex(/^\d+(\.\d+){0,3}$/, 'Enter a version such as 12.4')
  .or(z.literal(''))
  .nullish()
  .transform((v) => v || null);

/** Criteria of a target. An empty include list matches all; exclude lists take precedence over include lists. */
const settings = {
  device_connection_types: textList,
  device_max_os_version: version,
  device_min_os_version: version,
  device_models: textList,
  device_os: textList,
  device_types: textList,
  exchange_include: textList,
  exchange_exclude: textList,
  genre_include: textList,
  genre_exclude: textList,
  /** ISO 639-1 codes. */
  language_include: textList,
  language_exclude: textList,
  /** ISO 3166-1 alpha-2 codes. */
  location_include: textList,
  location_exclude: textList,
};

export const TargetSettings = z.object(settings);
export type TargetSettings = z.infer<typeof TargetSettings>;

export const TargetInput = z.object({ app_id: Uuid, name: title(), description, ...settings });
export type TargetInput = z.infer<typeof TargetInput>;

/** A partial update: absent fields stay as they are. */
export const TargetUpdate = TargetInput.partial();
export type TargetUpdate = z.infer<typeof TargetUpdate>;

export const Target = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  app: AppSummary,
  device_connection_types: z.array(z.string()),
  device_max_os_version: z.string().nullable(),
  device_min_os_version: z.string().nullable(),
  device_models: z.array(z.string()),
  device_os: z.array(z.string()),
  device_types: z.array(z.string()),
  exchange_include: z.array(z.string()),
  exchange_exclude: z.array(z.string()),
  genre_include: z.array(z.string()),
  genre_exclude: z.array(z.string()),
  language_include: z.array(z.string()),
  language_exclude: z.array(z.string()),
  location_include: z.array(z.string()),
  location_exclude: z.array(z.string()),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; ad sets with an archived target do not bid. */
  archived_at: Timestamp.nullable(),
});
export type Target = z.infer<typeof Target>;

export const targetVersion = entityVersion(Target);
