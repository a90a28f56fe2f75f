import { useMemo } from 'react';
import { type Figures, combinedFigures, unknownOf, useFigures } from '../../../lib/figures.ts';
import { adsetsQuery } from '../../../entities/campaigns/adset-queries.ts';
import { expandedQuery, levelQuery } from '../../../entities/reports/queries.ts';
import { campaignsQuery } from '../../../entities/campaigns/queries.ts';
import { creativeGroupsQuery } from '../../../entities/creative-groups/queries.ts';
import { useChosenMetrics } from '../../../entities/reports/chosen-metrics.ts';
import { tableNames } from './table-names.ts';
import { campaignTree } from './tree-rows.ts';

interface Range {
  start: string;
  end: string;
}

const campaignLevel = ['campaign'] as const;
const none: never[] = [];

/**
 * The campaigns with their ad sets, creatives and metrics in the range, undefined while loading, and what is known of
 * their figures. Metrics below campaigns are fetched only for expanded rows, whose ids are in `opened`.
 */
export function useCampaignTree(range: Range, opened: readonly string[]) {
  const campaignList = useFigures(campaignsQuery);
  const adsetList = useFigures(adsetsQuery);
  const metrics = useChosenMetrics(tableNames.campaign);
  const top = useFigures(levelQuery(range, campaignLevel, {}, { metrics }));
  const campaigns = campaignList.data;
  const adsets = adsetList.data;
  const openCampaigns = (campaigns ?? none).flatMap(({ uuid }) => (opened.includes(uuid) ? [uuid] : []));
  const below = useFigures({
    ...expandedQuery(range, openCampaigns, metrics),
    enabled: openCampaigns.length > 0,
  });
  const groupList = useFigures({ ...creativeGroupsQuery, enabled: opened.length > 0 });
  const groups = groupList.data ?? none;
  const report = top.data?.rows ?? unknownOf(top);
  const deepReport = below.data ?? unknownOf(below);
  const tree = useMemo(
    () => campaigns && adsets && campaignTree({ campaigns, adsets, groups, report, deepReport }),
    [campaigns, adsets, groups, report, deepReport],
  );
  const isExpanded = openCampaigns.length > 0;
  return {
    tree,
    figures: combinedFigures(
      campaignList,
      adsetList,
      top,
      ...(isExpanded ? [ofRange(below, range), groupList] : []),
    ),
  };
}

/** Once one more campaign is expanded, the figures of the others are still those of the range. */
function ofRange<Data extends { range: Range }>(
  figures: Figures<Data>,
  { start, end }: Range,
): Figures<Data> {
  const { data, state } = figures;
  const isSame = data?.range.start === start && data.range.end === end;
  return state === 'stale' && isSame ? { ...figures, state: 'current' } : figures;
}
