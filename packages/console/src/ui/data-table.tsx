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
  /** What the table holds, for screen readers. */
  label: string;
  /** Where `columns`, `rows` and `searchText` stay the same from one render to the next, nothing is sorted anew. */
  columns: readonly Column<Row>[];
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** What a row is called, for the names of its checkbox and of the button that opens it. */
  rowName?: (row: Row) => string;
  /** What a search looks in; without it there is no search field. */
  searchText?: (row: Row) => string;
  /** Which rows are archived: these are shown apart. */
  isArchived?: (row: Row) => boolean;
  state: TableState;
  onStateChange: (state: TableState) => void;
  /** What stands in place of rows when there are none at all. */
  empty: ReactNode;
  /** Ids of chosen rows; with `onSelect` every row gets a checkbox. */
  selected?: readonly string[];
  onSelect?: (ids: string[]) => void;
  /** Which rows can be chosen; all without it. */
  isSelectable?: (row: Row) => boolean;
  /** What can be done with the chosen rows; stands in place of the toolbar while there are some. */
  bulkActions?: ReactNode;
  /** Beside the search: filters, or what can be done with the chosen rows. */
  toolbar?: ReactNode;
  /** Rows that hold rows: the first column gets the button that opens them. */
  tree?: TableTree<Row>;
  /** Offers a choice of columns, kept in this browser under this name. */
  columnsKey?: string;
  /** Pixels below which the table scrolls sideways within itself. */
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
  // Thousands of rows are not searched and sorted again for another page or for the order of before.
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
