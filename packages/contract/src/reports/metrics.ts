/** The default metrics of reports. */
export const REPORT_METRICS = ['spends', 'clicks', 'installs', 'impressions', 'ctr', 'cpm', 'cpi'] as const;
export type DefaultMetric = (typeof REPORT_METRICS)[number];
/** Metrics that a report contains only if requested. */
const OPTIONAL_METRICS = ['win_rate', 'install_rate', 'ipm', 'invalid_clicks', 'invalid_installs'] as const;
export const ALL_METRICS = [...REPORT_METRICS, ...OPTIONAL_METRICS] as const;
export type ReportMetric = (typeof ALL_METRICS)[number];

export const HIGHLIGHT_METRICS = ['clicks', 'cpi', 'cpm', 'impressions', 'installs', 'spend'] as const;
export type HighlightMetric = (typeof HIGHLIGHT_METRICS)[number];

/** Default order of the dashboard's cards. */
export const DEFAULT_HIGHLIGHTS: readonly HighlightMetric[] = ['spend', 'installs', 'impressions', 'cpi'];

/** The keys by which reports can be filtered and broken down. */
export const REPORT_KEYS = [
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
  /** Width and height: `320x50`. */
  'format',
] as const;
export type ReportKey = (typeof REPORT_KEYS)[number];

/** Time levels of reports, in the company's time zone. Weeks follow ISO 8601. */
export const TIME_LEVELS = ['hour', 'day', 'week', 'month', 'year'] as const;
export type TimeLevel = (typeof TIME_LEVELS)[number];

export const REPORT_LEVELS = [...REPORT_KEYS, ...TIME_LEVELS] as const;
export type ReportLevel = (typeof REPORT_LEVELS)[number];

export const DEFAULT_LEVELS: readonly ReportLevel[] = ['adset', 'creative_type'];

/** Counts from which all metrics are computed. Spend is in micros of a dollar. */
export interface Counts {
  clicks: number;
  installs: number;
  impressions: number;
  spendMicros: number;
  /** Bids that an exchange reported as won or lost; counted only for `win_rate`. */
  wins?: number;
  losses?: number;
  /** Invalid traffic: clicks of bots and data centers, and their installs. Counted only on request, separately. */
  invalidClicks?: number;
  invalidInstalls?: number;
}

export interface Metrics {
  clicks: number;
  installs: number;
  impressions: number;
  /** In dollars. */
  spends: number;
  /** Clicks per impression, in percent; null without impressions. */
  ctr: number | null;
  /** Dollars per thousand impressions; null without impressions. */
  cpm: number | null;
  /** Dollars per install; null without installs. */
  cpi: number | null;
  /** Won bids per bid with a reported win or loss, in percent; null without any. */
  win_rate?: number | null;
  /** Installs per click, in percent; null without clicks. */
  install_rate?: number | null;
  /** Installs per thousand impressions; null without impressions. */
  ipm?: number | null;
  /** Clicks of bots and data centers, not included in `clicks`. */
  invalid_clicks?: number;
  /** Installs attributed to invalid clicks, not included in `installs`. */
  invalid_installs?: number;
}

/** The metrics of a report: the requested ones without duplicates, or the default ones if none are requested. */
export function selectedMetrics(
  requested: readonly ReportMetric[] | null | undefined,
): readonly ReportMetric[] {
  return requested && requested.length > 0 ? [...new Set(requested)] : REPORT_METRICS;
}

/** Computes the default metrics, or only the `chosen` ones. */
export function metricsOf(counts: Counts): Metrics;
export function metricsOf(counts: Counts, chosen: readonly ReportMetric[]): Partial<Metrics>;
export function metricsOf(
  counts: Counts,
  chosen: readonly ReportMetric[] = REPORT_METRICS,
): Partial<Metrics> {
  const { clicks, installs, impressions, spendMicros, wins = 0, losses = 0 } = counts;
  const spends = spendMicros / 1_000_000;
  const metrics = {
    clicks,
    installs,
    impressions,
    spends,
    ctr: shareOf(clicks, impressions, 100),
    cpm: shareOf(spends, impressions, 1000),
    cpi: shareOf(spends, installs, 1),
  };
  // Fast path: reports have thousands of rows, mostly with the default metrics.
  if (chosen === REPORT_METRICS) return metrics;
  const others: Partial<Metrics> = {
    win_rate: shareOf(wins, wins + losses, 100),
    install_rate: shareOf(installs, clicks, 100),
    ipm: shareOf(installs, impressions, 1000),
    invalid_clicks: counts.invalidClicks ?? 0,
    invalid_installs: counts.invalidInstalls ?? 0,
  };
  const values: Partial<Record<ReportMetric, number | null>> = {};
  const all: Partial<Metrics> = { ...metrics, ...others };
  for (const metric of chosen) values[metric] = all[metric] ?? null;
  return values as Partial<Metrics>;
}

function shareOf(part: number, whole: number, times: number): number | null {
  return whole === 0 ? null : (part / whole) * times;
}

/** Change from the previous period in percent; null if the previous value is 0 or unknown (shown as infinity). */
export function changePercent(current: number | null, previous: number | null): number | null {
  return previous === null || previous === 0 ? null : (((current ?? 0) - previous) / previous) * 100;
}
