import { Stack } from '@mantine/core';
import { bundleError } from '@bidwell/contract/adsets/bundles';
import { useMemo, useState } from 'react';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { combined, knownData, useLoadable } from '../../../lib/loadable.ts';
import { formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { adsetsOfCampaignQuery } from '../../../entities/campaigns/adset-queries.ts';
import { campaignBundlesQuery } from '../../../entities/campaign-reports/queries.ts';
import { useTableSearch } from '../../../lib/table-search.ts';
import { SmallButton } from '../../../ui/layout/buttons.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { actionsColumn } from '../../../entities/archive/entity-columns.tsx';
import type { Column } from '../../../ui/table/table-state.ts';
import { BidDialog, BlockDialog } from './bundle-dialogs.tsx';
import { type BundleRow, bundleColumns, nameOf } from './bundle-columns.tsx';
import { settingsOf } from './bundle-settings.ts';

interface Opened {
  dialog: 'block' | 'bid';
  bundle: string;
}

const searchText = (row: BundleRow) => `${row.name ?? ''} ${row.bundle} ${row.publisher ?? ''}`;

/** The publishers' apps on which a campaign spent, and the settings of its ad sets for them. */
export function BundlesTab({ uuid, range }: { uuid: string; range: DateRange }) {
  const [state, setState] = useTableSearch();
  const [opened, setOpened] = useState<Opened | null>(null);
  const bundles = useLoadable(campaignBundlesQuery(uuid, range));
  const settings = useLoadable(adsetsOfCampaignQuery(uuid));
  const report = knownData(bundles);
  const adsets = knownData(settings);
  const rows = useMemo(
    () => adsets && report?.rows.map((row) => ({ ...row, settings: settingsOf(adsets, row.bundle) })),
    [report, adsets],
  );
  const columns = useMemo<readonly Column<BundleRow>[]>(
    () => [
      ...bundleColumns,
      actionsColumn((row) => (
        <Actions row={row} onOpen={(dialog) => setOpened({ dialog, bundle: row.bundle })} />
      )),
    ],
    [],
  );
  const chosen = opened && rows?.find(({ bundle }) => bundle === opened.bundle);
  const close = () => setOpened(null);
  return (
    <Stack gap="xs">
      <DataTable
        label="Bundles"
        columns={columns}
        rows={rows}
        figures={combined(bundles, settings)}
        rowId={({ bundle }) => bundle}
        rowName={nameOf}
        searchText={searchText}
        state={state}
        onStateChange={setState}
        minWidth={1080}
        rowHeight={65}
        columnsKey="campaign-bundles"
        empty={
          <EmptyState
            title="No spend in this range"
            text="Publishers' apps are listed here once the campaign has won impressions in them."
          />
        }
      />
      {report && report.rows.length > 0 && <Notes report={report} />}
      {chosen && (
        <>
          <BlockDialog
            opened={opened.dialog === 'block'}
            campaignUuid={uuid}
            row={chosen}
            range={range}
            onClose={close}
          />
          <BidDialog opened={opened.dialog === 'bid'} campaignUuid={uuid} row={chosen} onClose={close} />
        </>
      )}
    </Stack>
  );
}

function Actions({ row, onOpen }: { row: BundleRow; onOpen: (dialog: Opened['dialog']) => void }) {
  const { settings, bundle } = row;
  // A list of an ad set takes only ids of apps.
  if (settings.length === 0 || bundleError(bundle) !== null) return null;
  const isBlocked = settings.every((one) => one.isBlocked);
  const name = nameOf(row);
  return (
    <>
      <SmallButton aria-label={`${isBlocked ? 'Unblock' : 'Block'} ${name}`} onClick={() => onOpen('block')}>
        {isBlocked ? 'Unblock' : 'Block'}
      </SmallButton>
      <SmallButton aria-label={`Set bid on ${name}`} onClick={() => onOpen('bid')}>
        Set bid
      </SmallButton>
    </>
  );
}

function Notes({
  report: { rows, other },
}: {
  report: { rows: readonly unknown[]; other: { spends: number } | null };
}) {
  return (
    <Caption>
      {other &&
        `These are the ${formatNumber(rows.length)} bundles with the highest spend; the others spent ${formatMoney(other.spends)} together. `}
      IPM is installs per 1000 impressions. In 95 of 100 cases the true rate is within the range beneath it.
      The supply chain is taken from the bid requests: it is complete if they name every seller from the
      publisher on. The developer’s app-ads.txt file lists who may sell the ad space of the app.
    </Caption>
  );
}
