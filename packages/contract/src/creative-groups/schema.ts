import { z } from 'zod';
import { ModerationStatus } from '../apps/schema.ts';
import { Creative } from '../creatives/schema.ts';
import { groupTextFields } from '../creatives/fields.ts';
import { inputsOf, outputsOf } from '../lib/fields.ts';
import { creativeMessages } from '../creatives/messages.ts';
import { Timestamp, Uuid, description, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

/** Rejected: its creatives were all rejected. */
export const GroupStatus = z.enum(['Moderation', 'Rejected', 'Active', 'Paused']);
export type GroupStatus = z.infer<typeof GroupStatus>;

const creativeIds = z
  .array(z.union([Uuid, z.object({ uuid: Uuid }).transform((creative) => creative.uuid)]))
  .max(200)
  .nullish()
  .transform((ids) => [...new Set(ids ?? [])]);

/** Creatives are given by uuid, or by objects with a uuid, such as the creatives in a response. */
export const CreativeGroupInput = z.object({
  name: title(creativeMessages.groupTitleTooLong),
  description,
  banner_creatives: creativeIds,
  video_creatives: creativeIds,
  native_creatives: creativeIds,
  playable_creatives: creativeIds,
  ...inputsOf(groupTextFields),
});
export type CreativeGroupInput = z.infer<typeof CreativeGroupInput>;

/** A partial update: absent fields stay as they are; `Paused` and `Active` pause and resume the group. */
export const CreativeGroupUpdate = CreativeGroupInput.extend({ status: GroupStatus }).partial();
export type CreativeGroupUpdate = z.infer<typeof CreativeGroupUpdate>;

export const CreativeGroup = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  status: GroupStatus,
  banner_creatives: z.array(Creative),
  video_creatives: z.array(Creative),
  native_creatives: z.array(Creative),
  playable_creatives: z.array(Creative),
  ...outputsOf(groupTextFields),
  /** Review status of the native texts, which are reviewed separately from the creatives. */
  texts_status: ModerationStatus,
  rejection_reason: z.string().nullable(),
  /** The texts that run while the current ones await moderation or are rejected; null if there are none. */
  approved_version: z.object(outputsOf(groupTextFields)).nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; an archived group does not run. */
  archived_at: Timestamp.nullable(),
});
export type CreativeGroup = z.infer<typeof CreativeGroup>;

export const creativeGroupVersion = entityVersion(CreativeGroup);
