import { TableGrid } from './table-grid.tsx';
import type { Column } from './table-state.ts';

/** A column of records; its header tells it from the others. */
export type RecordColumn<Row> = Omit<Column<Row>, 'id' | 'sortBy'>;

interface RecordTableProps<Row> {
  /** Accessible name. */
  label: string;
  columns: readonly RecordColumn<Row>[];
  /** Undefined while they load, and where they could not be. */
  rows: readonly Row[] | undefined;
  /** Whether they could not be loaded. */
  isFailed?: boolean;
  /** Tells records apart whose place may change, as where a cell of theirs is a control; by their place without it. */
  rowId?: (row: Row) => string;
  /** Below this width it scrolls sideways, px; without it, never. */
  minWidth?: number;
  /** Above this height it scrolls, with its head in place, px. */
  maxHeight?: number;
  /** Whether each row is a card on a phone; false by default. */
  cards?: boolean;
  /** Vertical padding of the cells, px. */
  verticalSpacing?: number;
}

/** A plain table of records, without sorting and paging. */
export function RecordTable<Row extends object>({ columns, rows, rowId, ...props }: RecordTableProps<Row>) {
  const places = new Map(rows?.map((row, index) => [row, String(index)]));
  return (
    <TableGrid
      minWidth={0}
      verticalSpacing={7}
      cards={false}
      {...props}
      columns={columns.map((column) => ({ ...column, id: column.header }))}
      rows={rows}
      rowId={rowId ?? ((row) => places.get(row)!)}
    />
  );
}
