import { CAMPAIGN_KIND_NAMES } from '@bidwell/contract/campaigns/kind';
import { IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { useMay } from '../../../lib/api/use-may.ts';
import type { Loadable } from '../../../lib/loadable.ts';
import { useSuggestedMetrics } from './suggested-metrics.ts';
import { useTableSearch } from '../../../lib/table-search.ts';
import { useLatestCallback } from '../../../lib/use-latest-callback.ts';
import type { TableTree } from '../../../ui/table/data-table-rows.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { useLazyDialog } from '../../../ui/form/use-lazy-dialog.ts';
import { campaignColumns } from './campaign-columns.tsx';
import { statusOf } from './row-status.ts';
import { tableNames } from './table-names.ts';
import type { Depth } from './open-rows.ts';
import { type Startable, useStatusActions } from './status-actions.ts';
import { startableOf } from './status-cell.tsx';
import type { TreeRow } from './tree-rows.ts';

const BulkEditDialog = lazyPart(() => import('../bulk-edit/bulk-edit-dialog.tsx'), 'BulkEditDialog', {
  as: 'dialog',
});

interface RowTableProps {
  list: Depth;
  /** Undefined while loading and after a failure. */
  rows: readonly TreeRow[] | undefined;
  /** Load state of the rows and their metrics. */
  figures: Loadable;
  tree?: TableTree<TreeRow>;
  toolbar: ReactNode;
  empty: ReactNode;
}

/** The table of campaigns, of ad sets or of creatives, whose rows are started and paused here. */
export function RowTable({ list, rows, figures, tree, toolbar, empty }: RowTableProps) {
  const [table, setTable] = useTableSearch();
  const [selected, setSelected] = useState<string[]>([]);
  const dialog = useLazyDialog();
  const { busy, toggle, setAll } = useStatusActions();
  const onToggle = useLatestCallback((one: Startable) => void toggle(one));
  const suggested = useSuggestedMetrics(list);
  const columns = useMemo(
    () => campaignColumns({ list, busy, onToggle, suggested }),
    [list, busy, onToggle, suggested],
  );
  const all = () => (rows ?? []).flatMap((row) => [row, ...(tree?.childrenOf(row) ?? [])]);
  const chosen = () => all().filter(({ id }) => selected.includes(id));
  const setStatusOfSelected = (status: 'Active' | 'Paused') => {
    void setAll(
      chosen().flatMap((row) => startableOf(row) ?? []),
      status,
    );
    setSelected([]);
  };
  const mayWrite = useMay('campaign.write');
  const selection = list !== 'creative' &&
    // Until the role is known the boxes have their column, and no row has one.
    mayWrite !== false && {
      selected,
      onSelect: setSelected,
      isSelectable: (row: TreeRow) => mayWrite === true && startableOf(row)?.item.archived_at === null,
      bulkActions: <BulkActions onStatus={setStatusOfSelected} onEdit={dialog.open} />,
    };
  return (
    <>
      <DataTable<TreeRow>
        label={tableNames[list]}
        columns={columns}
        rows={rows}
        figures={figures}
        rowId={rowId}
        rowName={rowName}
        searchText={searchText}
        isArchived={isArchived}
        filters={filters}
        state={table}
        onStateChange={setTable}
        {...(tree && { tree })}
        {...selection}
        toolbar={toolbar}
        columnsKey={tableNames[list]}
        // Re-attributions take the place of another column.
        minWidth={1000 + 92 * suggested.filter((metric) => metric !== 'reattributions').length}
        hasFixedNames
        rowHeight={list === 'creative' ? 49 : 52}
        empty={empty}
      />
      {dialog.isMounted && (
        <Suspense>
          <BulkEditDialog opened={dialog.opened} selected={chosen()} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}

interface BulkActionsProps {
  onStatus: (status: 'Active' | 'Paused') => void;
  onEdit: () => void;
}

/** Starts, pauses or edits all selected rows. */
function BulkActions({ onStatus, onEdit }: BulkActionsProps) {
  return (
    <>
      <SecondaryButton leftSection={<IconPlayerPlay size={15} />} onClick={() => onStatus('Active')}>
        Start
      </SecondaryButton>
      <SecondaryButton leftSection={<IconPlayerPause size={15} />} onClick={() => onStatus('Paused')}>
        Pause
      </SecondaryButton>
      <SecondaryButton leftSection={<IconPencil size={15} />} onClick={onEdit}>
        Edit…
      </SecondaryButton>
    </>
  );
}

const rowId = ({ id }: TreeRow) => id;
const rowName = ({ name }: TreeRow) => name;

function isArchived(row: TreeRow): boolean {
  if (row.kind === 'campaign') return row.campaign.archived_at !== null;
  if (row.kind === 'adset') return Boolean(row.adset?.archived_at);
  return row.kind === 'creative' && Boolean(row.creative?.archived_at);
}

function appsOf(row: TreeRow): readonly { uuid: string; name: string }[] {
  if (row.kind === 'campaign') return [row.campaign.app];
  if (row.kind === 'adset') return row.adset ? [row.adset.target.app] : [];
  return row.kind === 'creative' && row.creative ? [row.creative.app] : [];
}

/** The kind of a row's campaign; null for creatives, which campaigns of both kinds may show. */
function kindOf(row: TreeRow): { value: string; label: string } | null {
  const campaign = row.kind === 'campaign' || row.kind === 'adset' ? row.campaign : null;
  return campaign ? { value: campaign.kind, label: CAMPAIGN_KIND_NAMES[campaign.kind] } : null;
}

const filters = { statusOf, appsOf, kindOf };

/** The text that the search of a list matches. For a campaign it includes its ad sets. */
function searchText(row: TreeRow): string {
  const names = [row.name, row.id, ...appsOf(row).map(({ name }) => name)];
  if (row.kind === 'campaign')
    names.push(...row.campaign.adsets.flatMap((adset) => [adset.name, adset.uuid]));
  if (row.kind === 'adset' && row.campaign) names.push(row.campaign.name);
  return names.join('\n');
}
