import type { Prices } from '@bidwell/contract/campaign-reports/prices';
import { SimpleGrid, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { type Unknown, isUnknown, knownData, unknownOf, useLoadable } from '../../../lib/loadable.ts';
import { formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { campaignPricesQuery } from '../../../entities/campaign-reports/queries.ts';
import { useTableSearch } from '../../../lib/table-search.ts';
import { Caption } from '../../../ui/layout/text.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { FigureCard } from '../../../ui/chart/figure-card.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column } from '../../../ui/table/table-state.ts';
import { type PriceTreeRow, priceTree } from './price-rows.ts';

const columns: readonly Column<PriceTreeRow>[] = [
  {
    id: 'name',
    header: 'Exchange and country',
    cell: ({ name }) => name,
    sortBy: ({ name }) => name,
    fixed: true,
  },
  numberColumn('impressions', 'Impressions', ({ impressions }) => impressions),
  numberColumn('bid-cpm', 'Bid CPM, $', ({ bid_cpm: cpm }) => cpm, formatMoney),
  numberColumn('paid-cpm', 'Paid CPM, $', ({ paid_cpm: cpm }) => cpm, formatMoney),
  numberColumn('paid', 'Paid, $', ({ paid }) => paid, formatMoney),
  numberColumn('shading', 'Saved by shading, $', ({ saved_by_shading: saved }) => saved, formatMoney),
  numberColumn('auction', 'Saved by auctions, $', ({ saved_by_auction: saved }) => saved, formatMoney),
];

/** The bids, prices and savings of a campaign, by exchange and country. */
export function PricesTab({ uuid, range }: { uuid: string; range: DateRange }) {
  const [state, setState] = useTableSearch();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const figures = useLoadable(campaignPricesQuery(uuid, range));
  const report = knownData(figures);
  const rows = useMemo(() => report && priceTree(report), [report]);
  const toggle = ({ id }: PriceTreeRow) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <Stack>
      <FigureFrame figures={figures} keepsChildren dims="marked" isSilent>
        <Totals total={report?.total ?? unknownOf(figures)} />
      </FigureFrame>
      <DataTable
        label="Prices"
        columns={columns}
        rows={rows}
        figures={figures}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        state={state}
        onStateChange={setState}
        tree={{
          childrenOf: ({ countries }) => countries,
          isOpen: ({ id }) => open.has(id),
          onToggle: toggle,
        }}
        minWidth={860}
        empty={
          <EmptyState
            title="Nothing was paid in this range"
            text="Bids and prices are listed here once the campaign has won impressions."
          />
        }
      />
      {rows && rows.length > 0 && (
        <Caption>
          {report?.other &&
            `The rows beyond the ${formatNumber(report.rows.length)} with the highest spend paid ${formatMoney(report.other.paid)} together. `}
          Figures are for impressions that were paid for. Max installs shades its bids in first-price
          auctions: it bids less than an impression is worth to the ad set, as low as is likely to win. Other
          auctions charge less than the bid.
        </Caption>
      )}
    </Stack>
  );
}

function Totals({ total }: { total: Prices | Unknown }) {
  const sum = (of: 'bid' | 'paid' | 'saved_by_shading' | 'saved_by_auction') =>
    isUnknown(total) ? total : total[of];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <FigureCard label="Bid" dollars={sum('bid')} />
      <FigureCard label="Paid" dollars={sum('paid')} />
      <FigureCard label="Saved by shading" dollars={sum('saved_by_shading')} />
      <FigureCard label="Saved by auctions" dollars={sum('saved_by_auction')} />
    </SimpleGrid>
  );
}
