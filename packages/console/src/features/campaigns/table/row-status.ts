import type { TreeRow } from './tree-rows.ts';

/** The status of an ad set that is Active itself and whose campaign is not. */
export const CAMPAIGN_PAUSED = 'Campaign paused';

/** The status of a campaign, an ad set or a creative, as delivery takes it: an ad set of a paused campaign does not bid. Pure. */
export function statusOf(row: TreeRow): string | null {
  if (row.kind === 'campaign') return row.campaign.status;
  if (row.kind === 'creative') return row.creative?.status ?? null;
  if (row.kind !== 'adset' || !row.adset) return null;
  const isPaused = row.campaign !== undefined && row.campaign.status !== 'Active';
  return isPaused && row.adset.status === 'Active' ? CAMPAIGN_PAUSED : row.adset.status;
}
