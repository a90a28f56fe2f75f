/** The numbers of a decade in ISO 3's series R20: each is about 12 % above the one before. */
const STEPS = [1, 1.12, 1.25, 1.4, 1.6, 1.8, 2, 2.24, 2.5, 2.8, 3.15, 3.55, 4, 4.5, 5, 5.6, 6.3, 7.1, 8, 9];
/** From 10 microseconds on. */
const FIRST_MS = 0.01;
const DECADES = 6;

/**
 * Upper bounds of the buckets of a latency, ms, ascending: 0.01 ms to 10 s. Histograms of all processes have these
 * buckets, so that they can be added; a quantile is off by at most 8 %.
 */
export const LATENCY_BOUNDS_MS: readonly number[] = [
  ...Array.from({ length: DECADES }, (_, decade) =>
    STEPS.map((step) => Number((step * FIRST_MS * 10 ** decade).toPrecision(3))),
  ).flat(),
  FIRST_MS * 10 ** DECADES,
];

/** Number of buckets: one for each bound, and one beyond the last. */
export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1;

/** Index of the bucket of a latency, ms: the first one whose bound is not below it. */
export function latencyBucketOf(ms: number): number {
  let low = 0;
  let high = LATENCY_BOUNDS_MS.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (LATENCY_BOUNDS_MS[middle]! < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Latency in ms below which a part (0 to 1) of the counted ones are; null without any. */
export function latencyQuantileMs(counts: ReadonlyMap<number, number>, part: number): number | null {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let below = 0;
  for (const [bucket, count] of buckets) {
    below += count;
    if (count > 0 && below >= part * total) return middleMs(bucket);
  }
  return null;
}

/** The geometric middle of a bucket, from which its values differ by the same factor at most. */
function middleMs(bucket: number): number {
  const upper = LATENCY_BOUNDS_MS[bucket];
  if (upper === undefined) return LATENCY_BOUNDS_MS.at(-1)!;
  const lower = LATENCY_BOUNDS_MS[bucket - 1];
  return lower === undefined ? upper : Math.sqrt(lower * upper);
}
