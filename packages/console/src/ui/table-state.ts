import { compareNames } from '../lib/compare-names.ts';

/** How a table is shown. Screens keep it in the address, so that reload, back and a shared link find the same. */
export interface TableState {
  /** What is searched for. */
  q?: string | undefined;
  /** Id of the column that sorts, with a minus before it for descending. */
  sort?: string | undefined;
  /** From 1. */
  page?: number | undefined;
  size?: number | undefined;
  /** True for what is archived in place of what is not; for tables that know which is which. */
  archived?: boolean | undefined;
}

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 25;

/** A column of a data table. */
export interface Column<Row> {
  id: string;
  header: string;
  /** The head is for screen readers only: what stands in the column speaks for itself. */
  headerHidden?: boolean;
  cell: (row: Row) => React.ReactNode;
  /** What the column sorts by; without it the column does not sort. Null comes last either way. */
  sortBy?: (row: Row) => string | number | null;
  /** Numbers stand right. */
  numeric?: boolean;
  /** Cell of the totals row; a function is given the rows that match the search. */
  footer?: React.ReactNode | ((matching: readonly Row[]) => React.ReactNode);
  width?: number | string;
  /** Shown only when a person chooses the column; for tables with a column choice. */
  hidden?: boolean;
  /** Cannot be hidden. */
  fixed?: boolean;
}

/** The next order when a column's head is clicked: ascending, descending, none. */
export function nextSort(sort: string | undefined, id: string): string | undefined {
  if (sort === id) return `-${id}`;
  return sort === `-${id}` ? undefined : id;
}

/** The rows whose text has what is searched for; all without a search. Pure. */
export function searchRows<Row>(
  rows: readonly Row[],
  q: string | undefined,
  textOf: ((row: Row) => string) | undefined,
): readonly Row[] {
  const wanted = q?.trim().toLowerCase() ?? '';
  return wanted === '' || !textOf ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted));
}

/** Those of the rows that are on the page; a page beyond the last is the last. Pure. */
export function pageOf<Row>(
  rows: readonly Row[],
  state: TableState,
): { onPage: Row[]; page: number; pages: number; size: number } {
  const size = state.size ?? DEFAULT_PAGE_SIZE;
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.min(state.page ?? 1, pages);
  return { onPage: rows.slice((page - 1) * size, page * size), page, pages, size };
}

/** Sorts rows by each column that is asked for, once, and keeps the orders: `sort` names one as the table's state does. */
export function rowOrders<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): (sort: string | undefined) => readonly Row[] {
  const orders = new Map<string, { valued: readonly Row[]; none: readonly Row[] }>();
  return (sort) => {
    const id = sort?.replace('-', '');
    const sortBy = columns.find((column) => column.id === id)?.sortBy;
    if (!sortBy) return rows;
    let order = orders.get(id!);
    if (!order) orders.set(id!, (order = ascending(rows, sortBy)));
    return [...(sort!.startsWith('-') ? order.valued.toReversed() : order.valued), ...order.none];
  };
}

/** The rows in the order that `sort` names, none last; as they are without one. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string | undefined,
): readonly Row[] {
  return rowOrders(rows, columns)(sort);
}

function ascending<Row>(rows: readonly Row[], sortBy: (row: Row) => string | number | null) {
  const keyed = rows.map((row) => ({ row, key: sortBy(row) }));
  const valued = keyed.flatMap(({ row, key }) => (key === null ? [] : [{ row, key }]));
  return {
    valued: valued.sort((a, b) => compare(a.key, b.key)).map(({ row }) => row),
    none: keyed.filter(({ key }) => key === null).map(({ row }) => row),
  };
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareNames(String(a), String(b));
}
