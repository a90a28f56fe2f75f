import { Skeleton } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { notLoaded } from '../../../lib/loadable.ts';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import { useOpenRows } from './open-rows.ts';
import { RowTable } from './row-table.tsx';
import { useCampaignTree } from './use-campaign-tree.ts';

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
