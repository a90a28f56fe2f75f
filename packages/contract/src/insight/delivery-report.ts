import { z } from 'zod';
import { WITHHELD_REASONS } from './device-ids.ts';
import { Estimate } from './estimate.ts';
import { FUNNEL_EXITS, FUNNEL_STEPS } from './funnel.ts';
import { GoalLearning } from './goal-learning.ts';
import { PROFILE_SLUGS } from '../operator/exchange-rules.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';

const Exit = z.object({ exit: z.enum(FUNNEL_EXITS), requests: Estimate });

const Step = z.object({
  step: z.enum(FUNNEL_STEPS.map(({ step }) => step)),
  /** Requests that reached this step: the requests of the step before minus its exits. */
  requests: Estimate,
  /** Why requests did not reach it, the most frequent reason first. */
  exits: z.array(Exit),
});
export type DeliveryStep = z.infer<typeof Step>;

/** Prices at which lost bids would have won, as the advertiser is charged. */
const MinToWin = z.object({
  /** Losses whose exchange reported the price. */
  losses: z.number(),
  /** Half of these would have won at this price, in dollars per thousand impressions. */
  median_cpm: z.number(),
  /** Four of five would have. */
  p80_cpm: z.number(),
  /** The value of these bids' impressions to the ad set; null if it is not known, as for bids of earlier releases. */
  value: z
    .object({
      /** Losses whose value is known. */
      losses: z.number(),
      /** Half of them were worth at most this, in dollars per thousand impressions. */
      median_cpm: z.number(),
      /** Half would have won if they had been worth this many times as much to the ad set. */
      median_factor: z.number(),
      /** Four of five would have. */
      p80_factor: z.number(),
    })
    .nullable(),
});
export type MinToWin = z.infer<typeof MinToWin>;

const LossesByCode = z.object({
  /** A code of OpenRTB, or of `profile`; 1000 stands for all other codes that exchanges define, 999 for all others. */
  code: z.number(),
  /** The profile of the exchanges that give the code this meaning; null where it has the meaning of OpenRTB. */
  profile: z.enum(PROFILE_SLUGS).nullable(),
  losses: z.number(),
  /** Null where the exchanges reported no price. */
  min_to_win: MinToWin.nullable(),
});
export type LossesByCode = z.infer<typeof LossesByCode>;

const counts = {
  /** Bids that were sent, all counted. */
  bids: z.number(),
  wins: z.number(),
  losses: z.number(),
  /** Losses by the code of the exchange (OpenRTB 2.6, loss reason codes), the most frequent first. */
  losses_by_code: z.array(LossesByCode),
  impressions: z.number(),
  clicks: z.number(),
  /** Of acquisition campaigns. */
  installs: z.number(),
  /** Returns of people who have the app; present if re-engagement campaigns are counted. */
  reattributions: z.number().optional(),
  /** Dollars. */
  spend: z.number(),
};

export const DeliveryFunnel = z.object({
  /** Bid requests that all exchanges sent while the ad set was active. */
  seen: Estimate,
  /** Requests that were explained. */
  samples: z.number(),
  steps: z.array(Step),
  /** What the requests that the target matches have of an advertising id; null where none were counted. */
  device_ids: z
    .object({
      usable: Estimate,
      absent: Estimate,
      /** Ids that may not be used, by the first signal that forbids it, the most frequent first. */
      withheld: z.array(z.object({ reason: z.enum(WITHHELD_REASONS), requests: Estimate })),
    })
    .nullable(),
  ...counts,
});
export type DeliveryFunnel = z.infer<typeof DeliveryFunnel>;

const AdsetDelivery = DeliveryFunnel.extend({
  uuid: Uuid,
  name: z.string(),
  /** Ad sets of the same company that bid in place of this one, the most frequent first. */
  outbid_by: z.array(z.object({ uuid: Uuid, name: z.string(), requests: Estimate })),
  /** Its creatives whose bids were too long for exchanges since yesterday, with the names of these exchanges. */
  too_large: z.array(z.object({ creative_uuid: Uuid, name: z.string(), exchanges: z.array(z.string()) })),
  /** Null for the other bid strategies. */
  learning: GoalLearning.nullable(),
});
export type AdsetDelivery = z.infer<typeof AdsetDelivery>;

/** How the bid requests of a range became impressions of a campaign, and where they were lost. */
export const DeliveryReport = z.object({
  total: DeliveryFunnel,
  adsets: z.array(AdsetDelivery),
});
export type DeliveryReport = z.infer<typeof DeliveryReport>;

/** GET /campaign/{uuid}/delivery/request; without `adset_uuid` for any ad set of the campaign. */
export const LostRequestQuery = z.object({ exit: z.enum(FUNNEL_EXITS), adset_uuid: Uuid.optional() });
export type LostRequestQuery = z.infer<typeof LostRequestQuery>;

/**
 * A sampled bid request (OpenRTB): fields that describe the placement, the app and the device, without personal data, deals,
 * seats and extensions of the exchange.
 */
export const LostRequest = z.object({
  /** Slug of the exchange. */
  exchange: z.string(),
  received_at: Timestamp,
  request: z.record(z.string(), z.unknown()),
});
export type LostRequest = z.infer<typeof LostRequest>;
