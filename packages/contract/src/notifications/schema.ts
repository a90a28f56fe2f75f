import { z } from 'zod';
import { limits } from '../lib/limits.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';
import { NOTIFICATION_SEVERITIES } from './severity.ts';

export const Notification = z.object({
  uuid: Uuid,
  kind: z.string(),
  title: z.string(),
  text: z.string(),
  severity: z.enum(NOTIFICATION_SEVERITIES),
  entity_type: z.string().nullable(),
  entity_uuid: Uuid.nullable(),
  /** True for a notification to the caller alone, false for one to the whole company. */
  is_own: z.boolean(),
  read: z.boolean(),
  created_at: Timestamp,
});
export type Notification = z.infer<typeof Notification>;

/** PATCH /notifications */
export const MarkRead = z.object({ ids: z.array(Uuid).min(1).max(limits.listMax) });
export type MarkRead = z.infer<typeof MarkRead>;
