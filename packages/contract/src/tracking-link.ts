import { z } from 'zod';
import { AppSummary, ModerationStatus } from './app.ts';
import { HttpUrl, Timestamp, Uuid, description, title } from './wire.ts';

export const TrackingLinkInput = z.object({
  app_id: Uuid,
  name: title(),
  description,
  click_url: HttpUrl,
  view_url: HttpUrl,
});
export type TrackingLinkInput = z.infer<typeof TrackingLinkInput>;

/** An update names only what changes. */
export const TrackingLinkUpdate = TrackingLinkInput.partial();
export type TrackingLinkUpdate = z.infer<typeof TrackingLinkUpdate>;

export const TrackingLink = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  app: AppSummary,
  app_id: Uuid,
  click_url: z.string(),
  view_url: z.string(),
  /** Of the destination of clicks. */
  status: ModerationStatus,
  rejection_reason: z.string().nullable(),
  /** The destination of clicks while the one that is read here waits for its decision, or was rejected. */
  approved_version: z.object({ click_url: z.string() }).nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null while it is not archived; what is archived does not run. */
  archived_at: Timestamp.nullable(),
});
export type TrackingLink = z.infer<typeof TrackingLink>;
