import { Paper, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TableHead } from './data-table-head.tsx';
import { SkeletonRows, TableRows } from './data-table-rows.tsx';
import type { Column } from './table-state.ts';
import classes from './data-table.module.css';

interface PagedTableProps<Row> {
  /** Describes the table to screen readers. */
  label: string;
  /** The server sorts by those that have a `sortBy`. */
  columns: readonly Column<Row>[];
  /** The rows of this page; undefined while loading. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  /** Shown instead of rows where there are none. */
  empty: ReactNode;
  toolbar?: ReactNode;
  footer?: ReactNode;
  /** Below this width, in pixels, the table scrolls sideways. */
  minWidth?: number;
}

/** A table whose rows the server searches, sorts and pages. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { label, columns, rows, rowId, sort, onSort, empty, toolbar, footer, minWidth = 640 } = props;
  return (
    <Paper withBorder>
      {toolbar}
      <Table.ScrollContainer minWidth={minWidth} type="native">
        <Table verticalSpacing="xs" aria-label={label} className={classes['table']}>
          <TableHead
            columns={columns}
            sort={sort}
            onSort={onSort}
            ids={[]}
            selected={[]}
            onSelect={undefined}
          />
          <Table.Tbody>
            {rows === undefined && <SkeletonRows columns={columns.length} />}
            {rows?.length === 0 && (
              <tr>
                <td colSpan={columns.length}>
                  <Text component="div" c="dimmed" ta="center" py="lg">
                    {empty}
                  </Text>
                </td>
              </tr>
            )}
            <TableRows
              columns={columns}
              rows={rows ?? []}
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
      {footer}
    </Paper>
  );
}
