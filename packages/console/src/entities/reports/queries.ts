import {
  type CHART_GROUPS,
  type DefaultReport,
  type LevelQuery,
  hasDefaultMetrics,
} from '@bidwell/contract/reports/schema';
import * as endpoints from '@bidwell/contract/reports/endpoints';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { CohortGroup } from '@bidwell/contract/reports/cohorts';
import type { ReportKey, ReportLevel, ReportMetric } from '@bidwell/contract/reports/metrics';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { pollingInterval } from '../../lib/live/connection-state.ts';

export type Group = (typeof CHART_GROUPS)[number];

interface Range {
  start: string;
  end: string;
}

/** Polling interval of a visible screen's figures where no connection publishes their changes. */
const POLL_MS = 5000;
const HOURS_POLL_MS = 30_000;

export const highlightsQuery = (range: Range, group: Group) =>
  queryOptions({
    queryKey: ['analytics', 'highlight', range, group],
    queryFn: () =>
      api.call(endpoints.readHighlights, {
        query: { start_date: range.start, end_date: range.end, group },
      }),
    placeholderData: keepPreviousData,
    // Live updates have the counts of days only.
    refetchInterval: group === 'hour' ? HOURS_POLL_MS : pollingInterval(POLL_MS),
    staleTime: 0,
  });

/** A level report. `query.metrics` is empty or includes the default metrics. */
export async function levelReport(query: LevelQuery): Promise<DefaultReport> {
  const report = await api.call(endpoints.reportByLevels, { body: query });
  if (!hasDefaultMetrics(report)) throw new TypeError('The report lacks default metrics');
  return report;
}

/** The figures of a report: metrics, the default ones where there are none, and names of in-app events. */
interface ChosenFigures {
  metrics?: readonly ReportMetric[];
  events?: readonly string[];
  /** Only campaigns of this kind. */
  kind?: CampaignKind | undefined;
}

/** A tree of metrics by `levels`, filtered by comma-joined values; `compare` adds the previous period. */
export const levelQuery = (
  range: Range,
  levels: readonly ReportLevel[],
  filters: Partial<Record<ReportKey, string>> = {},
  { metrics = [], events = [], kind, compare = false }: ChosenFigures & { compare?: boolean } = {},
) =>
  queryOptions({
    queryKey: ['analytics', 'level', range, levels, filters, metrics, events, kind, compare],
    queryFn: () =>
      levelReport({
        start_date: range.start,
        end_date: range.end,
        levels: Object.fromEntries(levels.map((level) => [level, ''])),
        filters,
        metrics: [...metrics],
        event_names: [...events],
        campaign_kind: kind ?? null,
        compare,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });

const expandedLevels = ['campaign', 'adset', 'creative'] as const;

/** Metrics of campaigns by ad set and creative, with the range and the campaigns that they are of. */
export const expandedQuery = (
  range: Range,
  campaigns: readonly string[],
  metrics: readonly ReportMetric[] = [],
) =>
  queryOptions({
    queryKey: ['analytics', 'level', range, 'expanded', campaigns, metrics],
    queryFn: async () => {
      const { rows } = await levelReport({
        start_date: range.start,
        end_date: range.end,
        levels: Object.fromEntries(expandedLevels.map((level) => [level, ''])),
        filters: { campaign: campaigns.join(',') },
        metrics: [...metrics],
        compare: false,
      });
      return { range, campaigns, rows };
    },
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });

/** A row per publisher bundle; without creatives in the filter, of all creatives. */
export const bundleQuery = (
  range: Range,
  campaignUuid: string | undefined,
  creativeUuids: readonly string[] = [],
  { metrics = [], events = [], kind }: ChosenFigures = {},
) =>
  queryOptions({
    queryKey: ['analytics', 'bundle', range, campaignUuid, creativeUuids, metrics, events, kind],
    queryFn: () =>
      api.call(endpoints.reportByBundle, {
        body: {
          start_date: range.start,
          end_date: range.end,
          creative_ids: [...creativeUuids],
          campaign_uuid: campaignUuid ?? null,
          metrics: [...metrics],
          event_names: [...events],
          campaign_kind: kind ?? null,
        },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(POLL_MS),
    staleTime: 0,
  });

/** The parameters of a cohort report, in addition to its range. */
export interface CohortChoice {
  group: CohortGroup;
  by: ReportKey | undefined;
  /** Comma-joined values. */
  filters: Partial<Record<ReportKey, string>>;
}

const cohortBody = (range: Range, { group, by, filters }: CohortChoice) => ({
  start_date: range.start,
  end_date: range.end,
  group,
  by: by ?? null,
  filters,
});

/** Revenue and retention by cohort and days since the install, which change by the hour. */
export const cohortsQuery = (range: Range, choice: CohortChoice, forecast: boolean) =>
  queryOptions({
    queryKey: ['analytics', 'cohorts', range, choice, forecast],
    queryFn: () => api.call(endpoints.reportByCohorts, { body: { ...cohortBody(range, choice), forecast } }),
    placeholderData: keepPreviousData,
    refetchInterval: HOURS_POLL_MS,
    staleTime: 0,
  });

/** The cohort report as a file. */
export const downloadCohorts = async (
  range: Range,
  choice: CohortChoice,
  format: 'csv' | 'parquet',
): Promise<Blob> =>
  (await api.download(endpoints.exportCohorts, { body: { ...cohortBody(range, choice), format } })).blob();

/** The level report as a CSV file with all rows. */
export const downloadReport = async (
  range: Range,
  levels: readonly ReportLevel[],
  filters: Partial<Record<ReportKey, string>>,
  { metrics = [], events = [], kind }: ChosenFigures,
): Promise<Blob> => {
  const response = await api.download(endpoints.exportReport, {
    body: {
      start_date: range.start,
      end_date: range.end,
      levels: Object.fromEntries(levels.map((level) => [level, ''])),
      filters,
      metrics: [...metrics],
      event_names: [...events],
      campaign_kind: kind ?? null,
    },
  });
  return response.blob();
};

/** All events of one day. */
export const downloadEvents = async (date: string, format: 'csv' | 'parquet'): Promise<Blob> =>
  (await api.download(endpoints.exportEvents, { query: { date, format } })).blob();
