import { z } from 'zod';
import { DeliveryFunnel } from './delivery-report.ts';
import { Finding } from './finding.ts';
import { Uuid } from '../lib/wire.ts';

/** GET /delivery: how the bid requests of a range became impressions of all campaigns, and where they were lost. */
export const CompanyDelivery = z.object({
  /** The sum over the ad sets of all campaigns, deleted ones included. */
  total: DeliveryFunnel,
  /** The newest campaigns that are not archived, those with the highest spend first. */
  campaigns: z.array(DeliveryFunnel.extend({ uuid: Uuid, name: z.string() })),
});
export type CompanyDelivery = z.infer<typeof CompanyDelivery>;

export const RankedFinding = Finding.extend({
  /** Null for a finding about all campaigns, and for a sentence on signing about several. */
  campaign: z.object({ uuid: Uuid, name: z.string() }).nullable(),
});
export type RankedFinding = z.infer<typeof RankedFinding>;

/** GET /findings/ranked: the limits of the active campaigns, the most expensive first. */
export const RankedFindings = z.object({
  findings: z.array(RankedFinding),
  /** All of them. */
  total: z.number().int(),
});
export type RankedFindings = z.infer<typeof RankedFindings>;
