import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { DefaultReport } from '@bidwell/contract/reports/schema';
import { type Metrics, REPORT_METRICS, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type DayGroup, type TimeGroup, bucketsOf, hoursOf, isHourly } from '../../lib/format/dates.ts';
import { levelReport } from './queries.ts';
import { zeroMetrics } from './row-metrics.ts';

interface Range {
  start: string;
  end: string;
}

/** One point of a chart over time. */
export type TrendPoint = { bucket: string } & Metrics;

const DAY_GROUPS: readonly DayGroup[] = ['day', 'week', 'month', 'year'];
/** Maximum number of points that the server returns in one call. */
const POINTS_MAX = 3660;
const FEW_POINTS = 92;
const LIVE_MS = 5000;

/** The bucket sizes possible for a range. Pure. */
export function possibleGroups(range: Range): TimeGroup[] {
  const ofDays = DAY_GROUPS.filter((group) => bucketsOf(range, group).length <= POINTS_MAX);
  return isHourly(range) ? ['hour', ...ofDays] : ofDays;
}

/** The bucket size of a range: `requested` if possible, else hours for one day, and for more the finest of whole days with at most {@link FEW_POINTS} points. Pure. */
export function groupFor(range: Range, requested: TimeGroup | undefined): TimeGroup | undefined {
  const possible = possibleGroups(range);
  if (requested && possible.includes(requested)) return requested;
  if (range.start === range.end) return possible[0];
  const ofDays = possible.filter((group) => group !== 'hour');
  return ofDays.find((group) => bucketsOf(range, group).length <= FEW_POINTS) ?? ofDays.at(-1);
}

/** Metrics over time, for one campaign, all campaigns of a kind, or all campaigns, with the report's filters (comma-joined values by key). */
export const trendQuery = (
  range: Range,
  group: TimeGroup | undefined,
  campaignUuid: string | undefined,
  filters: Readonly<Record<string, string>>,
  metrics: readonly ReportMetric[],
  timeZone: string,
  kind?: CampaignKind,
) =>
  queryOptions({
    queryKey: ['analytics', 'trend', range, group, campaignUuid, filters, metrics, timeZone, kind],
    queryFn: async () => {
      if (group === undefined) return [];
      const report = await levelReport({
        start_date: range.start,
        end_date: range.end,
        levels: { [group]: '' },
        filters: { ...filters, ...(campaignUuid && { campaign: campaignUuid }) },
        metrics: [...new Set([...REPORT_METRICS, ...metrics])],
        campaign_kind: kind ?? null,
      });
      return pointsOf(
        report,
        group === 'hour' ? hoursOf(range, timeZone) : bucketsOf(range, group).map(({ bucket }) => bucket),
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
    staleTime: 0,
  });

/** Chart points from a report by time bucket; buckets without rows are zero. Pure. */
export function pointsOf({ rows }: Pick<DefaultReport, 'rows'>, buckets: readonly string[]): TrendPoint[] {
  const byBucket = new Map(rows.map((row) => [row.value, row]));
  return buckets.map((bucket) => ({ bucket, ...(byBucket.get(bucket) ?? zeroMetrics) }));
}
