import { z } from 'zod';
import { AppSummary } from '../apps/schema.ts';
import { bundleError, normaliseBundle } from './bundles.ts';
import { limits } from '../lib/limits.ts';
import { messages } from '../text/messages.ts';
import { Timestamp, Uuid, description, optionalDollars, title } from '../lib/wire.ts';

/** Bidding algorithms of an ad set, described in docs/delivery.md. */
export const ALGORITHMS = ['Manual CPM', 'Target CPI', 'Max installs'] as const;
export const Algorithm = z.enum(ALGORITHMS, messages.required);
export type Algorithm = z.infer<typeof Algorithm>;

export const AdsetStatus = z.enum(['Active', 'Paused']);
export type AdsetStatus = z.infer<typeof AdsetStatus>;

/** An app bundle as ad sets store it. */
export const BundleId = z
  .string()
  .transform(normaliseBundle)
  .pipe(
    z.string().check(({ value, issues }) => {
      const message = bundleError(value);
      if (message) issues.push({ code: 'custom', message, input: value });
    }),
  );

const bundleList = z
  .array(BundleId)
  .max(limits.bundleListMax)
  .nullish()
  .transform((bundles) => [...new Set(bundles ?? [])]);

/** A CPM in dollars. */
export const Cpm = z
  .number(messages.required)
  .min(limits.cpmMinDollars, messages.required)
  .max(limits.cpmMaxDollars, `At most ${limits.cpmMaxDollars}`);

export const AdsetInput = z.object({
  name: title(),
  description,
  target_id: Uuid,
  tracking_link_id: Uuid,
  creative_group_ids: z.array(Uuid, messages.required).min(1, messages.required).max(100),
  black_list_bundles: bundleList,
  white_list_bundles: bundleList,
  /** Highest CPM in dollars by publisher bundle, used instead of bet_cpm. */
  bundle_bids: z
    .record(BundleId, Cpm)
    .refine(
      (bids) => Object.keys(bids).length <= limits.bundleListMax,
      `At most ${limits.bundleListMax} bundles`,
    )
    .nullish()
    .transform((bids) => bids ?? {}),
  algo: Algorithm,
  /** Highest price, in dollars per thousand impressions. */
  bet_cpm: Cpm,
  /** Target cost per install, in dollars. */
  bet_cpi: optionalDollars.refine(
    (dollars) => dollars === null || dollars <= limits.cpiMaxDollars,
    `At most $${limits.cpiMaxDollars.toLocaleString('en-US')}`,
  ),
  /** Daily budget in dollars, by days of the company's time zone; null or 0 is unlimited. */
  daily_budget_const: optionalDollars,
  /** Total budget in dollars; null or 0 is unlimited. */
  all_budget_const: optionalDollars,
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
  black_list_bundles: z.array(z.string()),
  white_list_bundles: z.array(z.string()),
  bundle_bids: z.record(z.string(), z.number()),
  algo: Algorithm,
  bet_cpm: z.number(),
  bet_cpi: z.number().nullable(),
  daily_budget_const: z.number().nullable(),
  all_budget_const: z.number().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; an archived ad set does not bid. */
  archived_at: Timestamp.nullable(),
});
export type Adset = z.infer<typeof Adset>;

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
