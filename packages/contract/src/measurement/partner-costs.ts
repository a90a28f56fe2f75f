import { z } from 'zod';
import { Mmp } from '../apps/fields.ts';
import { entityVersion } from '../lib/version.ts';
import { CalendarDate, Timestamp, Uuid, requiredText } from '../lib/wire.ts';
import { campaignMessages } from '../campaigns/messages.ts';
import { partnerCostMessages } from './messages.ts';

/** Days of costs that are sent again and again: spend may still change. Today is one of them. */
export const COST_DAYS = 7;
/** Uploads in the log of a partner, at most. */
export const COST_UPLOADS_LISTED = 100;
/** Sends that a company may start a minute. */
export const COST_SENDS_PER_MINUTE = 5;

/** States of an upload: it waits for its first or next try; the partner has it and has not said what it made of it; accepted; refused. */
export const COST_UPLOAD_STATUSES = ['waiting', 'sent', 'accepted', 'refused'] as const;
export type CostUploadStatus = (typeof COST_UPLOAD_STATUSES)[number];

/** How a company sends costs to a measurement partner. */
export const PartnerCosts = z.object({
  mmp: Mmp,
  is_enabled: z.boolean(),
  /** The name of this ad network at the partner, such as `bidwell_int`. */
  media_source: z.string(),
  /** Whether a token is stored; its text is never returned. */
  has_token: z.boolean(),
  /** When the partner last accepted costs; null for never. */
  accepted_at: Timestamp.nullable(),
  /** When costs are sent next; null while they are switched off. */
  next_at: Timestamp.nullable(),
  /** Why the last round sent nothing, in the words of the partner where it has some; null if it sent. */
  error: z.string().nullable(),
  /** Apps for which the partner takes costs, as it said in the last round; null before that. */
  apps: z.number().int().nullable(),
  /** Apps of the company with this partner. */
  apps_here: z.number().int(),
  /** Tracking links with this partner, and how many of them pass the ids by which it matches costs. */
  links: z.number().int(),
  links_with_ids: z.number().int(),
});
export type PartnerCosts = z.infer<typeof PartnerCosts>;

export const partnerCostsVersion = entityVersion(PartnerCosts, [
  'accepted_at',
  'next_at',
  'error',
  'apps',
  'apps_here',
  'links',
  'links_with_ids',
]);

/** PUT /partner-costs/{mmp}. Without a token the stored one stays. */
export const PartnerCostsInput = z.object({
  is_enabled: z.boolean(),
  media_source: requiredText(50).regex(/^[\w.-]+$/, partnerCostMessages.mediaSource),
  token: requiredText(4000)
    .regex(/^[\x21-\x7e]+$/, partnerCostMessages.token)
    .optional(),
});
export type PartnerCostsInput = z.infer<typeof PartnerCostsInput>;

/** One upload: the costs of an app on a day. */
export const CostUpload = z.object({
  uuid: Uuid,
  app: z.object({ uuid: Uuid, name: z.string() }),
  day: CalendarDate,
  time_zone: z.string(),
  status: z.enum(COST_UPLOAD_STATUSES),
  rows: z.number().int(),
  /** Dollars of the day here. */
  spend: z.number(),
  /** Dollars that were sent: the same, in the decimal places that the partner takes. */
  sent: z.number(),
  /** Percent of the rows that the partner matched with its campaigns; null where it did not say. */
  matched_percent: z.number().nullable(),
  /** Why it was refused or waits, in the partner’s words where it has some; null otherwise. */
  error: z.string().nullable(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
});
export type CostUpload = z.infer<typeof CostUpload>;

/** GET /analytics/costs: days in the company’s time zone, at most a month. */
export const COST_REPORT_DAYS_MAX = 31;
export const CostReportQuery = z
  .object({ start_date: CalendarDate, end_date: CalendarDate })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ['end_date'],
    message: campaignMessages.endBeforeStart,
  })
  .refine(
    ({ start_date, end_date }) =>
      Date.parse(end_date) - Date.parse(start_date) < COST_REPORT_DAYS_MAX * 86_400_000,
    { path: ['end_date'], message: partnerCostMessages.days(COST_REPORT_DAYS_MAX) },
  );
export type CostReportQuery = z.infer<typeof CostReportQuery>;

/** Costs of one day by app, campaign, ad set, creative, country and publisher. Names are as measurement partners use them. */
const CostRow = z.object({
  date: CalendarDate,
  app: z.string(),
  /** The id of the app in its store. */
  site_public_id: z.string(),
  os: z.string(),
  campaign_id: z.string(),
  campaign_name: z.string(),
  sub_campaign_id: z.string(),
  sub_campaign_name: z.string(),
  creative_id: z.string(),
  creative_name: z.string(),
  country: z.string(),
  publisher_site_id: z.string(),
  impressions: z.number().int(),
  clicks: z.number().int(),
  installs: z.number().int(),
  cost: z.number(),
  currency: z.literal('USD'),
});
export type CostRow = z.infer<typeof CostRow>;

export const CostReport = z.object({
  time_zone: z.string(),
  /** The sum of all rows, in dollars. */
  total_cost: z.number(),
  rows: z.array(CostRow),
});
export type CostReport = z.infer<typeof CostReport>;
