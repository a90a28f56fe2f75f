import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Loadable } from '../../lib/loadable.ts';
import { FailureNotice } from '../chart/figure-frame.tsx';
import { TableFrame, shownRows } from './table-frame.tsx';
import { TableGrid, type TableGridProps } from './table-grid.tsx';

/** With `onSort` the server sorts by the columns that have a `sortBy`. */
interface PagedTableProps<Row> extends Pick<
  TableGridProps<Row>,
  'label' | 'columns' | 'rows' | 'rowId' | 'sort' | 'onSort' | 'rowHeight' | 'minWidth'
> {
  /** Load state of the rows. */
  figures?: Loadable | undefined;
  /** Shown instead of the table where there are no rows. */
  empty: ReactNode;
  toolbar?: ReactNode;
  footer?: ReactNode;
}

/** A table of rows that are shown as they are: the server searches, sorts and pages them, if anything does. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { figures, empty, toolbar, footer, ...grid } = props;
  const rows = shownRows(props.rows, figures, grid.columns);
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
      <TableFrame figures={figures} columns={grid.columns} hasRows={rows !== undefined}>
        <TableGrid {...grid} rows={rows} isFailed={figures?.state === 'failed'} verticalSpacing="xs" />
      </TableFrame>
      {footer}
    </Paper>
  );
}
