import {
  ALL_METRICS,
  DEFAULT_LEVELS,
  EVENT_NAMES_MAX,
  REPORT_KEYS,
  REPORT_LEVELS,
  REPORT_METRICS,
  RE_ENGAGEMENT_REPORT_METRICS,
  type ReportKey,
  type ReportLevel,
  type ReportMetric,
} from '@bidwell/contract/reports/metrics';
import { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { z } from 'zod';
import { entityId } from '../../lib/entity-id.ts';
import type { TimeGroup } from '../../lib/format/dates.ts';

/** The keys that reports can be filtered by. */
export type FilterKey = Exclude<ReportKey, 'campaign' | 'format'>;
export const FILTER_KEYS = REPORT_KEYS.filter(
  (key): key is FilterKey => key !== 'campaign' && key !== 'format',
);
export type Filters = Partial<Record<FilterKey, string[]>>;

export const LEVELS_MAX = 6;
const GROUPS = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly TimeGroup[];

/** Comma-joined values. The router parses a single number in a URL as a number. */
const joined = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
/** The filters as URL parameters. */
export const filterShape = Object.fromEntries(FILTER_KEYS.map((key) => [key, joined])) as Record<
  FilterKey,
  typeof joined
>;

/** URL parameters of /reports; an invalid one falls back to its default. */
export const reportSearch = z.object({
  mode: z.enum(['Campaign', 'Bundle']).optional().catch(undefined),
  campaign_uuid: entityId,
  campaign_kind: CampaignKind.optional().catch(undefined),
  levels: joined,
  metrics: joined,
  /** Names of in-app events, which may contain commas. */
  events: z.array(z.string().min(1).max(100)).max(EVENT_NAMES_MAX).optional().catch(undefined),
  /** One or two metrics, for the left and the right axis. */
  chart: joined,
  group: z.enum(GROUPS).optional().catch(undefined),
  /** Whether figures are compared with the previous period. */
  compare: z.literal(true).optional().catch(undefined),
  ...filterShape,
});
export type ReportSearch = z.infer<typeof reportSearch>;

/** Settings of a report, parsed from the URL. */
export interface ReportState {
  mode: 'Campaign' | 'Bundle';
  campaignUuid: string | undefined;
  /** Only campaigns of this kind; all without it. */
  campaignKind: CampaignKind | undefined;
  /** The kind of all campaigns in the report: the chosen one, or of the chosen campaign; undefined where it may have both. */
  onlyKind: CampaignKind | undefined;
  levels: ReportLevel[];
  metrics: ReportMetric[];
  events: readonly string[];
  chart: ReportMetric[];
  group: TimeGroup | undefined;
  compare: boolean;
  filters: Filters;
}

const noEvents: readonly string[] = [];

/** The metrics and the chart of a report whose address names none. */
const defaultsOf = (
  kind: CampaignKind | undefined,
): { metrics: readonly ReportMetric[]; chart: readonly ReportMetric[] } =>
  kind === 're_engagement'
    ? { metrics: RE_ENGAGEMENT_REPORT_METRICS, chart: ['spends', 'reattributions'] }
    : { metrics: REPORT_METRICS, chart: ['spends', 'installs'] };

/**
 * Parses URL parameters: unknown names are dropped, an empty list means the default. `kindOf` is the kind of a campaign, undefined while
 * it is not known. Pure.
 */
export function readReport(
  search: ReportSearch,
  kindOf: (campaign: string) => CampaignKind | undefined = () => undefined,
): ReportState {
  const onlyKind =
    search.campaign_kind ?? (search.campaign_uuid === undefined ? undefined : kindOf(search.campaign_uuid));
  const defaults = defaultsOf(onlyKind);
  return {
    mode: search.mode ?? 'Campaign',
    campaignUuid: search.campaign_uuid,
    campaignKind: search.campaign_kind,
    onlyKind,
    levels: known(search.levels, REPORT_LEVELS, DEFAULT_LEVELS).slice(0, LEVELS_MAX),
    metrics: known(search.metrics, ALL_METRICS, defaults.metrics),
    events: search.events ?? noEvents,
    chart: known(search.chart, ALL_METRICS, defaults.chart).slice(0, 2),
    group: search.group,
    compare: search.compare ?? false,
    filters: filtersIn(search),
  };
}

/** The filters in URL parameters. Pure. */
export function filtersIn(search: Partial<Record<FilterKey, string | undefined>>): Filters {
  const filters: Filters = {};
  for (const key of FILTER_KEYS) {
    const values = split(search[key]);
    if (values.length > 0) filters[key] = values;
  }
  return filters;
}

/** A list as a URL parameter; undefined when it is empty or the default. */
function listText(values: readonly string[], usual: readonly string[] = []): string | undefined {
  const text = values.join(',');
  return text === '' || text === usual.join(',') ? undefined : text;
}

export const levelsText = (levels: readonly string[]) => listText(levels, DEFAULT_LEVELS);
export const metricsText = (metrics: readonly string[], kind?: CampaignKind) =>
  listText(metrics, defaultsOf(kind).metrics);
export const chartText = (metrics: readonly string[], kind?: CampaignKind) =>
  listText(metrics, defaultsOf(kind).chart);

/** Filters as URL parameters; names every key, so that removed filters leave the URL. */
export function filterSearch(
  filters: Partial<Record<string, readonly string[]>>,
): Record<FilterKey, string | undefined> {
  return Object.fromEntries(FILTER_KEYS.map((key) => [key, listText(filters[key] ?? [])])) as Record<
    FilterKey,
    string | undefined
  >;
}

function split(text: string | undefined): string[] {
  const values = (text ?? '').split(',').map((value) => value.trim());
  return [...new Set(values.filter((value) => value !== ''))];
}

function known<Name extends string>(
  text: string | undefined,
  names: readonly Name[],
  usual: readonly Name[],
): Name[] {
  const found = split(text).filter((name): name is Name => (names as readonly string[]).includes(name));
  return found.length > 0 ? found : [...usual];
}
