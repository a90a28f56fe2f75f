import type { CampaignKind } from '../campaigns/kind.ts';

/** The default metrics of reports. */
export const REPORT_METRICS = ['spends', 'clicks', 'installs', 'impressions', 'ctr', 'cpm', 'cpi'] as const;
/** Metrics of in-app events and their revenue. */
export const APP_EVENT_METRICS = [
  'app_events',
  'cost_per_app_event',
  'payers',
  'payer_rate',
  'revenue',
  'arpu',
  'arppu',
  'roas',
  'unknown_amounts',
] as const;
/** Metrics of re-engagement campaigns, whose returns, events and revenue are in no other metric. */
export const RE_ENGAGEMENT_METRICS = [
  're_engagement_spend',
  're_engagement_clicks',
  'reattributions',
  'cost_per_reattribution',
  'reinstalls',
  're_engagement_events',
  're_engagement_revenue',
  're_engagement_roas',
] as const;
/** Metrics that a report contains only if requested. */
export const FURTHER_METRICS = [
  'win_rate',
  'install_rate',
  'ipm',
  'invalid_clicks',
  'invalid_installs',
  ...APP_EVENT_METRICS,
  ...RE_ENGAGEMENT_METRICS,
] as const;
/** Every metric of reports, their exports, tables and charts. */
export const ALL_METRICS = [...REPORT_METRICS, ...FURTHER_METRICS] as const;
export type ReportMetric = (typeof ALL_METRICS)[number];

/** The default metrics of reports of re-engagement campaigns alone: returns take the place of installs. */
export const RE_ENGAGEMENT_REPORT_METRICS = [
  'spends',
  'clicks',
  'reattributions',
  'impressions',
  'ctr',
  'cpm',
  'cost_per_reattribution',
] as const satisfies readonly ReportMetric[];

/** Metrics that campaigns of both kinds have. */
const OF_BOTH_KINDS: ReadonlySet<ReportMetric> = new Set([
  'spends',
  'clicks',
  'impressions',
  'ctr',
  'cpm',
  'win_rate',
  'invalid_clicks',
]);
const OF_RE_ENGAGEMENT: ReadonlySet<ReportMetric> = new Set(RE_ENGAGEMENT_METRICS);

/** Whether campaigns of a kind have a metric at all: re-engagement has no installs, acquisition no returns. */
export const appliesToKind = (metric: ReportMetric, kind: CampaignKind): boolean =>
  OF_BOTH_KINDS.has(metric) || OF_RE_ENGAGEMENT.has(metric) === (kind === 're_engagement');

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

/** Most names of in-app events whose figures one report can contain. */
export const EVENT_NAMES_MAX = 10;

/** Counts of in-app events of one name. */
export interface NamedCounts {
  count: number;
  /** Distinct people; null if not known, see {@link AppEventCounts.payers}. */
  people: number | null;
}

/** Counts of in-app events, without those that the partner rejected later. Revenue is in micros of a dollar. */
export interface AppEventCounts {
  events: number;
  /**
   * Distinct people with an event of positive revenue. A person is one bid, so rows of different entities have no person in
   * common, but rows of different times may: null for a sum of such rows.
   */
  payers: number | null;
  revenueMicros: number;
  /** Events whose revenue is known in dollars, and events with an amount that is not. */
  knownRevenues: number;
  unknownRevenues: number;
  /** In the order of the names that the query chose. */
  named: NamedCounts[];
}

/**
 * Counts of re-engagement campaigns. Their impressions, clicks and spend are part of {@link Counts} too, and nothing else is; returns and
 * events that the partner rejected later are subtracted. Money is in micros of a dollar.
 */
export interface ReEngagementCounts {
  impressions: number;
  clicks: number;
  spendMicros: number;
  /** Returns of people who have the app, once for each bid. */
  reattributions: number;
  /** Installs by people who had the app. */
  reinstalls: number;
  events: number;
  revenueMicros: number;
  /** Events whose revenue is known in dollars, and events with an amount that is not. */
  knownRevenues: number;
  unknownRevenues: number;
  /** How many of the events have each of the names that the query chose, in their order. */
  named: readonly number[];
}

/** Counts from which all metrics are computed. Spend is in micros of a dollar. */
export interface Counts {
  clicks: number;
  installs: number;
  impressions: number;
  spendMicros: number;
  /** Bids that an exchange reported as won or lost; for `win_rate` only bids to exchanges that report losses. */
  wins?: number;
  losses?: number;
  /** Invalid traffic: clicks of bots and data centers, and their installs. Counted only on request, separately. */
  invalidClicks?: number;
  invalidInstalls?: number;
  /** In-app events. Counted only on request. */
  appEvents?: AppEventCounts | undefined;
  /** The part of re-engagement campaigns; absent for none. */
  reEngagement?: ReEngagementCounts | undefined;
}

