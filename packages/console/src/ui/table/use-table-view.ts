import type { TableState } from '../../lib/table-search.ts';
import { useMemo } from 'react';
import {
  type Column,
  type TableFilters,
  type TablePage,
  filterRows,
  pageOf,
  rowOrders,
  searchRows,
} from './table-state.ts';

/** Rows that are searched, filtered and sorted. */
export interface TableData<Row> {
  /** Keep `columns`, `rows` and `searchText` referentially stable, so that sorting and searching stay memoized. */
  columns: readonly Column<Row>[];
  /** Undefined while loading and after a failure. */
  rows: readonly Row[] | undefined;
  /** The text that a search matches; without it there is no search field. */
  searchText?: (row: Row) => string;
  /** Whether a row is archived; archived rows are shown separately. */
  isArchived?: (row: Row) => boolean;
  /** What the filters compare; keep it referentially stable. */
  filters?: TableFilters<Row>;
  state: TableState;
}

const none: never[] = [];
const noFilters = {};

/**
 * The rows that match the search, sorted, and the current page of them. Memoized step by step, so that another page or
 * an earlier sort order does not search and sort thousands of rows again.
 */
export function useTableView<Row>({
  columns,
  rows,
  searchText,
  isArchived,
  filters = noFilters,
  state,
}: TableData<Row>): {
  /** The rows before the filters and the search. */
  current: readonly Row[];
  matching: readonly Row[];
  page: TablePage<Row>;
} {
  const { q, sort, archived = false, status, app, kind } = state;
  const current = useMemo(
    () => (rows && isArchived ? rows.filter((row) => isArchived(row) === archived) : (rows ?? none)),
    [rows, isArchived, archived],
  );
  const chosen = useMemo(
    () => filterRows(current, { status, app, kind }, filters),
    [current, status, app, kind, filters],
  );
  const found = useMemo(() => searchRows(chosen, q, searchText), [chosen, q, searchText]);
  const sortedBy = useMemo(() => rowOrders(found, columns), [found, columns]);
  const matching = useMemo(() => sortedBy(sort), [sortedBy, sort]);
  return { current, matching, page: pageOf(matching, state) };
}
