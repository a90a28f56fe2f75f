import type { GROUPS, Highlight, Highlights } from '@bidwell/contract/reports/schema';
import { addDays, mondayOf } from '@bidwell/contract/lib/calendar';
import {
  type Counts,
  type HighlightMetric,
  changePercent,
  metricsOf,
} from '@bidwell/contract/reports/metrics';
import { type Figures, sumOf, zeroCounts } from './figures.ts';

export type Group = (typeof GROUPS)[number];

/**
 * First day of the bucket that contains `day`: the day itself, the Monday of its ISO week, or the first of its month
 * or year.
 */
export function bucketOf(day: string, group: Group): string {
  if (group === 'month') return `${day.slice(0, 7)}-01`;
  if (group === 'year') return `${day.slice(0, 4)}-01-01`;
  return group === 'day' ? day : mondayOf(day);
}

const longestDays = { day: 1, week: 7, month: 31, year: 366 } as const;

/** Buckets that overlap the range, in order; null for more than `max`. */
export function bucketsOf(startDate: string, endDate: string, group: Group, max: number): string[] | null {
  const buckets: string[] = [];
  let bucket = bucketOf(startDate, group);
  while (bucket <= endDate) {
    if (buckets.length === max) return null;
    buckets.push(bucket);
    bucket = bucketOf(addDays(bucket, longestDays[group]), group);
  }
  return buckets;
}

/**
 * Dashboard figures from counts by bucket: each metric's total, the total of the period before, the change, and a
 * value for each of `buckets`, including empty ones.
 */
export function highlightsOf(
  rows: readonly (Figures & { bucket: string })[],
  buckets: readonly string[],
): Highlights {
  const series = new Map<string, Counts>(buckets.map((bucket) => [bucket, zeroCounts]));
  for (const { bucket, before: _before, ...counts } of rows)
    series.set(bucket, sumOf([series.get(bucket) ?? zeroCounts, counts]));
  const total = sumOf(rows);
  const previous = total.before ?? zeroCounts;
  const highlight = (metric: HighlightMetric): Highlight => {
    const now = valueOf(metric, total);
    const before = valueOf(metric, previous);
    return {
      total: now,
      previous: before,
      change_percent: changePercent(now, before),
      series: [...series].map(([bucket, counts]) => ({ bucket, value: valueOf(metric, counts) })),
    };
  };
  return {
    clicks: highlight('clicks'),
    cpi: highlight('cpi'),
    cpm: highlight('cpm'),
    impressions: highlight('impressions'),
    installs: highlight('installs'),
    spend: highlight('spend'),
  };
}

function valueOf(metric: HighlightMetric, counts: Counts): number | null {
  return metricsOf(counts)[metric === 'spend' ? 'spends' : metric];
}
