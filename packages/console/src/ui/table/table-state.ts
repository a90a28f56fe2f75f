import type { TableState } from '../../lib/table-search.ts';
import { compareNames } from '../../lib/format/compare-names.ts';

/** What the filters of a table compare. */
export interface TableFilters<Row> {
  statusOf?: (row: Row) => string | null;
  /** The apps that a row belongs to. */
  appsOf?: (row: Row) => readonly { uuid: string; name: string }[];
  /** The kind of a row: its value, which the URL has, and its name on the screen. */
  kindOf?: (row: Row) => { value: string; label: string } | null;
}

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 25;

/** A column of a data table. */
export interface Column<Row> {
  id: string;
  header: string;
  /** How its figures are counted; a tooltip of the header of a sortable column. */
  about?: string | undefined;
  /** The buttons of a row, which stay in sight while the table scrolls sideways. Its header is for screen readers only. */
  actions?: boolean;
  cell: (row: Row) => React.ReactNode;
  /** The sort key; without it the column cannot be sorted. Null comes last in both directions. */
  sortBy?: (row: Row) => string | number | null;
  /** The first click on its header sorts in descending order. */
  descendsFirst?: boolean;
  /** Aligns the column right. */
  numeric?: boolean;
  /** Its cells state figures of the selected range, in a table whose rows do not depend on it. */
  figure?: boolean;
  /** Cell of the totals row; a function gets the rows that match the search. */
  footer?: React.ReactNode | ((matching: readonly Row[]) => React.ReactNode);
  width?: number | string;
  /** Where the text of a cell breaks, if not at spaces: never, as a date, or anywhere, as a name. */
  wrap?: 'never' | 'anywhere';
  /**
   * The line of the column on a phone, where each row is a card of three lines, or none. Columns without a line are
   * below them.
   */
  line?: 1 | 2 | 3 | 'none';
  /** Hidden by default; for tables with a column selection. */
  hidden?: boolean;
  /** Whether an earlier release showed it by default; choices that were stored then are relative to this. */
  wasShown?: boolean;
  /** Shown although hidden by default, because its figures are known to exist, until it is hidden by choice. */
  suggested?: boolean;
  /** Cannot be hidden. */
  fixed?: boolean;
}

/** The direction in which a table is sorted by a column, as `aria-sort` names it. */
export function sortOrder(sort: string | undefined, column: string): 'ascending' | 'descending' | 'none' {
  return sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none';
}

/** The next sort when a column's header is clicked: ascending, descending, none; or descending first. */
export function nextSort(
  sort: string | undefined,
  { id, descendsFirst = false }: Pick<Column<never>, 'id' | 'descendsFirst'>,
): string | undefined {
  const turns = descendsFirst ? [`-${id}`, id] : [id, `-${id}`];
  return turns[turns.indexOf(sort ?? '') + 1];
}

/** The rows whose text contains the search, without regard to case; all without a search. Pure. */
export function searchRows<Row>(
  rows: readonly Row[],
  q: string | undefined,
  textOf: ((row: Row) => string) | undefined,
): readonly Row[] {
  const searched = q?.trim().toLowerCase() ?? '';
  return searched === '' || !textOf
    ? rows
    : rows.filter((row) => textOf(row).toLowerCase().includes(searched));
}

/** The rows of the status, the app and the kind that the state names; all without them. Pure. */
export function filterRows<Row>(
  rows: readonly Row[],
  { status, app, kind }: Pick<TableState, 'status' | 'app' | 'kind'>,
  { statusOf, appsOf, kindOf }: TableFilters<Row>,
): readonly Row[] {
  const isShown = (row: Row) =>
    (status === undefined || !statusOf || statusOf(row) === status) &&
    (kind === undefined || !kindOf || kindOf(row)?.value === kind) &&
    (app === undefined || !appsOf || appsOf(row).some(({ uuid }) => uuid === app));
  return status === undefined && app === undefined && kind === undefined ? rows : rows.filter(isShown);
}

/** A page of a table's rows. */
export interface TablePage<Row> {
  rows: Row[];
  /** From 1. */
  number: number;
  /** Number of pages, at least 1. */
  count: number;
  /** Rows per page. */
  size: number;
}

/** The rows of the current page; a page beyond the last counts as the last. Pure. */
export function pageOf<Row>(rows: readonly Row[], state: TableState): TablePage<Row> {
  const size = state.size ?? DEFAULT_PAGE_SIZE;
  const count = Math.max(1, Math.ceil(rows.length / size));
  const number = Math.min(state.page ?? 1, count);
  return { rows: rows.slice((number - 1) * size, number * size), number, count, size };
}

/** Returns a function that sorts the rows as `sort` says; each column is sorted once and memoized. */
export function rowOrders<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): (sort: string | undefined) => readonly Row[] {
  const orders = new Map<string, { withKey: readonly Row[]; withoutKey: readonly Row[] }>();
  return (sort) => {
    const id = sort?.replace('-', '');
    const sortBy = columns.find((column) => column.id === id)?.sortBy;
    if (!sortBy) return rows;
    let order = orders.get(id!);
    if (!order) orders.set(id!, (order = ascending(rows, sortBy)));
    return [...(sort!.startsWith('-') ? order.withKey.toReversed() : order.withKey), ...order.withoutKey];
  };
}

/** The rows sorted as `sort` says, null last; unchanged without a sort. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string | undefined,
): readonly Row[] {
  return rowOrders(rows, columns)(sort);
}

function ascending<Row>(rows: readonly Row[], sortBy: (row: Row) => string | number | null) {
  const keyed = rows.map((row) => ({ row, key: sortBy(row) }));
  const withKey = keyed.flatMap(({ row, key }) => (key === null ? [] : [{ row, key }]));
  return {
    withKey: withKey.sort((a, b) => compare(a.key, b.key)).map(({ row }) => row),
    withoutKey: keyed.filter(({ key }) => key === null).map(({ row }) => row),
  };
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareNames(String(a), String(b));
}
