import type { BundleReport, DefaultReport, DefaultRow } from '@bidwell/contract/reports/schema';
import type { ReportLevel, ReportMetric } from '@bidwell/contract/reports/metrics';
import { compareNames } from '../../lib/format/compare-names.ts';

/** Converts a bundle report to a level report with one level. Pure. */
export function asLevelReport({ rows, total }: BundleReport): DefaultReport {
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      level: 'bundle',
      value: row.bundle,
      children: [],
    })),
  };
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

/** Sorts siblings; unknown metrics come last in both directions. Pure. */
export function sortedRows(rows: readonly DefaultRow[], sort: string | undefined): readonly DefaultRow[] {
  if (!sort) return rows;
  const descending = sort.startsWith('-');
  const key = sort.replace('-', '') as ReportMetric | 'name';
  return rows.toSorted((a, b) => {
    if (key === 'name') {
      const order = compareNames(a.name, b.name);
      return descending ? -order : order;
    }
    const [one, other] = [a[key] ?? null, b[key] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return descending ? other - one : one - other;
  });
}

/** The largest value of each metric in the tree, for scaling bars. Pure. */
export function largestOf(
  rows: readonly DefaultRow[],
  metrics: readonly ReportMetric[],
): Record<string, number> {
  const largest: Record<string, number> = Object.fromEntries(metrics.map((metric) => [metric, 0]));
  const visit = (row: DefaultRow): void => {
    for (const metric of metrics) largest[metric] = Math.max(largest[metric] ?? 0, row[metric] ?? 0);
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

/** Id of a row in the tree: the levels and values from the root to it. */
export const rowPath = (above: string, row: { level: ReportLevel; value: string }): string =>
  `${above}\n${row.level}=${row.value}`;

/** The paths of all rows with children. Pure. */
export function openablePaths(rows: readonly DefaultRow[], above = ''): string[] {
  return rows.flatMap((row) => {
    if (row.children.length === 0) return [];
    const path = rowPath(above, row);
    return [path, ...openablePaths(row.children, path)];
  });
}
