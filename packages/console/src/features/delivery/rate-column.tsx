import type { Rate } from '@bidwell/contract/rate';
import { Text } from '@mantine/core';
import { formatNumber } from '../../lib/format.ts';
import type { Column } from '../../ui/table-state.ts';

/** A column of rates with their intervals, sorted by the rate. */
export function rateColumn<Row>(id: string, header: string, rateOf: (row: Row) => Rate | null): Column<Row> {
  return {
    id,
    header,
    numeric: true,
    cell: (row) => <RateCell rate={rateOf(row)} />,
    sortBy: (row) => rateOf(row)?.value ?? null,
  };
}

/** A rate with its interval beneath; '-' where it is not known. */
function RateCell({ rate }: { rate: Rate | null }) {
  if (!rate) return '-';
  const { value, low, high } = rate;
  return (
    <>
      <div>{formatNumber(value, 2)}</div>
      <Text size="xs" c="dimmed" component="div" style={{ whiteSpace: 'nowrap' }}>
        {formatNumber(low, 2)}–{formatNumber(high, 2)}
      </Text>
    </>
  );
}
