import { Button, Group, NativeSelect, Pagination, Paper, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { ColumnChoice, useColumnChoice } from './column-choice.tsx';
import { TableHead } from './data-table-head.tsx';
import type { TableTree } from './data-table-rows.tsx';
import { SkeletonRows, TableRows } from './data-table-rows.tsx';
import type { Column, TableState } from './table-state.ts';
import { Segments } from './segments.tsx';
import { SearchField } from './search-field.tsx';
import { PAGE_SIZES, pageOf, rowOrders, searchRows } from './table-state.ts';
import classes from './data-table.module.css';

interface DataTableProps<Row> {
  /** Describes the table to screen readers. */
  label: string;
  /** Keep `columns`, `rows` and `searchText` referentially stable, so that sorting and searching stay memoized. */
  columns: readonly Column<Row>[];
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** Name of a row in the labels of its checkbox and its expand button. */
  rowName?: (row: Row) => string;
  /** The text that a search matches; without it there is no search field. */
  searchText?: (row: Row) => string;
  /** Whether a row is archived; archived rows are shown separately. */
  isArchived?: (row: Row) => boolean;
  state: TableState;
  onStateChange: (state: TableState) => void;
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode;
  /** Ids of selected rows; with `onSelect` every selectable row gets a checkbox. */
  selected?: readonly string[];
  onSelect?: (ids: string[]) => void;
  /** Which rows can be selected; all by default. */
  isSelectable?: (row: Row) => boolean;
  /** Actions on the selected rows; they replace the toolbar while rows are selected. */
  bulkActions?: ReactNode;
  /** Filters and actions beside the search. */
  toolbar?: ReactNode;
  /** Nested rows: the first column gets an expand button. */
  tree?: TableTree<Row>;
  /** Enables the column selection, stored in this browser under this key. */
  columnsKey?: string;
  /** Below this width, in pixels, the table scrolls sideways. */
  minWidth?: number;
}

const none: never[] = [];

/** A table that searches, sorts and pages in the browser. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    columns: all,
    rows,
    rowId,
    searchText,
    isArchived,
    state,
    onStateChange,
    selected = [],
    onSelect,
  } = props;
  const isSelectable = props.isSelectable ?? (() => true);
  const choice = useColumnChoice(props.columnsKey, all);
  const columns = choice.shown;
  const { q, sort, archived: showsArchived = false } = state;
  // Memoized, so that another page or an earlier sort order does not search and sort thousands of rows again.
  const inView = useMemo(
    () => (rows && isArchived ? rows.filter((row) => isArchived(row) === showsArchived) : rows),
    [rows, isArchived, showsArchived],
  );
  const found = useMemo(() => searchRows(inView ?? none, q, searchText), [inView, q, searchText]);
  const inOrder = useMemo(() => rowOrders(found, all), [found, all]);
  const matching = useMemo(() => inOrder(sort), [inOrder, sort]);
  const view = pageOf(matching, state);
  const ids = view.onPage.filter(isSelectable).map(rowId);
  const width = columns.length + (onSelect ? 1 : 0);
  const change = (changes: TableState) => onStateChange({ ...state, ...changes });

  if (rows?.length === 0) return <Paper withBorder>{props.empty}</Paper>;
  return (
    <Paper withBorder>
      {(searchText || props.toolbar || props.columnsKey) && (
        <Group p="sm" justify="space-between" gap="xs">
          {searchText && (
            <SearchField
              label={props.label}
              value={state.q ?? ''}
              onChange={(q) => change({ q, page: undefined })}
            />
          )}
          <Group gap="xs">
            {isArchived && (showsArchived || rows?.some(isArchived)) && (
              <Segments
                small
                label="Archived or not"
                value={showsArchived ? 'archived' : 'current'}
                onChange={(view) => change({ archived: view === 'archived' || undefined, page: undefined })}
                options={[
                  { value: 'current', label: 'Current' },
                  { value: 'archived', label: 'Archived' },
                ]}
              />
            )}
            {props.bulkActions && selected.length > 0 ? (
              <Group gap="xs" role="group" aria-label="With the chosen rows">
                <Text size="sm" fw={600} aria-live="polite">
                  {selected.length} selected
                </Text>
                {props.bulkActions}
                <Button variant="subtle" color="gray" onClick={() => onSelect?.([])}>
                  Clear selection
                </Button>
              </Group>
            ) : (
              props.toolbar
            )}
            {props.columnsKey && (
              <ColumnChoice columns={all} isShown={choice.isShown} onToggle={choice.toggle} />
            )}
          </Group>
        </Group>
      )}
      <Table.ScrollContainer minWidth={props.minWidth ?? 640} type="native">
        <Table verticalSpacing="xs" aria-label={props.label} className={classes['table']}>
          <TableHead
            columns={columns}
            sort={sort}
            onSort={(sort) => change({ sort, page: undefined })}
            ids={ids}
            selected={selected}
            onSelect={onSelect}
          />
          <Table.Tbody>
            {rows === undefined && <SkeletonRows columns={width} />}
            <TableRows
              columns={columns}
              rows={view.onPage}
              rowId={rowId}
              rowName={props.rowName}
              sort={sort}
              tree={props.tree}
              selected={selected}
              onSelect={onSelect}
              isSelectable={isSelectable}
            />
            {rows !== undefined && matching.length === 0 && (
              <tr>
                <td colSpan={width}>
                  <Text c="dimmed" ta="center" py="lg">
                    {state.q
                      ? `Nothing matches “${state.q}”.`
                      : showsArchived
                        ? 'Nothing is archived.'
                        : 'All of these are archived.'}
                  </Text>
                </td>
              </tr>
            )}
          </Table.Tbody>
          {columns.some((column) => column.footer !== undefined) && (
            <tfoot>
              <tr>
                {onSelect && <td />}
                {columns.map(({ id, numeric, footer }) => (
                  <th key={id} data-numeric={numeric || undefined}>
                    {typeof footer === 'function' ? footer(matching) : footer}
                  </th>
                ))}
              </tr>
            </tfoot>
          )}
        </Table>
      </Table.ScrollContainer>
      <Group p="sm" justify="space-between">
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            Rows per page
          </Text>
          <NativeSelect
            aria-label="Rows per page"
            data={PAGE_SIZES.map(String)}
            value={String(view.size)}
            onChange={({ currentTarget }) => change({ size: Number(currentTarget.value), page: undefined })}
            w={76}
            size="xs"
          />
          <Text size="xs" c="dimmed">
            {matching.length} in all
          </Text>
        </Group>
        {view.pages > 1 && (
          <Pagination
            size="sm"
            total={view.pages}
            value={view.page}
            onChange={(page) => change({ page: page === 1 ? undefined : page })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        )}
      </Group>
    </Paper>
  );
}
