import { Paper, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Figures } from '../../lib/figures.ts';
import { TableHead } from './data-table-head.tsx';
import { BodyRows } from './data-table-rows.tsx';
import { FailureNotice } from '../chart/figure-frame.tsx';
import { TableFrame, shownRows } from './table-frame.tsx';
import type { Column } from './table-state.ts';
import classes from './data-table.module.css';

interface PagedTableProps<Row> {
  /** Describes the table to screen readers. */
  label: string;
  /** With `onSort` the server sorts by those that have a `sortBy`. */
  columns: readonly Column<Row>[];
  /** The rows of this page; undefined while loading and after a failure. */
  rows: readonly Row[] | undefined;
  /** What is known of the rows. */
  figures?: Figures | undefined;
  rowId: (row: Row) => string;
  sort?: string | undefined;
  /** Without it the rows stay in their order. */
  onSort?: (sort: string | undefined) => void;
  /** Shown instead of the table where there are no rows. */
  empty: ReactNode;
  toolbar?: ReactNode;
  footer?: ReactNode;
  /** Height of a usual row, in pixels, for the rows that stand in while the data loads. */
  rowHeight?: number;
  /** Below this width, in pixels, the table scrolls sideways; on a phone its rows are cards. */
  minWidth?: number;
}

/** A table of rows that are shown as they are: the server searches, sorts and pages them, if anything does. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { label, figures, rowId, sort, onSort, empty, toolbar, footer, minWidth = 640 } = props;
  const columns = onSort ? props.columns : props.columns.map(({ sortBy: _sortBy, ...column }) => column);
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
        <Table.ScrollContainer minWidth={minWidth} type="native" className={classes['scroll'] ?? ''}>
          <Table verticalSpacing="xs" aria-label={label} className={classes['table']}>
            <TableHead
              columns={columns}
              sort={sort}
              onSort={(next) => onSort?.(next)}
              ids={[]}
              selected={[]}
              onSelect={undefined}
            />
            <Table.Tbody>
              <BodyRows
                columns={columns}
                rows={rows}
                isFailed={figures?.state === 'failed'}
                rowHeight={props.rowHeight}
                rowId={rowId}
                rowName={undefined}
                sort={sort}
                tree={undefined}
                selected={[]}
                onSelect={undefined}
                isSelectable={() => false}
              />
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </TableFrame>
      {footer}
    </Paper>
  );
}
