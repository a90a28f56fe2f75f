/** The metrics of reports and how each follows from what is counted. */
export const REPORT_METRICS = ['spends', 'clicks', 'installs', 'impressions', 'ctr', 'cpm', 'cpi'] as const;
export type UsualMetric = (typeof REPORT_METRICS)[number];
/** What a report answers only when it is asked to. */
const MORE_METRICS = ['win_rate', 'install_rate', 'ipm', 'invalid_clicks', 'invalid_installs'] as const;
export const ALL_METRICS = [...REPORT_METRICS, ...MORE_METRICS] as const;
export type ReportMetric = (typeof ALL_METRICS)[number];

export const HIGHLIGHT_METRICS = ['clicks', 'cpi', 'cpm', 'impressions', 'installs', 'spend'] as const;
export type HighlightMetric = (typeof HIGHLIGHT_METRICS)[number];

/** The order of the dashboard's cards until a person changes it. */
export const DEFAULT_HIGHLIGHTS: readonly HighlightMetric[] = ['spend', 'installs', 'impressions', 'cpi'];

/** The keys that reports filter by and break down by, in the specification's words, `campaign` and `format`. */
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
  /** Width and height, as in 320x50. */
  'format',
] as const;
export type ReportKey = (typeof REPORT_KEYS)[number];

/** The spans of time that reports break down by, in the company's time zone. Weeks are those of ISO 8601. */
export const TIME_LEVELS = ['hour', 'day', 'week', 'month', 'year'] as const;
export type TimeLevel = (typeof TIME_LEVELS)[number];

export const REPORT_LEVELS = [...REPORT_KEYS, ...TIME_LEVELS] as const;
export type ReportLevel = (typeof REPORT_LEVELS)[number];

export const DEFAULT_LEVELS: readonly ReportLevel[] = ['adset', 'creative_type'];

/** What is counted; every metric is computed from these. Spend in micros of a dollar. */
export interface Counts {
  clicks: number;
  installs: number;
  impressions: number;
  spendMicros: number;
  /** Bids that an exchange said were won or lost: counted only for `win_rate`. */
  wins?: number;
  losses?: number;
  /** Clicks of programs and data centers, and their installs: counted only where they are asked for, never among the others. */
  invalidClicks?: number;
  invalidInstalls?: number;
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
  /** Bids won per bid that the exchange decided and told us of, in percent; null without any. */
  win_rate?: number | null;
  /** Installs per click, in percent; null without clicks. */
  install_rate?: number | null;
  /** Installs per thousand impressions; null without impressions. */
  ipm?: number | null;
  /** Clicks of programs and data centers, which are not among `clicks`. */
  invalid_clicks?: number;
  /** The installs that such clicks are said to have brought, which are not among `installs`. */
  invalid_installs?: number;
}

/** The metrics that a report answers: those that are asked for, each once; without any the usual ones. */
export function chosenMetrics(asked: readonly ReportMetric[] | null | undefined): readonly ReportMetric[] {
  return asked && asked.length > 0 ? [...new Set(asked)] : REPORT_METRICS;
}

/** The metrics from what was counted: the usual ones, or those that are chosen and no others. */
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
  // A report has thousands of rows: those of one shape are made quickly.
  if (chosen === REPORT_METRICS) return metrics;
  const others: Partial<Metrics> = {
    win_rate: shareOf(wins, wins + losses, 100),
    install_rate: shareOf(installs, clicks, 100),
    ipm: shareOf(installs, impressions, 1000),
    invalid_clicks: counts.invalidClicks ?? 0,
    invalid_installs: counts.invalidInstalls ?? 0,
  };
  const answer: Partial<Record<ReportMetric, number | null>> = {};
  const all: Partial<Metrics> = { ...metrics, ...others };
  for (const metric of chosen) answer[metric] = all[metric] ?? null;
  return answer as Partial<Metrics>;
}

function shareOf(part: number, whole: number, times: number): number | null {
  return whole === 0 ? null : (part / whole) * times;
}

/** Change against the previous period in percent; null when the previous value is 0 or unknown (shown as infinity). */
export function changePercent(current: number | null, previous: number | null): number | null {
  return previous === null || previous === 0 ? null : (((current ?? 0) - previous) / previous) * 100;
}
