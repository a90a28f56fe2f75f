import { z } from 'zod';
import { AppSummary, ModerationStatus } from '../apps/schema.ts';
import { linkFields } from './fields.ts';
import { inputsOf, outputsOf } from '../lib/fields.ts';
import { Timestamp, Uuid, description, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

export const TrackingLinkInput = z.object({
  app_id: Uuid,
  name: title(),
  description,
  ...inputsOf(linkFields),
});
export type TrackingLinkInput = z.infer<typeof TrackingLinkInput>;

/** A partial update: absent fields stay as they are. */
export const TrackingLinkUpdate = TrackingLinkInput.partial();
export type TrackingLinkUpdate = z.infer<typeof TrackingLinkUpdate>;

export const TrackingLink = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  app: AppSummary,
  app_id: Uuid,
  ...outputsOf(linkFields),
  /** Review status of the click destination. */
  status: ModerationStatus,
  rejection_reason: z.string().nullable(),
  /** The click destination in use while the current one awaits moderation or is rejected; null if there is none. */
  approved_version: z.object({ click_url: z.string() }).nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; ad sets with an archived tracking link do not bid. */
  archived_at: Timestamp.nullable(),
});
export type TrackingLink = z.infer<typeof TrackingLink>;

export const trackingLinkVersion = entityVersion(TrackingLink);
