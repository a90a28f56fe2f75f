import { z } from 'zod';
import { Uuid } from '../lib/wire.ts';

/** Longest range of a report of reach, in days. */
export const REACH_DAYS_MAX = 90;

/** Impressions to one person, from which the groups of people begin; each ends before the next one. */
export const REACH_GROUPS = [1, 2, 3, 4, 6, 11] as const;

const reach = {
  /** People who saw an ad. */
  people: z.number(),
  /** Impressions to them that were charged. */
  impressions: z.number(),
  /** Impressions per person; null where no one was reached. */
  frequency: z.number().nullable(),
  /** People by how often they saw an ad: from `from` to `to` impressions, null for any number. */
  distribution: z.array(
    z.object({ from: z.number().int(), to: z.number().int().nullable(), people: z.number() }),
  ),
  /** Dollars of the events that partners sent in the range, from the sources that the app counts; null, as in reports, where amounts were sent and none is known. */
  revenue: z.number().nullable(),
  /** Dollars per person reached; null where the revenue is not known, and where no one was reached or not everyone is known. */
  revenue_per_person: z.number().nullable(),
};

const Reach = z.object(reach);
export type Reach = z.infer<typeof Reach>;
const AdsetReach = z.object({ uuid: Uuid, name: z.string(), ...reach });
export type AdsetReach = z.infer<typeof AdsetReach>;

/** GET /campaign/{uuid}/reach: how many people saw the ads of a campaign, and how often. */
export const CampaignReach = z.object({
  /** A person who saw ads of several ad sets counts once. */
  total: Reach,
  /** Of ad sets with people, the most people first. */
  adsets: z.array(AdsetReach),
  /** Charged impressions of which the person is not known: of ad sets without frequency caps, and to people without an id. */
  unknown_impressions: z.number(),
  /** What a re-engagement campaign brought back in the range; absent for the other kind. */
  re_engagement: z.object({ reattributions: z.number() }).optional(),
  /** The figures are of one person in this many; 1 where all were counted. */
  one_in: z.number().int(),
});
export type CampaignReach = z.infer<typeof CampaignReach>;
