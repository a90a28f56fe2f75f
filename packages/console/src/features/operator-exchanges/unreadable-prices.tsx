import type { UnpricedNotices } from '@bidwell/contract/operator/schema';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatMoment, formatMoney } from '../../lib/format/format.ts';
import { UNREADABLE_DAYS, unreadablePricesQuery } from '../../entities/exchanges/queries.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { numberColumn } from '../../ui/table/number-column.ts';
import { PagedTable } from '../../ui/table/paged-table.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { faultTexts } from './exchange-text.ts';

/** Notices of one exchange that had no price to charge, by reason. */
export function UnreadablePrices({ slug }: { slug: string }) {
  const figures = useLoadable(unreadablePricesQuery);
  const rows = knownData(figures)?.filter(({ ssp }) => ssp === slug);
  return (
    <PagedTable
      label="Notices with unreadable prices"
      columns={columns}
      rows={rows}
      figures={figures}
      rowId={({ reason }) => reason}
      minWidth={680}
      empty={
        <EmptyState
          title={`All prices of the last ${UNREADABLE_DAYS} days could be read`}
          text="A notice whose price cannot be read is listed here. It is charged by the rule under Settings, or does not lower what an impression is charged."
        />
      }
    />
  );
}

const columns: readonly Column<UnpricedNotices>[] = [
  { id: 'reason', header: 'Reason', cell: ({ reason }) => faultTexts[reason] ?? reason },
  { id: 'example', header: 'Example', cell: ({ example }) => (example === '' ? '-' : example) },
  numberColumn('notices', `Notices, ${UNREADABLE_DAYS} days`, ({ notices }) => notices),
  numberColumn('charged', 'Charged', ({ charged }) => charged, formatMoney),
  numberColumn('bid', 'By bid price', ({ bid }) => bid, formatMoney),
  { id: 'last', header: 'Last', cell: ({ last_at: lastAt }) => formatMoment(lastAt) },
];
