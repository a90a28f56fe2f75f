import type { LevelRow } from '@bidwell/contract/analytics';
import type { Counts, ReportLevel } from '@bidwell/contract/metrics';
import { metricsOf } from '@bidwell/contract/metrics';
import type { CountsRow } from './query-model.ts';

interface Node extends Counts {
  children: Map<string, Node>;
}

/**
 * Rows of counts, one value per level, as a tree with one depth per level: each node sums what is under it, siblings
 * that spent most come first.
 */
export function treeOf(
  levels: readonly ReportLevel[],
  rows: readonly CountsRow[],
  nameOf: (level: ReportLevel, value: string) => string,
): LevelRow[] {
  const root = newNode();
  for (const row of rows) {
    let node = root;
    for (const value of row.values) {
      let child = node.children.get(value);
      if (!child) node.children.set(value, (child = newNode()));
      addCounts(child, row);
      node = child;
    }
  }
  return rowsUnder(root, levels, nameOf);
}

function rowsUnder(
  node: Node,
  [level, ...deeper]: readonly ReportLevel[],
  nameOf: (level: ReportLevel, value: string) => string,
): LevelRow[] {
  if (!level) return [];
  return [...node.children]
    .map(([value, child]) => ({
      level,
      value,
      name: nameOf(level, value),
      ...metricsOf(child),
      children: rowsUnder(child, deeper, nameOf),
    }))
    .sort(
      (a, b) =>
        b.spends - a.spends ||
        b.impressions - a.impressions ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    );
}

/** The sum of counts. */
export function sumOf(counts: Iterable<Counts>): Counts {
  const sum = newCounts();
  for (const each of counts) addCounts(sum, each);
  return sum;
}

export const newCounts = (): Counts => ({ clicks: 0, installs: 0, impressions: 0, spendMicros: 0 });

const newNode = (): Node => ({ ...newCounts(), children: new Map() });

/** Adds `more` to `to`. */
export function addCounts(to: Counts, more: Counts): void {
  to.clicks += more.clicks;
  to.installs += more.installs;
  to.impressions += more.impressions;
  to.spendMicros += more.spendMicros;
}
