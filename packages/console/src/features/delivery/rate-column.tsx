import type { Rate } from '@bidwell/contract/lib/rate';
import type { Column } from '../../ui/table/table-state.ts';
import { RateCell } from './rate-cell.tsx';

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
