import { useMemo } from 'react';
import {
  type Loadable,
  combined,
  dataOrUnknown,
  knownData,
  mapped,
  useLoadable,
} from '../../../lib/loadable.ts';
import { adsetsQuery } from '../../../entities/campaigns/adset-queries.ts';
import { expandedQuery, levelQuery } from '../../../entities/reports/queries.ts';
import { campaignsQuery } from '../../../entities/campaigns/queries.ts';
import { creativeGroupsQuery } from '../../../entities/creative-groups/queries.ts';
import { useChosenMetrics } from '../../../entities/reports/chosen-metrics.ts';
import { useRevenueMetrics } from '../../../entities/reports/revenue-metrics.ts';
import { tableNames } from './table-names.ts';
import { campaignTree } from './tree-rows.ts';

interface Range {
  start: string;
  end: string;
}

const campaignLevel = ['campaign'] as const;
const none: never[] = [];

/**
 * The campaigns with their ad sets, creatives and metrics in the range, undefined while loading, and the load state
 * of their figures. Metrics below campaigns are fetched only for expanded rows, whose ids are in `opened`.
 */
export function useCampaignTree(range: Range, opened: readonly string[]) {
  const campaignList = useLoadable(campaignsQuery);
  const adsetList = useLoadable(adsetsQuery);
  const metrics = useChosenMetrics(tableNames.campaign, useRevenueMetrics());
  const top = useLoadable(levelQuery(range, campaignLevel, {}, { metrics }));
  const campaigns = knownData(campaignList);
  const adsets = knownData(adsetList);
  const openCampaigns = campaigns
    ? campaigns.flatMap(({ uuid }) => (opened.includes(uuid) ? [uuid] : []))
    : none;
  const below = useLoadable({
    ...expandedQuery(range, openCampaigns, metrics),
    enabled: openCampaigns.length > 0,
  });
  const groupList = useLoadable({ ...creativeGroupsQuery, enabled: opened.length > 0 });
  const groups = knownData(groupList);
  const report = dataOrUnknown(mapped(top, ({ rows }) => rows));
  const deepReport = dataOrUnknown(below);
  const tree = useMemo(
    () => campaigns && adsets && campaignTree({ campaigns, adsets, groups, report, deepReport }),
    [campaigns, adsets, groups, report, deepReport],
  );
  const isExpanded = openCampaigns.length > 0;
  return {
    tree,
    figures: combined(
      campaignList,
      adsetList,
      top,
      ...(isExpanded ? [ofRange(below, range), groupList] : []),
    ),
  };
}

/** Once one more campaign is expanded, the figures of the others are still valid for the range. */
function ofRange<Data extends { range: Range }>(
  figures: Loadable<Data>,
  { start, end }: Range,
): Loadable<Data> {
  if (figures.state !== 'stale') return figures;
  const { range } = figures.data;
  return range.start === start && range.end === end ? { ...figures, state: 'current' } : figures;
}