/** Figures of the in-app events of one name. */
export interface NamedEvent {
  name: string;
  count: number;
  /** Distinct people; null in a row Other of times, which may have people in common. */
  people: number | null;
  /** Dollars of spend per event; null without events. */
  cost_per_event: number | null;
  /** Events of re-engagement campaigns, not included in `count`; absent in reports without such campaigns. */
  re_engagement_count?: number | undefined;
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
  /** Dollars per install, without the spend of re-engagement campaigns; null without installs. */
  cpi: number | null;
  /**
   * Won bids per bid with a reported win or loss, in percent, for the exchanges that report losses; null without any. For others it is
   * not known what share of the bids won.
   */
  win_rate?: number | null;
  /** Installs per click, in percent; null without clicks. */
  install_rate?: number | null;
  /** Installs per thousand impressions; null without impressions. */
  ipm?: number | null;
  /** Clicks of bots and data centers, not included in `clicks`. */
  invalid_clicks?: number;
  /** Installs attributed to invalid clicks, not included in `installs`. */
  invalid_installs?: number;
  /** In-app events of any name. */
  app_events?: number;
  /** Dollars per in-app event; null without any. */
  cost_per_app_event?: number | null;
  /** Distinct people with an event of positive revenue; null if no revenue is known although there are amounts. */
  payers?: number | null;
  /** Payers per install, in percent; null without installs. */
  payer_rate?: number | null;
  /** In dollars, of the events whose revenue is known; null if none is although there are amounts. */
  revenue?: number | null;
  /** Revenue per install, in dollars; null without installs. */
  arpu?: number | null;
  /** Revenue per payer, in dollars; null without payers. */
  arppu?: number | null;
  /** Revenue per spend, in percent; null without spend. */
  roas?: number | null;
  /** In-app events with an amount that is not known in dollars, which is missing in `revenue`. */
  unknown_amounts?: number;
  /** Dollars of re-engagement campaigns, which are part of `spends`. */
  re_engagement_spend?: number;
  /** Clicks of re-engagement campaigns, which are part of `clicks`. */
  re_engagement_clicks?: number;
  /** Returns of people who have the app. */
  reattributions?: number;
  /** Dollars per re-attribution; null without any. */
  cost_per_reattribution?: number | null;
  /** Installs of re-engagement campaigns, not included in `installs`. */
  reinstalls?: number;
  /** In-app events of re-engagement campaigns, not included in `app_events`. */
  re_engagement_events?: number;
  /** In dollars, not included in `revenue`; null if no revenue is known although there are amounts. */
  re_engagement_revenue?: number | null;
  /** Revenue per spend of re-engagement campaigns, in percent; null without spend. */
  re_engagement_roas?: number | null;
  /** The in-app events that the query names, in its order. */
  named_events?: NamedEvent[];
}

/** Computes the default metrics. */
export function metricsOf({ clicks, installs, impressions, spendMicros, reEngagement }: Counts): Metrics {
  const spends = spendMicros / 1_000_000;
  const spentOnInstalls = (spendMicros - (reEngagement?.spendMicros ?? 0)) / 1_000_000;
  return {
    clicks,
    installs,
    impressions,
    spends,
    ctr: shareOf(clicks, impressions, 100),
    cpm: shareOf(spends, impressions, 1000),
    cpi: shareOf(spentOnInstalls, installs, 1),
  };
}

/** The counts without re-engagement campaigns. */
export function acquisitionOf(counts: Counts): Counts {
  const { reEngagement, ...all } = counts;
  if (!reEngagement) return counts;
  return {
    ...all,
    clicks: all.clicks - reEngagement.clicks,
    impressions: all.impressions - reEngagement.impressions,
    spendMicros: all.spendMicros - reEngagement.spendMicros,
  };
}

/** `times` the share of a part in a whole; null if one is not known, or the whole is 0. */
export function shareOf(part: number | null, whole: number | null, times: number): number | null {
  return part === null || whole === null || whole === 0 ? null : (part / whole) * times;
}

/** Change from the previous period in percent; null if the previous value is 0 or unknown (shown as infinity). */
export function changePercent(current: number | null, previous: number | null): number | null {
  return previous === null || previous === 0 ? null : (((current ?? 0) - previous) / previous) * 100;
}
