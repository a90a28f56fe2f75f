import type { UnpricedNotices } from '@bidwell/contract/operator';
import { Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatMoment, formatMoney } from '../../lib/format.ts';
import { UNREADABLE_DAYS, unreadablePricesQuery } from '../../lib/queries/operator-exchanges.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { numberColumn } from '../../ui/number-column.ts';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/table-state.ts';
import { faultTexts } from './exchange-texts.ts';

/** Notices of one exchange that had no price to charge, by reason. */
export function UnreadablePrices({ slug }: { slug: string }) {
  const { data: all, error } = useQuery(unreadablePricesQuery);
  const rows = all?.filter(({ ssp }) => ssp === slug);
  if (error && !rows)
    return (
      <Paper withBorder>
        <EmptyState title="The notices cannot be loaded" text={error.message} />
      </Paper>
    );
  return (
    <PagedTable
      label="Notices with unreadable prices"
      columns={columns}
      rows={rows}
      rowId={({ reason }) => reason}
      minWidth={680}
      empty={
        <EmptyState
          title={`All prices of the last ${UNREADABLE_DAYS} days could be read`}
          text="A notice whose price cannot be read is charged by the rule under Settings and listed here."
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
