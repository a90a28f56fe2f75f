import { Skeleton } from '@mantine/core';
import { type ReactNode, Suspense, useMemo } from 'react';
import { adsetsQuery } from '../../../entities/campaigns/adset-queries.ts';
import { campaignsQuery } from '../../../entities/campaigns/queries.ts';
import { creativeGroupsQuery } from '../../../entities/creative-groups/queries.ts';
import { useChosenMetrics } from '../../../entities/reports/chosen-metrics.ts';
import { expandedQuery, levelQuery } from '../../../entities/reports/queries.ts';
import { useSuggestedMetrics } from './suggested-metrics.ts';
import {
  type Loadable,
  combined,
  dataOrUnknown,
  knownData,
  mapped,
  notLoaded,
  useLoadable,
} from '../../../lib/loadable.ts';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import { useOpenRows } from './open-rows.ts';
import { RowTable } from './row-table.tsx';
import { tableNames } from './table-names.ts';
import { campaignTree } from './tree-rows.ts';

// Opened less often than the campaigns, which the screen begins with.
const FlatTable = lazyPart(() => import('./flat-table.tsx'), 'FlatTable');

const FirstCampaign = lazyPart(() => import('./first-campaign.tsx'), 'FirstCampaign');

interface CampaignTableProps {
  range: { start: string; end: string };
}

/** The campaigns as a tree, or all ad sets or all creatives in one list, with their metrics in the range. */
export function CampaignTable({ range }: CampaignTableProps) {
  const open = useOpenRows();
  const toolbar = (
    <Segments
      small
      label="List"
      value={open.depth}
      onChange={open.setDepth}
      options={[
        { value: 'campaign', label: 'Campaigns' },
        { value: 'adset', label: 'Ad sets' },
        { value: 'creative', label: 'Creatives' },
      ]}
    />
  );
  if (open.depth === 'campaign') return <TreeTable range={range} open={open} toolbar={toolbar} />;
  return (
    <Suspense
      fallback={
        <RowTable list={open.depth} rows={undefined} figures={notLoaded} toolbar={toolbar} empty={null} />
      }
    >
      <FlatTable key={open.depth} kind={open.depth} range={range} toolbar={toolbar} />
    </Suspense>
  );
}

interface TreeTableProps extends CampaignTableProps {
  open: ReturnType<typeof useOpenRows>;
  toolbar: ReactNode;
}

/** The campaigns as a tree of campaign, ad set and creative. */
function TreeTable({ range, open, toolbar }: TreeTableProps) {
  const { tree, figures } = useCampaignTree(range, open.opened);
  return (
    <RowTable
      list="campaign"
      rows={tree?.rows}
      figures={figures}
      tree={{
        childrenOf: (row) => tree?.childrenOf(row),
        isOpen: (row) => open.isOpen(row.id),
        onToggle: ({ id }) => open.toggle(id),
      }}
      toolbar={toolbar}
      empty={
        <Suspense fallback={<Skeleton height={300} animate={false} />}>
          <FirstCampaign />
        </Suspense>
      }
    />
  );
}

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
function useCampaignTree(range: Range, opened: readonly string[]) {
  const campaignList = useLoadable(campaignsQuery);
  const adsetList = useLoadable(adsetsQuery);
  const metrics = useChosenMetrics(tableNames.campaign, useSuggestedMetrics('campaign'));
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
