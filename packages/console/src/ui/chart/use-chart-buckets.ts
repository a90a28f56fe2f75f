import { useMemo } from 'react';
import { type TimeGroup, bucketLabel, bucketState } from '../../lib/format/dates.ts';
import { usePresent } from '../../lib/today.ts';
import type { ChartParts } from './chart-options.ts';

interface Range {
  start: string;
  end: string;
}

/** The buckets of a chart, as it draws them. */
export interface ChartBuckets {
  labels: readonly string[];
  parts: ChartParts;
  /** A value of a bucket by index: null in the future, where nothing is known. */
  valueAt: (value: number | null, index: number) => number | null;
}

/**
 * Labels buckets in a time zone, and finds the ones that have only a part of their figures: the present one, which has not ended,
 * and the ones that the range cuts. Stable while the buckets are.
 */
export function useChartBuckets(
  buckets: readonly string[],
  group: TimeGroup,
  range: Range,
  timeZone: string,
): ChartBuckets {
  const present = usePresent(timeZone);
  const { start, end } = range;
  return useMemo(() => {
    const states = buckets.map((bucket) => bucketState(bucket, group, { start, end }, present));
    return {
      labels: buckets.map((bucket) => bucketLabel(bucket, group, timeZone)),
      parts: new Map(
        states.flatMap((state, index) => (typeof state === 'object' ? [[index, state.part] as const] : [])),
      ),
      valueAt: (value, index) => (states[index] === 'future' ? null : value),
    };
  }, [buckets, group, start, end, timeZone, present]);
}
