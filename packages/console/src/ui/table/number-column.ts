import { formatNumber } from '../../lib/format/format.ts';
import type { Column } from './table-state.ts';

/** A column of numbers, aligned right and sortable. `format` gets null for a row without a number; by default it rounds. */
export function numberColumn<Row>(
  id: string,
  header: string,
  valueOf: (row: Row) => number | null,
  format: (value: number | null) => string = wholeNumber,
): Column<Row> {
  return { id, header, numeric: true, cell: (row) => format(valueOf(row)), sortBy: valueOf };
}

const wholeNumber = (value: number | null): string => formatNumber(value);
