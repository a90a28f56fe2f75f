import { z } from 'zod';
import { AppSummary } from '../apps/schema.ts';
import { ProductPageId, SkOverlay, SkOverlayInput } from './app-store.ts';
import { bundleError, normaliseBundle } from './bundles.ts';
import { ADSET_AMOUNTS } from './amounts.ts';
import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';
import { messages } from '../text/messages.ts';
import { isVisibleName } from '../lib/visible-name.ts';
import { Timestamp, Uuid, description, optionalDollars, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

/** Bidding algorithms of an ad set, described in docs/delivery.md. */
export const ALGORITHMS = ['Manual CPM', 'Target CPI', 'Max installs', 'Target CPA', 'Target ROAS'] as const;
export const Algorithm = z.enum(ALGORITHMS, messages.required);
export type Algorithm = z.infer<typeof Algorithm>;

/** Whether an algorithm buys what people do after the install, rather than installs. */
export const isOfValue = (algorithm: Algorithm | null): boolean =>
  algorithm === 'Target CPA' || algorithm === 'Target ROAS';

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
  .min(ADSET_AMOUNTS.bet_cpm.min, messages.required)
  .max(ADSET_AMOUNTS.bet_cpm.max, `At most ${ADSET_AMOUNTS.bet_cpm.max}`);

/** Windows in which events and revenue of an install count: day 0 (24 hours), or the days 0 to 7 (192 hours). */
export const GOAL_WINDOWS = [0, 7] as const;
export const GoalWindow = z.union([z.literal(0), z.literal(7)], { error: 'Choose 0 or 7 days' });
export type GoalWindow = z.infer<typeof GoalWindow>;

/** A goal of one country: dollars per person with the event for Target CPA, percent for Target ROAS. */
export const CountryGoal = z.object({
  /** ISO 3166-1, two letters. */
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'Countries are two letters (ISO 3166-1)'),
  value: z
    .number('Enter a number')
    .min(limits.amountMinDollars, messages.belowCent)
    .max(limits.cpiMaxDollars, `At most ${numberText(limits.cpiMaxDollars)}`),
});
export type CountryGoal = z.infer<typeof CountryGoal>;

/** An optional amount within the bounds of its field. */
function optionalAmount(field: 'bet_cpi' | 'cpa' | 'daily_budget_const' | 'all_budget_const') {
  const { max } = ADSET_AMOUNTS[field];
  return optionalDollars.refine(
    (dollars) => dollars === null || dollars <= max,
    `At most $${numberText(max)}`,
  );
}

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
  bet_cpi: optionalAmount('bet_cpi'),
  /** Name of the in-app event that Target CPA buys, as postbacks name it; null or empty is none. */
  goal_event: z
    .string()
    .trim()
    .max(limits.goalEventMax, `At most ${limits.goalEventMax} characters`)
    .refine(isVisibleName, messages.nameHidden)
    .nullish()
    .transform((name) => name || null),
  /** Target cost per person with the goal event, in dollars. */
  cpa: optionalAmount('cpa'),
  /** Target revenue in percent of the spend. */
  roas: z
    .number('Enter a number')
    .min(limits.roasMin, messages.roasRange)
    .max(limits.roasMax, messages.roasRange)
    .nullish()
    .transform((percent) => percent ?? null),
  /** Days after the install of which events and revenue count; 7 by default. */
  goal_window: GoalWindow.nullish().transform((days): GoalWindow => days ?? 7),
  /** Goals of single countries in place of `cpa` or `roas`. */
  goals_by_country: z
    .array(CountryGoal)
    .max(limits.countryGoalsMax, `At most ${limits.countryGoalsMax} countries`)
    .refine(
      (goals) => new Set(goals.map(({ country }) => country)).size === goals.length,
      'Enter each country once',
    )
    .nullish()
    .transform((goals) => goals ?? []),
  product_page_id: ProductPageId,
  /** SKOverlay of an app of the App Store; null shows none. */
  overlay: SkOverlayInput.nullish().transform((overlay) => overlay ?? null),
  /** Daily budget in dollars, by days of the company's time zone; null or 0 is unlimited. */
  daily_budget_const: optionalAmount('daily_budget_const'),
  /** Total budget in dollars; null or 0 is unlimited. */
  all_budget_const: optionalAmount('all_budget_const'),
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
  goal_event: z.string().nullable(),
  cpa: z.number().nullable(),
  roas: z.number().nullable(),
  goal_window: GoalWindow,
  goals_by_country: z.array(CountryGoal),
  product_page_id: z.guid().nullable(),
  overlay: SkOverlay.nullable(),
  daily_budget_const: z.number().nullable(),
  all_budget_const: z.number().nullable(),
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
