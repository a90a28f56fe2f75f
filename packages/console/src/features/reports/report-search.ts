import type { ReportKey, ReportLevel, ReportMetric } from '@bidwell/contract/metrics';
import { ALL_METRICS, DEFAULT_LEVELS, REPORT_LEVELS, REPORT_METRICS } from '@bidwell/contract/metrics';
import { z } from 'zod';
import type { TimeGroup } from '../../lib/dates.ts';

/** The keys that a report filters by (specification, section 3). */
export const FILTER_KEYS = [
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
] as const satisfies readonly ReportKey[];
export type FilterKey = (typeof FILTER_KEYS)[number];
export type Filters = Partial<Record<FilterKey, string[]>>;

export const LEVELS_MAX = 6;
const GROUPS = ['day', 'week', 'month', 'year'] as const satisfies readonly TimeGroup[];

/** Comma-joined values. One number alone is read as a number from an address. */
const joined = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
const filterShape = Object.fromEntries(FILTER_KEYS.map((key) => [key, joined])) as Record<
  FilterKey,
  typeof joined
>;

/** What /reports keeps in its address; what makes no sense falls back to its default. */
export const reportSearch = z.object({
  mode: z.enum(['Campaign', 'Bundle']).optional().catch(undefined),
  campaign_uuid: z.uuid().optional().catch(undefined),
  levels: joined,
  metrics: joined,
  /** One or two metrics: of the left and the right axis. */
  chart: joined,
  group: z.enum(GROUPS).optional().catch(undefined),
  /** Whether each figure is shown beside that of the period before. */
  compare: z.literal(true).optional().catch(undefined),
  ...filterShape,
});
export type ReportSearch = z.infer<typeof reportSearch>;

/** What a report shows, as read from its address. */
export interface ReportState {
  mode: 'Campaign' | 'Bundle';
  campaignUuid: string | undefined;
  levels: ReportLevel[];
  metrics: ReportMetric[];
  chart: ReportMetric[];
  group: TimeGroup | undefined;
  compare: boolean;
  filters: Filters;
}

const DEFAULT_CHART: readonly ReportMetric[] = ['spends', 'installs'];

/** Reads an address: unknown names are left out, none at all means the default. Pure. */
export function readReport(search: ReportSearch): ReportState {
  const filters: Filters = {};
  for (const key of FILTER_KEYS) {
    const values = split(search[key]);
    if (values.length > 0) filters[key] = values;
  }
  return {
    mode: search.mode ?? 'Campaign',
    campaignUuid: search.campaign_uuid,
    levels: known(search.levels, REPORT_LEVELS, DEFAULT_LEVELS).slice(0, LEVELS_MAX),
    metrics: known(search.metrics, ALL_METRICS, REPORT_METRICS),
    chart: known(search.chart, ALL_METRICS, DEFAULT_CHART).slice(0, 2),
    group: search.group,
    compare: search.compare ?? false,
    filters,
  };
}

/** A list as the address holds it; undefined for none, or where it says what would be so anyway. */
export function listText(values: readonly string[], usual: readonly string[] = []): string | undefined {
  const text = values.join(',');
  return text === '' || text === usual.join(',') ? undefined : text;
}

export const levelsText = (levels: readonly string[]) => listText(levels, DEFAULT_LEVELS);
export const metricsText = (metrics: readonly string[]) => listText(metrics, REPORT_METRICS);
export const chartText = (metrics: readonly string[]) => listText(metrics, DEFAULT_CHART);

/** Filters as the address holds them; every key is named, so that one that is gone leaves the address too. */
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
