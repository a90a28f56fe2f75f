/** The metrics of reports and how each follows from what is counted. */
export const REPORT_METRICS = ['spends', 'clicks', 'installs', 'impressions', 'ctr', 'cpm', 'cpi'] as const;
export type ReportMetric = (typeof REPORT_METRICS)[number];

export const HIGHLIGHT_METRICS = ['clicks', 'cpi', 'cpm', 'impressions', 'installs', 'spend'] as const;
export type HighlightMetric = (typeof HIGHLIGHT_METRICS)[number];

/** The order of the dashboard's cards until a person changes it. */
export const DEFAULT_HIGHLIGHTS: readonly HighlightMetric[] = ['spend', 'installs', 'impressions', 'cpi'];

/** The keys that reports filter by and break down by, in the specification's words, and `campaign`. */
export const REPORT_LEVELS = [
  'campaign',
  'adset',
  'app',
  'bundle',
  'os',
  'country',
  'creative',
  'creative_group',
  'creative_width',
  'creative_height',
  'creative_duration',
  'exchange',
  'creative_type',
] as const;
export type ReportLevel = (typeof REPORT_LEVELS)[number];

export const DEFAULT_LEVELS: readonly ReportLevel[] = ['adset', 'creative_type'];

/** What is counted; every metric is computed from these. Spend in micros of a dollar. */
export interface Counts {
  clicks: number;
  installs: number;
  impressions: number;
  spendMicros: number;
}

export interface Metrics {
  clicks: number;
  installs: number;
  impressions: number;
  /** Dollars. */
  spends: number;
  /** Clicks per impression, in percent; null without impressions. */
  ctr: number | null;
  /** Dollars per thousand impressions; null without impressions. */
  cpm: number | null;
  /** Dollars per install; null without installs. */
  cpi: number | null;
}

/** Every metric from what was counted. */
export function metricsOf({ clicks, installs, impressions, spendMicros }: Counts): Metrics {
  const spends = spendMicros / 1_000_000;
  return {
    clicks,
    installs,
    impressions,
    spends,
    ctr: impressions === 0 ? null : (clicks / impressions) * 100,
    cpm: impressions === 0 ? null : (spends / impressions) * 1000,
    cpi: installs === 0 ? null : spends / installs,
  };
}

/** Change against the previous period in percent; null when the previous value is 0 or unknown (shown as infinity). */
export function changePercent(current: number | null, previous: number | null): number | null {
  return previous === null || previous === 0 ? null : (((current ?? 0) - previous) / previous) * 100;
}
