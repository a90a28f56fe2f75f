import type { GROUPS, Highlights } from '@bidwell/contract/analytics';
import { addDays } from '@bidwell/contract/calendar';
import type { Counts, HighlightMetric } from '@bidwell/contract/metrics';
import { HIGHLIGHT_METRICS, changePercent, metricsOf } from '@bidwell/contract/metrics';

export type Group = (typeof GROUPS)[number];
type DayCounts = Counts & { day: string };

const none: Counts = { clicks: 0, installs: 0, impressions: 0, spendMicros: 0 };

/** The first day of the bucket that a day falls in: itself, its ISO week's Monday, its month's or its year's first. */
export function bucketOf(day: string, group: Group): string {
  switch (group) {
    case 'day':
      return day;
    case 'week':
      return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
    case 'month':
      return `${day.slice(0, 7)}-01`;
    case 'year':
      return `${day.slice(0, 4)}-01-01`;
  }
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    clicks: a.clicks + b.clicks,
    installs: a.installs + b.installs,
    impressions: a.impressions + b.impressions,
    spendMicros: a.spendMicros + b.spendMicros,
  };
}

/**
 * The dashboard's figures from counts by day: each metric's total, the same of the period before, the change, and a
 * point for every bucket from `startDate` to `endDate`, the empty ones too.
 */
export function highlightsOf(
  current: readonly DayCounts[],
  previous: Counts,
  range: { startDate: string; endDate: string; group: Group },
): Highlights {
  const buckets = new Map<string, Counts>();
  for (let day = range.startDate; day <= range.endDate; day = addDays(day, 1))
    buckets.set(bucketOf(day, range.group), none);
  let total = none;
  for (const counts of current) {
    const bucket = bucketOf(counts.day, range.group);
    buckets.set(bucket, addCounts(buckets.get(bucket) ?? none, counts));
    total = addCounts(total, counts);
  }
  const highlight = (metric: HighlightMetric) => {
    const now = valueOf(metric, total);
    const before = valueOf(metric, previous);
    return {
      total: now,
      previous: before,
      change_percent: changePercent(now, before),
      series: [...buckets].map(([bucket, counts]) => ({ bucket, value: valueOf(metric, counts) })),
    };
  };
  return Object.fromEntries(HIGHLIGHT_METRICS.map((metric) => [metric, highlight(metric)])) as Highlights;
}

function valueOf(metric: HighlightMetric, counts: Counts): number | null {
  const metrics = metricsOf(counts);
  return metric === 'spend' ? metrics.spends : metrics[metric];
}
