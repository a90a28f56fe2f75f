import { z } from 'zod';
import { AppSummary } from '../apps/schema.ts';
import { DraftVersion } from '../drafts/schema.ts';
import { type Flight, flightErrors } from './flight.ts';
import { campaignFields } from './fields.ts';
import { CampaignKind } from './kind.ts';
import { inputsOf } from '../lib/fields.ts';
import { Timestamp, Uuid, description, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

export const CampaignStatus = z.enum(['Active', 'Paused']);
export type CampaignStatus = z.infer<typeof CampaignStatus>;

const fields = z.object({
  name: title(),
  description,
  app_uuid: Uuid,
  ...inputsOf(campaignFields),
  adset_uuids: z
    .array(Uuid)
    .max(500)
    .nullish()
    .transform((ids) => [...new Set(ids ?? [])]),
});

/** Of an update, the fields that are absent are not known here. */
const inOrder = ({ value, issues }: { value: Partial<Flight>; issues: z.core.$ZodRawIssue[] }) => {
  for (const { field, message } of flightErrors(value))
    issues.push({ code: 'custom', path: [field], message, input: value });
};
const updatedInOrder = ({ value, issues }: { value: Partial<Flight>; issues: z.core.$ZodRawIssue[] }) => {
  const { start_date, end_date } = value;
  inOrder({ value: { start_date: start_date ?? null, end_date: end_date ?? null }, issues });
};

/** With `draft`, the campaign is created from a draft, which is used up. */
export const CampaignInput = fields
  .extend({
    kind: CampaignKind.nullish()
      .transform((kind) => kind ?? 'acquisition')
      .describe('What the campaign buys; it cannot be changed later'),
    draft: DraftVersion.nullish(),
  })
  .check(inOrder);
export type CampaignInput = z.infer<typeof CampaignInput>;

/** A partial update: absent fields stay as they are; `adset_uuids`, if present, replaces the whole list. */
export const CampaignUpdate = fields
  .partial()
  .extend({ kind: CampaignKind.optional().describe('The kind that the campaign has; another is rejected') })
  .check(updatedInOrder);
export type CampaignUpdate = z.infer<typeof CampaignUpdate>;

export const Campaign = z.object({
  uuid: Uuid,
  kind: CampaignKind,
  name: z.string(),
  description: z.string(),
  app_uuid: Uuid,
  app: AppSummary,
  start_date: campaignFields.start_date.output,
  end_date: campaignFields.end_date.output,
  start_time: campaignFields.start_time.output,
  end_time: campaignFields.end_time.output,
  frequency_caps: campaignFields.frequency_caps.output,
  status: CampaignStatus,
  start_when_approved: campaignFields.start_when_approved.output,
  adsets: z.array(z.object({ uuid: Uuid, name: z.string(), status: z.enum(['Active', 'Paused']) })),
  /**
   * The entities that cannot run until an operator has reviewed them: whether the app, and how many creatives and tracking links of the ad
   * sets. An entity that runs in an earlier, approved version does not count.
   */
  in_review: z.object({
    app: z.boolean(),
    creatives: z.number().int(),
    tracking_links: z.number().int(),
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; an archived campaign does not run. */
  archived_at: Timestamp.nullable(),
});
export type Campaign = z.infer<typeof Campaign>;

export const campaignVersion = entityVersion(Campaign, ['in_review']);
