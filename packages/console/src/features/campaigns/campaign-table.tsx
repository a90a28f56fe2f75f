import { messages } from '@bidwell/contract/messages';
import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTableSearch } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useOpenRows } from './open-rows.ts';
import { startableOf } from './status-cell.tsx';
import { useStatusActions } from './status-actions.ts';
import { campaignColumns } from './campaign-columns.tsx';
import type { TreeRow } from './tree-rows.ts';
import { useCampaignTree } from './use-campaign-tree.ts';
import { Segments } from '../../ui/segments.tsx';

/** The campaigns as a tree of campaign, ad set and creative, with their metrics in the range. */
export function CampaignTable({ range }: { range: { start: string; end: string } }) {
  const [table, setTable] = useTableSearch();
  const [selected, setSelected] = useState<string[]>([]);
  const open = useOpenRows();
  const { busy, toggle, setAll } = useStatusActions();
  const tree = useCampaignTree(range, open);
  const selectedStartables = () => {
    const chosen = (tree?.rows ?? []).flatMap((row) => [row, ...(tree?.childrenOf(row) ?? [])]);
    return chosen.filter(({ id }) => selected.includes(id)).flatMap((row) => startableOf(row) ?? []);
  };
  const setStatusOfSelected = (status: 'Active' | 'Paused') => {
    void setAll(selectedStartables(), status);
    setSelected([]);
  };
  return (
    <DataTable<TreeRow>
      label="campaigns"
      columns={campaignColumns({ busy, onToggle: (one) => void toggle(one) })}
      rows={tree?.rows}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      searchText={searchText}
      isArchived={isArchived}
      state={table}
      onStateChange={setTable}
      tree={{
        childrenOf: (row) => tree?.childrenOf(row),
        isOpen: (row) => open.isOpen(row.id, row.kind),
        onToggle: ({ id }) => open.toggle(id),
      }}
      selected={selected}
      onSelect={setSelected}
      isSelectable={(row) => startableOf(row)?.item.archived_at === null}
      bulkActions={<BulkActions onStatus={setStatusOfSelected} />}
      toolbar={
        <Segments
          small
          label="Depth"
          value={open.depth}
          onChange={open.setDepth}
          options={[
            { value: 'campaign', label: 'Campaigns' },
            { value: 'adset', label: 'Ad sets' },
            { value: 'creative', label: 'Creatives' },
          ]}
        />
      }
      columnsKey="campaigns"
      minWidth={1000}
      empty={
        <EmptyState
          title={messages.emptyCampaigns}
          text="A campaign buys installs for one app through its ad sets. Add an app, a creative, a target and a tracking link first; then start here."
          action={<NewCampaign />}
        />
      }
    />
  );
}

/** Starts or pauses all selected rows. */
function BulkActions({ onStatus }: { onStatus: (status: 'Active' | 'Paused') => void }) {
  return (
    <>
      <Button variant="default" leftSection={<IconPlayerPlay size={15} />} onClick={() => onStatus('Active')}>
        Start
      </Button>
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={15} />}
        onClick={() => onStatus('Paused')}
      >
        Pause
      </Button>
    </>
  );
}

/** Link to the form of a new campaign. */
export function NewCampaign() {
  return (
    <ButtonLink to="/campaigns/create" leftSection={<IconPlus size={16} />}>
      New Campaign
    </ButtonLink>
  );
}

const isArchived = (row: TreeRow) => row.kind === 'campaign' && row.campaign.archived_at !== null;

function searchText(row: TreeRow): string {
  if (row.kind !== 'campaign') return row.name;
  const { name, app, uuid, adsets } = row.campaign;
  return [name, app.name, uuid, ...adsets.flatMap((adset) => [adset.name, adset.uuid])].join('\n');
}
