import type { ReactNode } from 'react';
import type { Loadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../chart/figure-frame.tsx';
import { TableGrid, type TableGridProps } from './table-grid.tsx';
import type { Column } from './table-state.ts';

/** A column of records, identified by its header. */
export type RecordColumn<Row> = Omit<Column<Row>, 'id' | 'sortBy'>;

interface RecordTableProps<Row> extends Pick<
  TableGridProps<Row>,
  'label' | 'minWidth' | 'maxHeight' | 'verticalSpacing'
> {
  columns: readonly RecordColumn<Row>[];
  /** A list that is loaded frames itself; undefined if a frame around it shows the load state. */
  rows: Loadable<readonly Row[]> | readonly Row[] | undefined;
  /** Names the records of a list that is loaded at the beginning of a sentence, in the plural. */
  what?: string;
  /** Shown in place of the table where a list that is loaded has nothing. */
  empty?: ReactNode;
  /** Tells records apart whose place may change, as where a cell of theirs is a control; by their place without it. */
  rowId?: (row: Row) => string;
  /** Whether each row is a card on a phone; false by default. */
  cards?: boolean;
}

/** A plain table of records, without sorting and paging. */
export function RecordTable<Row extends object>({ rows, what, empty, ...props }: RecordTableProps<Row>) {
  if (!rows || !('state' in rows)) return <Records {...props} rows={rows} />;
  return (
    <FigureFrame
      figures={rows}
      what={what ?? 'The table'}
      skeleton={<Records {...props} rows={undefined} />}
      {...(empty !== undefined && { empty })}
    >
      {(known) => <Records {...props} rows={known} />}
    </FigureFrame>
  );
}

interface RecordsProps<Row> extends Omit<RecordTableProps<Row>, 'rows' | 'what' | 'empty'> {
  rows: readonly Row[] | undefined;
}

function Records<Row extends object>({ columns, rows, rowId, ...props }: RecordsProps<Row>) {
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
