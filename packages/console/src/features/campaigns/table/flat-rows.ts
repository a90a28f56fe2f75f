import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { DefaultRow } from '@bidwell/contract/reports/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { Creative } from '@bidwell/contract/creatives/schema';
import type { TreeRow } from './tree-rows.ts';
import type { Unknown } from '../../../lib/loadable.ts';
import { byValue, metricsIn } from '../../../entities/reports/row-metrics.ts';

/** A row for each ad set of the company, with its metrics in all campaigns that it was part of. */
export function adsetList(
  adsets: readonly AdsetSummary[],
  campaigns: readonly Campaign[],
  report: readonly DefaultRow[] | Unknown,
): TreeRow[] {
  const metrics = byValue(report);
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.uuid, campaign]));
  return adsets.map((adset) => ({
    kind: 'adset',
    id: adset.uuid,
    uuid: adset.uuid,
    name: adset.name,
    adset,
    campaign: adset.campaign ? campaignOf.get(adset.campaign.uuid) : undefined,
    metrics: metricsIn(metrics, adset.uuid),
  }));
}

/** A row for each creative of the company, with its metrics in all ad sets. */
export function creativeList(
  creatives: readonly Creative[],
  report: readonly DefaultRow[] | Unknown,
): TreeRow[] {
  const metrics = byValue(report);
  return creatives.map((creative) => ({
    kind: 'creative',
    id: creative.uuid,
    name: creative.internal_creative.name,
    creative,
    metrics: metricsIn(metrics, creative.uuid),
  }));
}
