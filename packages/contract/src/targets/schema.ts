import { z } from 'zod';
import { AppSummary } from '../apps/schema.ts';
import { targetFields } from './fields.ts';
import { inputsOf, outputsOf } from '../lib/fields.ts';
import { Timestamp, Uuid, description, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

export const TargetSettings = z.object(inputsOf(targetFields));
export type TargetSettings = z.infer<typeof TargetSettings>;

/** The settings of a target without criteria, which targets that an earlier release stored have for later fields. */
export const emptyTargetSettings: TargetSettings = TargetSettings.parse({});

export const TargetInput = z.object({ app_id: Uuid, name: title(), description, ...inputsOf(targetFields) });
export type TargetInput = z.infer<typeof TargetInput>;

/** A partial update: absent fields stay as they are. */
export const TargetUpdate = TargetInput.partial();
export type TargetUpdate = z.infer<typeof TargetUpdate>;

export const Target = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  app: AppSummary,
  ...outputsOf(targetFields),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; ad sets with an archived target do not bid. */
  archived_at: Timestamp.nullable(),
});
export type Target = z.infer<typeof Target>;

export const targetVersion = entityVersion(Target);
