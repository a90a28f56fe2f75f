import { useMemo } from 'react';
import type { Column, TablePage, TableState } from './table-state.ts';
import { pageOf, rowOrders, searchRows } from './table-state.ts';

interface TableData<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  searchText?: (row: Row) => string;
  isArchived?: (row: Row) => boolean;
  state: TableState;
}

const none: never[] = [];

/**
 * The rows that match the search, sorted, and the current page of them. Memoized step by step, so that another page or
 * an earlier sort order does not search and sort thousands of rows again.
 */
export function useTableView<Row>({ columns, rows, searchText, isArchived, state }: TableData<Row>): {
  matching: readonly Row[];
  page: TablePage<Row>;
} {
  const { q, sort, archived = false } = state;
  const current = useMemo(
    () => (rows && isArchived ? rows.filter((row) => isArchived(row) === archived) : rows),
    [rows, isArchived, archived],
  );
  const found = useMemo(() => searchRows(current ?? none, q, searchText), [current, q, searchText]);
  const sortedBy = useMemo(() => rowOrders(found, columns), [found, columns]);
  const matching = useMemo(() => sortedBy(sort), [sortedBy, sort]);
  return { matching, page: pageOf(matching, state) };
}
