import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Group, NativeSelect, Pagination, Paper } from '@mantine/core';
import type { TableState } from '../../lib/table-search.ts';
import type { ReactNode } from 'react';
import type { Loadable } from '../../lib/loadable.ts';
import { Caption } from '../layout/text.tsx';
import { useColumnChoice } from './column-choice.tsx';
import { TableToolbar } from './data-table-toolbar.tsx';
import { PAGE_SIZES, sortRows } from './table-state.ts';
import { FailureNotice } from '../chart/figure-frame.tsx';
import { TableFrame, shownRows } from './table-frame.tsx';
import { TableGrid, type TableGridProps } from './table-grid.tsx';
import { type TableData, useTableView } from './use-table-view.ts';

interface DataTableProps<Row>
  extends
    TableData<Row>,
    Pick<
      TableGridProps<Row>,
      | 'label'
      | 'rowId'
      | 'rowName'
      | 'rowHeight'
      | 'selected'
      | 'onSelect'
      | 'isSelectable'
      | 'tree'
      | 'minWidth'
      | 'hasFixedNames'
    > {
  /** Load state of the rows, or of the columns marked as figures. */
  figures?: Loadable | undefined;
  onStateChange: (state: TableState) => void;
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode;
  /** Actions on the selected rows; they replace the toolbar while rows are selected. */
  bulkActions?: ReactNode;
  /** Filters and actions next to the search. */
  toolbar?: ReactNode;
  /** Enables the column selection, stored in this browser under this key. */
  columnsKey?: string;
}

/** A table that searches, sorts and pages in the browser. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns: all, rowId, state, onStateChange, selected = [], onSelect } = props;
  const choice = useColumnChoice(props.columnsKey, all);
  const rows = shownRows(props.rows, props.figures, all);
  const { current, matching, page } = useTableView({ ...props, rows });
  const isFailed = props.figures?.state === 'failed';
  const change = (changes: TableState) => onStateChange({ ...state, ...changes });

  if (rows?.length === 0)
    return (
      <Paper withBorder>
        {props.figures && <FailureNotice figures={props.figures} what="The table" m="sm" />}
        {props.empty}
      </Paper>
    );
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      {(props.searchText || props.toolbar || props.columnsKey) && (
        <TableToolbar {...props} current={current} selected={selected} choice={choice} onChange={change} />
      )}
      <TableFrame figures={props.figures} columns={all} hasRows={rows !== undefined}>
        <TableGrid
          label={props.label}
          columns={choice.shown}
          rows={rows && page.rows}
          matching={rows && matching}
          isFailed={isFailed}
          rowHeight={props.rowHeight}
          rowId={rowId}
          rowName={props.rowName}
          sort={state.sort}
          onSort={(sort) => change({ sort, page: undefined })}
          tree={props.tree}
          sorted={(children) => sortRows(children, all, state.sort)}
          selected={selected}
          onSelect={onSelect}
          isSelectable={props.isSelectable}
          noRows={noMatchText(state)}
          minWidth={props.minWidth}
          hasFixedNames={props.hasFixedNames ?? false}
        />
      </TableFrame>
      {/* Absent while the rows load, which would move it. */}
      {(rows || isFailed) && <TableFooter total={rows && matching.length} {...page} onChange={change} />}
    </Paper>
  );
}

/** Says whether the search, a filter or the archive hides all rows. */
function noMatchText({ q, archived, status, app, kind }: TableState): string {
  if (q) return consoleMessages.nothingMatches(q);
  if (status !== undefined || app !== undefined || kind !== undefined)
    return consoleMessages.filtersMatchNothing;
  return archived ? 'No archived items.' : 'All items are archived.';
}

interface TableFooterProps {
  /** Number of rows on all pages; undefined while it is not known. */
  total: number | undefined;
  /** From 1. */
  number: number;
  /** Number of pages. */
  count: number;
  /** Rows per page. */
  size: number;
  onChange: (changes: TableState) => void;
}

/** The page size, the number of rows and the pages below a table. */
function TableFooter({ total, number, count, size, onChange }: TableFooterProps) {
  return (
    <Group p="sm" justify="space-between">
      <Group gap="xs">
        <Caption>Rows per page</Caption>
        <NativeSelect
          aria-label="Rows per page"
          data={PAGE_SIZES.map(String)}
          value={String(size)}
          onChange={({ currentTarget }) => onChange({ size: Number(currentTarget.value), page: undefined })}
          w={76}
          size="xs"
        />
        {total !== undefined && <Caption>{total} total</Caption>}
      </Group>
      {count > 1 && (
        <Pagination
          size="sm"
          total={count}
          value={number}
          onChange={(page) => onChange({ page: page === 1 ? undefined : page })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Group>
  );
}
