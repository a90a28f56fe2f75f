import {
  type AppEventCounts,
  type Counts,
  type Metrics,
  type NamedEvent,
  type RE_ENGAGEMENT_METRICS,
  REPORT_METRICS,
  type ReEngagementCounts,
  type ReportMetric,
  acquisitionOf,
  metricsOf,
  shareOf,
} from './metrics.ts';

/** The metrics of a report: the requested ones without duplicates, or the default ones if none are requested. */
export function selectedMetrics(
  requested: readonly ReportMetric[] | null | undefined,
): readonly ReportMetric[] {
  return requested && requested.length > 0 ? [...new Set(requested)] : REPORT_METRICS;
}

/** Names of in-app events that a report has figures of: the requested ones without duplicates. */
export function selectedEvents(requested: readonly string[] | null | undefined): readonly string[] {
  return [...new Set(requested)];
}

/** Computes the `chosen` metrics, and the figures of the in-app events that are named. */
export function chosenMetricsOf(
  counts: Counts,
  chosen: readonly ReportMetric[],
  eventNames: readonly string[] = [],
): Partial<Metrics> {
  const metrics = metricsOf(counts);
  // Fast path: reports have thousands of rows, mostly with the default metrics.
  if (chosen === REPORT_METRICS && eventNames.length === 0) return metrics;
  const { installs, wins = 0, losses = 0 } = counts;
  const acquisition = acquisitionOf(counts);
  const all: Partial<Metrics> = {
    ...metrics,
    win_rate: shareOf(wins, wins + losses, 100),
    install_rate: shareOf(installs, acquisition.clicks, 100),
    ipm: shareOf(installs, acquisition.impressions, 1000),
    invalid_clicks: counts.invalidClicks ?? 0,
    invalid_installs: counts.invalidInstalls ?? 0,
    ...appEventMetrics(acquisition),
    ...reEngagementMetrics(counts.reEngagement),
  };
  const values: Partial<Record<ReportMetric, number | null>> = {};
  for (const metric of chosen) values[metric] = all[metric] ?? null;
  if (eventNames.length === 0) return values as Partial<Metrics>;
  return {
    ...values,
    named_events: namedEvents(acquisition, eventNames, counts.reEngagement),
  } as Partial<Metrics>;
}

const noAppEvents: AppEventCounts = {
  events: 0,
  payers: 0,
  revenueMicros: 0,
  knownRevenues: 0,
  unknownRevenues: 0,
  named: [],
};

function appEventMetrics({ installs, spendMicros, appEvents = noAppEvents }: Counts): Partial<Metrics> {
  const spends = spendMicros / 1_000_000;
  const { events, knownRevenues, unknownRevenues } = appEvents;
  const isUnknown = knownRevenues === 0 && unknownRevenues > 0;
  const revenue = isUnknown ? null : appEvents.revenueMicros / 1_000_000;
  const payers = isUnknown ? null : appEvents.payers;
  return {
    app_events: events,
    cost_per_app_event: shareOf(spends, events, 1),
    payers,
    payer_rate: shareOf(payers, installs, 100),
    revenue,
    arpu: shareOf(revenue, installs, 1),
    arppu: shareOf(revenue, payers, 1),
    roas: shareOf(revenue, spends, 100),
    unknown_amounts: unknownRevenues,
  };
}

type ReEngagementMetric = (typeof RE_ENGAGEMENT_METRICS)[number];

const noReEngagement: ReEngagementCounts = {
  impressions: 0,
  clicks: 0,
  spendMicros: 0,
  reattributions: 0,
  reinstalls: 0,
  events: 0,
  revenueMicros: 0,
  knownRevenues: 0,
  unknownRevenues: 0,
  named: [],
};

/** The metrics of re-engagement campaigns. */
export function reEngagementMetrics(
  counts: ReEngagementCounts = noReEngagement,
): Required<Pick<Metrics, ReEngagementMetric>> {
  const { clicks, spendMicros, reattributions, reinstalls, events, revenueMicros } = counts;
  const spend = spendMicros / 1_000_000;
  const isUnknown = counts.knownRevenues === 0 && counts.unknownRevenues > 0;
  const revenue = isUnknown ? null : revenueMicros / 1_000_000;
  return {
    re_engagement_spend: spend,
    re_engagement_clicks: clicks,
    reattributions,
    cost_per_reattribution: shareOf(spend, reattributions, 1),
    reinstalls,
    re_engagement_events: events,
    re_engagement_revenue: revenue,
    re_engagement_roas: shareOf(revenue, spend, 100),
  };
}

function namedEvents(
  { spendMicros, appEvents = noAppEvents }: Counts,
  names: readonly string[],
  reEngagement: ReEngagementCounts | undefined,
): NamedEvent[] {
  return names.map((name, index) => {
    const { count, people } = appEvents.named[index] ?? { count: 0, people: 0 };
    return {
      name,
      count,
      people,
      cost_per_event: shareOf(spendMicros / 1_000_000, count, 1),
      ...(reEngagement && { re_engagement_count: reEngagement.named[index] ?? 0 }),
    };
  });
}
