import {
  Checkbox,
  CloseButton,
  Group,
  Pagination,
  Paper,
  Select,
  Skeleton,
  Table,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Column, TableState } from './table-state.ts';
import { PAGE_SIZES, nextSort, tableView } from './table-state.ts';
import classes from './data-table.module.css';

interface DataTableProps<Row> {
  /** What the table holds, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** What a search looks in; without it there is no search field. */
  searchText?: (row: Row) => string;
  state: TableState;
  onStateChange: (state: TableState) => void;
  /** What stands in place of rows when there are none at all. */
  empty: ReactNode;
  /** Ids of chosen rows; with `onSelect` every row gets a checkbox. */
  selected?: readonly string[];
  onSelect?: (ids: string[]) => void;
  /** Beside the search: filters, or what can be done with the chosen rows. */
  toolbar?: ReactNode;
}

/** A table that searches, sorts and pages in the browser. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, state, onStateChange, selected = [], onSelect } = props;
  const view = tableView(rows ?? [], columns, state, props.searchText ?? (() => ''));
  const ids = view.onPage.map(rowId);
  const chosen = ids.filter((id) => selected.includes(id));
  const toggle = (id: string) =>
    onSelect?.(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);
  const change = (changes: TableState) => onStateChange({ ...state, ...changes });

  if (rows?.length === 0) return <Paper withBorder>{props.empty}</Paper>;
  return (
    <Paper withBorder>
      {(props.searchText || props.toolbar) && (
        <Group p="sm" justify="space-between">
          {props.searchText && (
            <TextInput
              aria-label={`Search ${props.label}`}
              placeholder="Search"
              leftSection={<IconSearch size={15} />}
              rightSection={
                state.q ? (
                  <CloseButton size="sm" aria-label="Clear search" onClick={() => change({ q: undefined })} />
                ) : null
              }
              value={state.q ?? ''}
              onChange={(event) => change({ q: event.currentTarget.value || undefined, page: undefined })}
              w={{ base: '100%', xs: 260 }}
            />
          )}
          <Group gap="xs">{props.toolbar}</Group>
        </Group>
      )}
      <Table.ScrollContainer minWidth={640} type="native">
        <Table highlightOnHover verticalSpacing="xs" aria-label={props.label} className={classes['table']}>
          <Table.Thead>
            <Table.Tr>
              {onSelect && (
                <Table.Th w={36}>
                  <Checkbox
                    aria-label="Select all rows of this page"
                    checked={ids.length > 0 && chosen.length === ids.length}
                    indeterminate={chosen.length > 0 && chosen.length < ids.length}
                    onChange={() =>
                      onSelect(
                        chosen.length === ids.length
                          ? selected.filter((id) => !ids.includes(id))
                          : [...new Set([...selected, ...ids])],
                      )
                    }
                  />
                </Table.Th>
              )}
              {columns.map((column) => (
                <HeadCell
                  key={column.id}
                  column={column}
                  sort={state.sort}
                  onSort={(sort) => change({ sort, page: undefined })}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows === undefined && <SkeletonRows columns={columns.length + (onSelect ? 1 : 0)} />}
            {view.onPage.map((row) => {
              const id = rowId(row);
              return (
                <Table.Tr
                  key={id}
                  data-row={id}
                  bg={selected.includes(id) ? 'var(--mantine-primary-color-light)' : undefined}
                >
                  {onSelect && (
                    <Table.Td>
                      <Checkbox
                        aria-label="Select row"
                        checked={selected.includes(id)}
                        onChange={() => toggle(id)}
                      />
                    </Table.Td>
                  )}
                  {columns.map((column) => (
                    <Table.Td key={column.id} ta={column.numeric ? 'right' : undefined} w={column.width}>
                      {column.cell(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              );
            })}
            {rows !== undefined && view.matching.length === 0 && (
              <Table.Tr>
                <Table.Td colSpan={columns.length + (onSelect ? 1 : 0)}>
                  <Text c="dimmed" ta="center" py="lg">
                    Nothing matches “{state.q}”.
                  </Text>
                </Table.Td>
              </Table.Tr>
            )}
          </Table.Tbody>
          {columns.some((column) => column.footer !== undefined) && (
            <Table.Tfoot>
              <Table.Tr>
                {onSelect && <Table.Td />}
                {columns.map((column) => (
                  <Table.Th key={column.id} ta={column.numeric ? 'right' : undefined}>
                    {column.footer}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Tfoot>
          )}
        </Table>
      </Table.ScrollContainer>
      <Group p="sm" justify="space-between">
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            Rows per page
          </Text>
          <Select
            aria-label="Rows per page"
            data={PAGE_SIZES.map(String)}
            value={String(view.size)}
            onChange={(size) => change({ size: Number(size), page: undefined })}
            w={76}
            size="xs"
            allowDeselect={false}
          />
          <Text size="xs" c="dimmed">
            {view.matching.length} in all
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

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const order = sort === column.id ? 'ascending' : sort === `-${column.id}` ? 'descending' : 'none';
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[order];
  const align = column.numeric ? 'flex-end' : 'flex-start';
  if (!column.sortBy) return <Table.Th ta={column.numeric ? 'right' : undefined}>{column.header}</Table.Th>;
  return (
    <Table.Th aria-sort={order}>
      <UnstyledButton w="100%" onClick={() => onSort(nextSort(sort, column.id))}>
        <Group gap={4} wrap="nowrap" justify={align}>
          <Text size="sm" fw={600}>
            {column.header}
          </Text>
          <Icon size={13} opacity={order === 'none' ? 0.35 : 1} aria-hidden />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 5 }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_cell, cell) => (
        <Table.Td key={cell}>
          <Skeleton height={14} my={4} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
