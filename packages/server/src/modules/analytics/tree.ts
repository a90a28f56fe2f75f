import type { LevelRow } from '@bidwell/contract/analytics';
import { OTHER } from '@bidwell/contract/analytics';
import type { Counts, ReportLevel, ReportMetric } from '@bidwell/contract/metrics';
import { metricsOf } from '@bidwell/contract/metrics';
import { isTimeLevel } from './buckets.ts';
import { addCounts, noCounts, restOf } from './series.ts';

/** Counts of a period and, where it is compared, of the one before. */
export type Figures = Counts & { before?: Counts };

/** What was counted for one value of each level down to some depth. */
export type TreeCounts = Figures & { values: readonly string[] };

interface Node extends Figures {
  value: string;
  children: Map<string, Node>;
}

/** The sum of rows, each with its comparison if it has one. */
export function sumOf(rows: readonly Figures[]): Figures {
  return rows.reduce<Figures>(
    (sum, row) => ({
      ...addCounts(sum, row),
      ...((sum.before ?? row.before) && {
        before: addCounts(sum.before ?? noCounts, row.before ?? noCounts),
      }),
    }),
    noCounts,
  );
}

/**
 * A tree, one depth per level, from counts by every depth (`depths[n]` has n + 1 values a row). What a node counts beyond
 * its listed children becomes one row more, Other; without such a rest every row is the sum of the rows beneath it. The
 * costliest come first, spans of time in their order. Rows of an unlisted parent are part of an Other further up. Pure.
 */
export function levelTree(
  depths: readonly (readonly TreeCounts[])[],
  total: Figures,
  {
    levels,
    metrics,
    nameOf,
  }: {
    levels: readonly ReportLevel[];
    metrics: readonly ReportMetric[];
    nameOf: (level: ReportLevel, value: string) => string;
  },
): LevelRow[] {
  const root: Node = { ...total, value: '', children: new Map() };
  for (const rows of depths) for (const row of rows) place(root, row);
  const rowsOf = (node: Node, depth: number): LevelRow[] => {
    const level = levels[depth];
    if (!level || node.children.size === 0) return [];
    const children = [...node.children.values()].sort(isTimeLevel(level) ? earliestFirst : costliestFirst);
    const listed: LevelRow[] = children.map((child) => ({
      level,
      value: child.value,
      name: nameOf(level, child.value),
      ...answered(child, metrics),
      children: rowsOf(child, depth + 1),
    }));
    const rest = beyond(node, sumOf(children));
    if (isNothing(rest)) return listed;
    return [...listed, { level, value: OTHER, name: OTHER, ...answered(rest, metrics), children: [] }];
  };
  return rowsOf(root, 0);
}

/** Counts by every depth from those by the deepest: each depth sums what lies beneath it. Pure. */
export function depthsOf(leaves: readonly TreeCounts[], levels: number): TreeCounts[][] {
  return Array.from({ length: levels }, (_, depth) => {
    if (depth === levels - 1) return [...leaves];
    const sums = new Map<string, TreeCounts>();
    for (const leaf of leaves) {
      const values = leaf.values.slice(0, depth + 1);
      const key = values.join('\n');
      const known = sums.get(key);
      sums.set(key, { ...(known ? sumOf([known, leaf]) : leaf), values });
    }
    return [...sums.values()];
  });
}

/** A row's metrics, and those of the period before. */
export function answered(
  { before, ...counts }: Figures,
  metrics: readonly ReportMetric[],
): ReturnType<typeof metricsOf> & { previous?: ReturnType<typeof metricsOf> } {
  return { ...metricsOf(counts, metrics), ...(before && { previous: metricsOf(before, metrics) }) };
}

function place(root: Node, { values, ...figures }: TreeCounts): void {
  let parent: Node | undefined = root;
  for (const value of values.slice(0, -1)) parent = parent?.children.get(value);
  const value = values.at(-1)!;
  parent?.children.set(value, { ...figures, value, children: new Map() });
}

const earliestFirst = (a: Node, b: Node) => (a.value < b.value ? -1 : 1);

const costliestFirst = (a: Figures, b: Figures) =>
  b.spendMicros - a.spendMicros || b.impressions - a.impressions;

function beyond(all: Figures, part: Figures): Figures {
  return {
    ...restOf(all, part),
    ...(all.before && { before: restOf(all.before, part.before ?? noCounts) }),
  };
}

function isNothing({ before, ...counts }: Figures): boolean {
  return Object.values(counts).every((count) => !count) && (!before || isNothing(before));
}
