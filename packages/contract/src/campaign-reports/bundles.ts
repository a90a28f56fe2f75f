import { z } from 'zod';
import { BundleId, Cpm } from '../adsets/fields.ts';
import { BundleRow } from '../reports/schema.ts';
import { Rate } from '../lib/rate.ts';
import { Uuid } from '../lib/wire.ts';

/** Most bundles of a report; the others are summed. */
export const BUNDLES_MAX = 500;

/**
 * State of the supply chains (OpenRTB 2.6, 3.2.2) of a publisher's bid requests at an exchange: `complete` if all named
 * every seller, `incomplete` if one did not, `absent` if one had no chain.
 */
export const CHAIN_STATES = ['complete', 'incomplete', 'absent'] as const;
export type ChainState = (typeof CHAIN_STATES)[number];

/**
 * The entry of a seller in the app-ads.txt file of the app's developer (IAB Tech Lab): `listed` if it may sell the app's ad space,
 * `not_listed` if not, `no_file` if the developer has no such file.
 */
export const APP_ADS_STATES = ['listed', 'not_listed', 'no_file'] as const;
export type AppAdsState = (typeof APP_ADS_STATES)[number];

/** Data on a publisher's app from bid requests and its page in the app store. */
const PublisherApp = z.object({
  /** Name of the app; null where neither says it. */
  name: z.string().nullable(),
  /** Name of the publisher. */
  publisher: z.string().nullable(),
  store_link: z.string().nullable(),
  icon_link: z.string().nullable(),
  /** By exchange, in the last day on which bids were sent there. */
  supply_chains: z.array(
    z.object({
      exchange: z.string(),
      chain: z.enum(CHAIN_STATES),
      /** Who sells it to the exchange: domain and id of the last seller of the chain; null without a chain. */
      seller: z.object({ domain: z.string(), id: z.string() }).nullable(),
      /** Null where it is not known. */
      app_ads: z.enum(APP_ADS_STATES).nullable(),
    }),
  ),
});
export type PublisherApp = z.infer<typeof PublisherApp>;

const CampaignBundle = BundleRow.extend({
  ...PublisherApp.shape,
  /** Percent of the campaign's spend; null without spend. */
  share: z.number().nullable(),
  /** Installs per thousand impressions, with the interval that has the true rate in 95 of 100 cases. */
  ipm_rate: Rate.nullable(),
  /** Dollars by ad set that spent there, the highest first. */
  adsets: z.array(z.object({ uuid: Uuid, spends: z.number() })),
});
export type CampaignBundle = z.infer<typeof CampaignBundle>;

const Metrics = BundleRow.omit({ bundle: true });

/** GET /campaign/{uuid}/bundles: on which publishers' apps a campaign spent in a range of days, the highest spend first. */
export const CampaignBundles = z.object({
  rows: z.array(CampaignBundle),
  total: Metrics,
  /** Sum of the bundles beyond the first {@link BUNDLES_MAX}; null if there are none. */
  other: Metrics.nullable(),
});
export type CampaignBundles = z.infer<typeof CampaignBundles>;

/** PUT /campaign/{uuid}/bundle: the settings of a campaign's ad sets for a publisher's app. Absent fields stay as they are. */
export const BundleChange = z.object({
  bundle: BundleId,
  adsets: z
    .array(
      z.object({
        uuid: Uuid,
        /** Whether the bundle is on the ad set's blocklist. */
        blocked: z.boolean().optional(),
        /** Highest CPM there in dollars, in place of the ad set's; null for the ad set's. */
        bid_cpm: Cpm.nullable().optional(),
      }),
    )
    .min(1)
    .max(500),
});
export type BundleChange = z.infer<typeof BundleChange>;
