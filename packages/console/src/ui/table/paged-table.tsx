import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Loadable } from '../../lib/loadable.ts';
import { FailureNotice } from '../chart/figure-frame.tsx';
import { TableFrame, shownRows } from './table-frame.tsx';
import { TableGrid } from './table-grid.tsx';
import type { Column } from './table-state.ts';

interface PagedTableProps<Row> {
  /** Describes the table to screen readers. */
  label: string;
  /** With `onSort` the server sorts by the columns that have a `sortBy`. */
  columns: readonly Column<Row>[];
  /** The rows of this page; undefined while loading and after a failure. */
  rows: readonly Row[] | undefined;
  /** Load state of the rows. */
  figures?: Loadable | undefined;
  rowId: (row: Row) => string;
  sort?: string | undefined;
  /** Without it the rows stay in their order. */
  onSort?: (sort: string | undefined) => void;
  /** Shown instead of the table where there are no rows. */
  empty: ReactNode;
  toolbar?: ReactNode;
  footer?: ReactNode;
  /** Height of a usual row, in pixels, for the placeholder rows. */
  rowHeight?: number;
  /** Below this width, in pixels, the table scrolls sideways; on a phone its rows are cards. */
  minWidth?: number;
}

/** A table of rows that are shown as they are: the server searches, sorts and pages them, if anything does. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { columns, figures, empty, toolbar, footer } = props;
  const rows = shownRows(props.rows, figures, columns);
  if (rows?.length === 0)
    return (
      <Paper withBorder>
        {toolbar}
        {figures && <FailureNotice figures={figures} what="The table" m="sm" />}
        {typeof empty === 'string' ? (
          <Text c="dimmed" ta="center" p="lg">
            {empty}
          </Text>
        ) : (
          empty
        )}
        {footer}
      </Paper>
    );
  return (
    // The background of the last row ends with the round corners.
    <Paper withBorder style={{ overflow: 'hidden' }}>
      {toolbar}
      <TableFrame figures={figures} columns={columns} hasRows={rows !== undefined}>
        <TableGrid
          label={props.label}
          columns={columns}
          rows={rows}
          isFailed={figures?.state === 'failed'}
          rowHeight={props.rowHeight}
          rowId={props.rowId}
          sort={props.sort}
          onSort={props.onSort}
          minWidth={props.minWidth}
          verticalSpacing="xs"
        />
      </TableFrame>
      {footer}
    </Paper>
  );
}
