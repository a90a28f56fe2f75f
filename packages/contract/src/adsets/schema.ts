import { z } from 'zod';
import { AppSummary } from '../apps/schema.ts';
import { adsetFields } from './fields.ts';
import { inputsOf, outputsOf } from '../lib/fields.ts';
import { messages } from '../text/messages.ts';
import { Timestamp, Uuid, description, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

export const AdsetStatus = z.enum(['Active', 'Paused']);
export type AdsetStatus = z.infer<typeof AdsetStatus>;

export const AdsetInput = z.object({
  name: title(),
  description,
  target_id: Uuid,
  tracking_link_id: Uuid,
  creative_group_ids: z.array(Uuid).min(1, messages.required).max(100),
  ...inputsOf(adsetFields),
  status: AdsetStatus.optional(),
});
export type AdsetInput = z.infer<typeof AdsetInput>;

/** A partial update: absent fields stay as they are. */
export const AdsetUpdate = AdsetInput.partial();
export type AdsetUpdate = z.infer<typeof AdsetUpdate>;

export const Adset = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  status: AdsetStatus,
  campaign: z.object({ uuid: Uuid, name: z.string() }).nullable(),
  target: z.object({ uuid: Uuid, name: z.string(), app: AppSummary }),
  tracking_link: z.object({ uuid: Uuid, name: z.string() }),
  creative_groups: z.array(z.object({ uuid: Uuid, name: z.string() })),
  ...outputsOf(adsetFields),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; an archived ad set does not bid. */
  archived_at: Timestamp.nullable(),
});
export type Adset = z.infer<typeof Adset>;

export const adsetVersion = entityVersion(Adset);

/** An ad set with the numbers of its bundles in place of the lists, which may be long. */
export const AdsetSummary = Adset.omit({
  black_list_bundles: true,
  white_list_bundles: true,
  bundle_bids: true,
}).extend({
  bundle_counts: z.object({
    black_list: z.number().int(),
    white_list: z.number().int(),
    bids: z.number().int(),
  }),
});
export type AdsetSummary = z.infer<typeof AdsetSummary>;

/** GET /adset: the ad sets of one campaign, or all of the company. */
export const AdsetListQuery = z.object({ campaign_id: Uuid.optional() });
export type AdsetListQuery = z.infer<typeof AdsetListQuery>;
