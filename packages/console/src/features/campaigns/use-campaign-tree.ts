import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { adsetsQuery } from '../../lib/queries/adsets.ts';
import { levelQuery } from '../../lib/queries/analytics.ts';
import { campaignsQuery } from '../../lib/queries/campaigns.ts';
import { creativeGroupsQuery } from '../../lib/queries/creative-groups.ts';
import { campaignTree } from './tree-rows.ts';

const campaignLevel = ['campaign'] as const;
const allLevels = ['campaign', 'adset', 'creative'] as const;
const none: never[] = [];

/**
 * The campaigns with their ad sets, creatives and metrics in the range; undefined while loading. Metrics below
 * campaigns are fetched only for expanded rows, whose ids are in `opened`.
 */
export function useCampaignTree(range: { start: string; end: string }, opened: readonly string[]) {
  const { data: campaigns } = useQuery(campaignsQuery);
  const { data: adsets = none } = useQuery(adsetsQuery);
  const { data: report } = useQuery(levelQuery(range, campaignLevel));
  const openCampaigns = (campaigns ?? none).flatMap(({ uuid }) => (opened.includes(uuid) ? [uuid] : []));
  const { data: deepReport } = useQuery({
    ...levelQuery(range, allLevels, { campaign: openCampaigns.join(',') }),
    enabled: openCampaigns.length > 0,
  });
  const { data: groups = none } = useQuery({ ...creativeGroupsQuery, enabled: opened.length > 0 });
  return useMemo(
    () =>
      campaigns &&
      campaignTree({
        campaigns,
        adsets,
        groups,
        report: report?.rows ?? none,
        deepReport: deepReport?.rows ?? none,
      }),
    [campaigns, adsets, groups, report, deepReport],
  );
}
