import type { Highlight, Highlights } from '@bidwell/contract/reports/schema';
import type { LiveMessage } from '@bidwell/contract/live/schema';
import {
  type Counts,
  HIGHLIGHT_METRICS,
  type HighlightMetric,
  type Metrics,
  changePercent,
  metricsOf,
} from '@bidwell/contract/reports/metrics';
import { toMicros } from '@bidwell/contract/lib/money';

type Today = Extract<LiveMessage, { type: 'today' }>;

const valueIn = (metrics: Metrics, metric: HighlightMetric) =>
  metrics[metric === 'spend' ? 'spends' : metric];

/**
 * Replaces today's point in highlights by day and recomputes the totals. Null when they do not include that day.
 * Pure.
 */
export function withToday(highlights: Highlights, { date, counts }: Today): Highlights | null {
  const index = highlights.spend.series.findIndex(({ bucket }) => bucket === date);
  if (index === -1) return null;
  const sum = (metric: HighlightMetric, of: (value: number) => number, today: number) =>
    highlights[metric].series.reduce(
      (total, { value }, at) => total + (at === index ? 0 : of(value ?? 0)),
      today,
    );
  const identity = (value: number) => value;
  const { clicks, installs, impressions } = counts;
  const spendMicros = toMicros(counts.spends);
  const counted: Counts = {
    clicks: sum('clicks', identity, clicks),
    installs: sum('installs', identity, installs),
    impressions: sum('impressions', identity, impressions),
    spendMicros: sum('spend', toMicros, spendMicros),
  };
  const [totals, points] = [metricsOf(counted), metricsOf({ clicks, installs, impressions, spendMicros })];
  const updated = (metric: HighlightMetric): Highlight => {
    const { previous, series } = highlights[metric];
    const total = valueIn(totals, metric);
    return {
      total,
      previous,
      change_percent: changePercent(total, previous),
      series: series.map((point, at) =>
        at === index ? { bucket: point.bucket, value: valueIn(points, metric) } : point,
      ),
    };
  };
  return {
    ...highlights,
    ...Object.fromEntries(HIGHLIGHT_METRICS.map((metric) => [metric, updated(metric)])),
  };
}
