import {
  type BundleReport,
  type DefaultReport,
  type DefaultRow,
  type LevelReport,
  hasDefaultMetrics,
} from '@bidwell/contract/reports/schema';
import type { ReportColumn } from './report-columns.ts';

/** Converts a bundle report with the default metrics, or more, to a level report with one level. Pure. */
export function asLevelReport({ rows, ...others }: BundleReport): DefaultReport {
  const report: LevelReport = {
    ...others,
    rows: rows.map((row) => ({ ...row, level: 'bundle', value: row.bundle, children: [] })),
  };
  if (!hasDefaultMetrics(report)) throw new TypeError('The report lacks default metrics');
  return report;
}

/** The rows whose own name or bundle, or a descendant's, contains the text. Pure. */
export function matchingRows(rows: readonly DefaultRow[], text: string | undefined): readonly DefaultRow[] {
  const searched = (text ?? '').trim().toLowerCase();
  if (searched === '') return rows;
  const contains = (row: DefaultRow): boolean =>
    row.name.toLowerCase().includes(searched) ||
    (row.level === 'bundle' && row.value.toLowerCase().includes(searched)) ||
    row.children.some(contains);
  return rows.filter(contains);
}

/** The largest value of each column in the tree, by its id, for scaling bars. Pure. */
export function largestOf(
  rows: readonly DefaultRow[],
  columns: readonly ReportColumn[],
): Record<string, number> {
  const largest: Record<string, number> = Object.fromEntries(columns.map(({ id }) => [id, 0]));
  const visit = (row: DefaultRow): void => {
    for (const { id, valueOf } of columns) largest[id] = Math.max(largest[id] ?? 0, valueOf(row) ?? 0);
    row.children.forEach(visit);
  };
  rows.forEach(visit);
  return largest;
}

/** All leaves of the tree, each with the names of its ancestors and its own; bundles instead of the names of apps. Pure. */
export function leavesOf(
  rows: readonly DefaultRow[],
  above: readonly string[] = [],
): { names: string[]; row: DefaultRow }[] {
  return rows.flatMap((row) => {
    const names = [...above, row.level === 'bundle' && row.value !== '' ? row.value : row.name];
    return row.children.length === 0 ? [{ names, row }] : leavesOf(row.children, names);
  });
}

/** The id of each row of the tree: the levels and values from the root to it. Pure. */
export function pathsOf(
  rows: readonly DefaultRow[],
  above = '',
  paths = new Map<DefaultRow, string>(),
): ReadonlyMap<DefaultRow, string> {
  for (const row of rows) {
    const path = `${above}\n${row.level}=${row.value}`;
    paths.set(row, path);
    pathsOf(row.children, path, paths);
  }
  return paths;
}

/** The paths of all rows with children. Pure. */
export function openablePaths(rows: readonly DefaultRow[]): string[] {
  return [...pathsOf(rows)].flatMap(([{ children }, path]) => (children.length > 0 ? [path] : []));
}
