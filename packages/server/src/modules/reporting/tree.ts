import { type LevelReport, type LevelRow, OTHER } from '@bidwell/contract/reports/schema';
import { chosenMetricsOf } from '@bidwell/contract/reports/chosen-metrics';
import type { Metrics, ReportLevel, ReportMetric } from '@bidwell/contract/reports/metrics';
import { isTimeLevel } from './buckets.ts';
import { type Figures, addTo, isZero, newSum, remainderOf, sumOf } from './figures.ts';

/** Counts for one combination of values of the first levels. */
export type TreeCounts = Figures & { values: readonly string[] };

/** Counts of one value under its parents' values. Children are in the order in which they were added. */
export interface TreeNode {
  value: string;
  figures: Figures;
  children: Map<string, TreeNode>;
  /** True if the figures were computed as the sum of the children's. */
  isSum: boolean;
}

/** The counts that rows show. */
export interface ChosenFigures {
  metrics: readonly ReportMetric[];
  /** Names of in-app events. */
  eventNames?: readonly string[];
}

/** Rows between two yields to the event loop. */
const STEPS = 200;

/** Builds the tree from counts by all levels, with each combination once. Every inner node sums its descendants. */
export function* treeOfLeaves(leaves: readonly TreeCounts[]): Generator<void, TreeNode> {
  const root = nodeOf('', newSum(), true);
  for (const [index, leaf] of leaves.entries()) {
    if (index % STEPS === 0) yield;
    const last = leaf.values.length - 1;
    let node = root;
    addTo(node.figures, leaf);
    for (let depth = 0; depth < last; depth += 1) {
      node = childOf(node, leaf.values[depth]!);
      addTo(node.figures, leaf);
    }
    node.children.set(leaf.values[last]!, nodeOf(leaf.values[last]!, leaf));
  }
  return root;
}

/**
 * Builds the tree from counts by each depth (rows of `depths[n]` have n + 1 values), which may be incomplete. Rows
 * whose parent is missing are left out.
 */
export function* treeOfDepths(
  depths: readonly (readonly TreeCounts[])[],
  total: Figures,
): Generator<void, TreeNode> {
  const root = nodeOf('', total);
  for (const [index, row] of depths.flat().entries()) {
    if (index % STEPS === 0) yield;
    let parent: TreeNode | undefined = root;
    for (const value of row.values.slice(0, -1)) parent = parent?.children.get(value);
    const value = row.values.at(-1)!;
    parent?.children.set(value, nodeOf(value, row));
  }
  return root;
}

/** Distinct values of each depth. */
export function valuesOf(tree: TreeNode, depths: number): ReadonlySet<string>[] {
  const values = Array.from({ length: depths }, () => new Set<string>());
  const collect = ({ children }: TreeNode, depth: number): void => {
    for (const child of children.values()) {
      values[depth]!.add(child.value);
      collect(child, depth + 1);
    }
  };
  collect(tree, 0);
  return values;
}

/**
 * Rows under the root, one depth per level. A row Other holds what a node counts beyond its children; without one,
 * each row is the sum of the rows under it. Sorted by spend, highest first; buckets of time chronologically. Pure
 * generator; run it with `runYielding`.
 */
export function levelRows(
  tree: TreeNode,
  {
    levels,
    nameOf,
    ...chosen
  }: ChosenFigures & {
    levels: readonly ReportLevel[];
    nameOf: (level: ReportLevel, value: string) => string;
  },
): Generator<void, LevelRow[]> {
  let made = 0;
  function* rowsOf(node: TreeNode, depth: number): Generator<void, LevelRow[]> {
    const level = levels[depth];
    if (!level || node.children.size === 0) return [];
    const children = [...node.children.values()].sort(isTimeLevel(level) ? byValue : bySpend);
    const rows: LevelRow[] = [];
    for (const child of children) {
      made += 1;
      if (made % STEPS === 0) yield;
      rows.push(
        // Spreading the figures would take longer than counting them.
        Object.assign(reportedMetrics(child.figures, chosen), {
          level,
          value: child.value,
          name: nameOf(level, child.value),
          children: child.children.size === 0 ? [] : yield* rowsOf(child, depth + 1),
        }),
      );
    }
    if (node.isSum) return rows;
    const remainder = remainderOf(node.figures, sumOf(children.map(({ figures }) => figures)), {
      ofTimes: isTimeLevel(level),
    });
    if (!isZero(remainder))
      rows.push({ ...reportedMetrics(remainder, chosen), level, value: OTHER, name: OTHER, children: [] });
    return rows;
  }
  return rowsOf(tree, 0);
}

/** A row's metrics and, in a comparison, the metrics of the period before. */
export function reportedMetrics(
  figures: Figures,
  { metrics, eventNames }: ChosenFigures,
): Partial<Metrics> & { previous?: Partial<Metrics> } {
  const { before } = figures;
  const now = chosenMetricsOf(figures, metrics, eventNames);
  return before ? { ...now, previous: chosenMetricsOf(before, metrics, eventNames) } : now;
}

/** Serializes the report as JSON in the response envelope. Generator; run it with `runYielding`. */
export function* reportJson({ rows, ...others }: LevelReport): Generator<void, string> {
  const parts: string[] = [];
  let written = 0;
  function* write(list: readonly LevelRow[]): Generator<void> {
    parts.push('[');
    for (const [index, row] of list.entries()) {
      written += 1;
      if (written % STEPS === 0) yield;
      if (index > 0) parts.push(',');
      const { children, ...own } = row;
      parts.push(JSON.stringify(own).slice(0, -1), ',"children":');
      if (children.length === 0) parts.push('[]}');
      else {
        yield* write(children);
        parts.push('}');
      }
    }
    parts.push(']');
  }
  parts.push('{"data":{"rows":');
  yield* write(rows);
  parts.push(',', JSON.stringify(others).slice(1), '}');
  return parts.join('');
}

function nodeOf(value: string, figures: Figures, isSum = false): TreeNode {
  return { value, figures, children: new Map(), isSum };
}

function childOf(parent: TreeNode, value: string): TreeNode {
  const known = parent.children.get(value);
  if (known) return known;
  const child = nodeOf(value, newSum(), true);
  parent.children.set(value, child);
  return child;
}

const byValue = (a: TreeNode, b: TreeNode) => (a.value < b.value ? -1 : 1);

const bySpend = ({ figures: a }: TreeNode, { figures: b }: TreeNode) =>
  b.spendMicros - a.spendMicros || b.impressions - a.impressions;
