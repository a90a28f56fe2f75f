import type { Highlights, LevelReport } from '@bidwell/contract/analytics';
import type { ReportMetric } from '@bidwell/contract/metrics';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { api } from '../../lib/api-client.ts';
import type { TimeGroup } from '../../lib/dates.ts';
import { bucketsOf } from '../../lib/dates.ts';
import { queryClient } from '../../lib/query-client.ts';

interface Range {
  start: string;
  end: string;
}

/** One point of a chart over time. */
export type TrendPoint = { bucket: string } & Record<ReportMetric, number | null>;

const TIME_GROUPS: readonly TimeGroup[] = ['day', 'week', 'month', 'year'];
/** What the server draws in one call, and what we ask for one by one when there are filters. */
const POINTS_MAX = 3660;
const FILTERED_POINTS_MAX = 62;
const FEW_POINTS = 92;
const SETTLED_MS = 5 * 60_000;
const LIVE_MS = 5000;

/** The groups that a range can be drawn by. Pure. */
export function possibleGroups(range: Range, filtered: boolean): TimeGroup[] {
  const max = filtered ? FILTERED_POINTS_MAX : POINTS_MAX;
  return TIME_GROUPS.filter((group) => bucketsOf(range, group).length <= max);
}

/** The group that a range is drawn by: the wanted one where it is possible, else the finest that is easily read. Pure. */
export function groupFor(
  range: Range,
  filtered: boolean,
  wanted: TimeGroup | undefined,
): TimeGroup | undefined {
  const possible = possibleGroups(range, filtered);
  if (wanted && possible.includes(wanted)) return wanted;
  return possible.find((group) => bucketsOf(range, group).length <= FEW_POINTS) ?? possible.at(-1);
}

/** A report's metrics over time, for one campaign or all, under the report's filters (comma-joined values by key). */
export const trendQuery = (
  range: Range,
  group: TimeGroup | undefined,
  campaignUuid: string | undefined,
  filters: Readonly<Record<string, string>>,
) =>
  queryOptions({
    queryKey: ['analytics', 'trend', range, group, campaignUuid, filters],
    queryFn: async () => {
      if (group === undefined) return [];
      return Object.keys(filters).length === 0
        ? unfiltered(range, group, campaignUuid)
        : Promise.all(bucketsOf(range, group).map((bucket) => filteredPoint(bucket, campaignUuid, filters)));
    },
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
    staleTime: 0,
  });

async function unfiltered(
  range: Range,
  group: TimeGroup,
  campaignUuid: string | undefined,
): Promise<TrendPoint[]> {
  const highlights = await api.get<Highlights>('/v2/analytics/highlight', {
    start_date: range.start,
    end_date: range.end,
    group,
    campaign_uuid: campaignUuid,
  });
  return pointsOf(highlights);
}

/** The dashboard's series as points of a report. Pure. */
export function pointsOf({ spend, clicks, installs, impressions, cpm, cpi }: Highlights): TrendPoint[] {
  return spend.series.map(({ bucket, value }, index) => {
    const shown = impressions.series[index]?.value ?? 0;
    const clicked = clicks.series[index]?.value ?? 0;
    return {
      bucket,
      spends: value,
      clicks: clicked,
      installs: installs.series[index]?.value ?? 0,
      impressions: shown,
      ctr: shown === 0 ? null : (clicked / shown) * 100,
      cpm: cpm.series[index]?.value ?? null,
      cpi: cpi.series[index]?.value ?? null,
    };
  });
}

/** The highlights know no filters, so each point is the total of a level report; past ones hardly change any more. */
async function filteredPoint(
  { bucket, start, end }: { bucket: string; start: string; end: string },
  campaignUuid: string | undefined,
  filters: Readonly<Record<string, string>>,
): Promise<TrendPoint> {
  const isOver = end < dayjs().subtract(1, 'day').format('YYYY-MM-DD');
  const { total } = await queryClient.fetchQuery({
    queryKey: ['report-point', start, end, campaignUuid, filters],
    queryFn: () =>
      api.post<LevelReport>('/analytics/level', {
        start_date: start,
        end_date: end,
        levels: { campaign: '' },
        filters: { ...filters, ...(campaignUuid && { campaign: campaignUuid }) },
      }),
    staleTime: isOver ? SETTLED_MS : 0,
  });
  return { bucket, ...total };
}
