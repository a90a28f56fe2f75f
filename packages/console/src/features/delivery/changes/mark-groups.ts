/** Least distance of two marks in pixels: the size of a mark. */
const DISTANCE = 26;

/** Changes that share a mark on a chart. */
export interface Mark<Change> {
  /** Indexes of the buckets with changes, in the order of time. */
  indexes: number[];
  /** In pixels from the left edge of the chart. */
  x: number;
  /** Newest first. */
  changes: Change[];
}

/** Groups changes, newest first, by their bucket, and buckets that are too close to each other to have marks of their own. */
export function markGroups<Change extends { created_at: string }>(
  changes: readonly Change[],
  points: readonly { starts_at: string }[],
  xs: readonly number[],
): Mark<Change>[] {
  const marks: Mark<Change>[] = [];
  for (const change of changes.toReversed()) {
    const index = points.findLastIndex(
      ({ starts_at: at }) => Date.parse(at) <= Date.parse(change.created_at),
    );
    const x = xs[index];
    if (x === undefined) continue;
    const last = marks.at(-1);
    if (!last || x - last.x >= DISTANCE) {
      marks.push({ indexes: [index], x, changes: [change] });
      continue;
    }
    last.changes.unshift(change);
    if (last.indexes.at(-1) !== index) last.indexes.push(index);
  }
  return marks;
}
