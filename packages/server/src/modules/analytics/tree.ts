import type { LevelRow } from '@bidwell/contract/analytics';
import type { Counts, ReportLevel } from '@bidwell/contract/metrics';
import { metricsOf } from '@bidwell/contract/metrics';
import type { CountsRow } from './query-model.ts';
import { addCounts, noCounts } from './series.ts';

interface Node {
  counts: Counts;
  children: Map<string, Node>;
}

const emptyNode = (): Node => ({ counts: noCounts, children: new Map() });

/** A tree, one depth per level, from rows of one value per level. Each node sums its leaves; the costliest come first. */
export function levelTree(
  rows: readonly CountsRow[],
  levels: readonly ReportLevel[],
  nameOf: (level: ReportLevel, value: string) => string,
): LevelRow[] {
  const root = emptyNode();
  for (const row of rows) {
    let node = root;
    for (const value of row.values) {
      let child = node.children.get(value);
      if (!child) node.children.set(value, (child = emptyNode()));
      child.counts = addCounts(child.counts, row);
      node = child;
    }
  }
  const rowsOf = (node: Node, depth: number): LevelRow[] => {
    const level = levels[depth];
    if (!level) return [];
    return [...node.children]
      .sort(
        ([, a], [, b]) =>
          b.counts.spendMicros - a.counts.spendMicros || b.counts.impressions - a.counts.impressions,
      )
      .map(([value, child]) => ({
        level,
        value,
        name: nameOf(level, value),
        ...metricsOf(child.counts),
        children: rowsOf(child, depth + 1),
      }));
  };
  return rowsOf(root, 0);
}
