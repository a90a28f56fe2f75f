import { reportApiMessages } from '@bidwell/contract/reports/api-messages';
import {
  type BundleQuery,
  type BundleReport,
  type HighlightQuery,
  type Highlights,
  OTHER,
} from '@bidwell/contract/reports/schema';
import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import {
  chosenMetricsOf,
  reEngagementMetrics,
  selectedEvents,
  selectedMetrics,
} from '@bidwell/contract/reports/chosen-metrics';
import type { CohortCell } from '@bidwell/contract/reports/cohorts';
import {
  type Counts,
  type Metrics,
  type ReEngagementCounts,
  type ReportMetric,
  acquisitionOf,
} from '@bidwell/contract/reports/metrics';
import type { Micros } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import type { QuerySettings } from '../../platform/clickhouse/client.ts';
import type { Actor, Owner } from '../../platform/actor.ts';
import { Invalid } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { timeZoneOf } from '../identity/public.ts';
import { bundleNames } from './names.ts';
import { BUCKETS_MAX, type DateRange, bucketsIn, periodBefore, periodOf, rangeOf } from './buckets.ts';
import { eventDateRange } from './query/event-store.ts';
import type { Bucket } from './query/query-model.ts';
import {
  type Costs,
  adsetSpendSince as adsetSpendRows,
  costsByDay,
  spendSince,
} from './query/company-spend-store.ts';
import { countEvents } from './query/counts-store.ts';
import { ROWS_MAX, completeQuery, countForReport } from './report-limits.ts';
import { cohortTotal } from './cohorts/cohort-report.ts';
import { type Filters, eventLabels } from './filters.ts';
import { type Group, highlightsOf } from './series.ts';
import { countedFor } from './level-report.ts';
import { reportedMetrics } from './tree.ts';
import { type Figures, isZero, zeroCounts, remainderOf, sumOf } from './figures.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Today's date in the company's time zone, and the counts since midnight. */
export async function countsOfToday(
  ctx: Context,
  { companyId }: Owner,
): Promise<{ date: string; counts: Readonly<Counts> }> {
  const timeZone = await timeZoneOf(ctx.db, companyId);
  const date = dateAt(ctx.now().getTime(), timeZone);
  const period = periodOf({ start: date, end: date, timeZone });
  const query = await completeQuery(ctx, companyId, { period, by: [], filters: {} });
  const [counts = zeroCounts] = await countEvents(ctx.clickhouse, companyId, query);
  return { date, counts };
}

/** Spend since midnight in the company's time zone, in micros. */
export async function spentTodayMicros(ctx: Context, owner: Owner): Promise<Micros> {
  return (await countsOfToday(ctx, owner)).counts.spendMicros;
}

/** Spend in a period as reports show it, in micros. */
export async function spentBetweenMicros(
  ctx: Context,
  { companyId }: Owner,
  period: { fromMs: number; beforeMs: number },
): Promise<Micros> {
  const [total] = await countEvents(ctx.clickhouse, companyId, {
    period,
    by: [],
    filters: {},
  });
  return total?.spendMicros ?? 0;
}

/** Spend of a company as reports show it, in micros, for each of the buckets of a period that has any. */
export async function spendByBucket(
  ctx: Context,
  companyId: string,
  period: { fromMs: number; beforeMs: number },
  buckets: readonly Bucket[],
): Promise<Map<string, Micros>> {
  const rows = await countForReport(ctx, companyId, { period, by: [buckets], filters: {} });
  return new Map(rows.map(({ values, spendMicros }) => [values[0]!, spendMicros]));
}

/** Spend of a company in micros: today, and in the last 7 and 30 days with today, in its time zone. */
export interface RecentSpend {
  todayMicros: Micros;
  weekMicros: Micros;
  monthMicros: Micros;
}

/**
 * Recent spend of companies, as their reports show it; companies without any are absent. With `isAll` the spend of all
 * companies is read by one query without naming them. The caller decides whose spend may be seen. Throws QueryTooLarge beyond
 * `limits`.
 */
export async function recentSpendOf(
  ctx: Context,
  companies: readonly { uuid: string; time_zone: string }[],
  { isAll, limits = {} }: { isAll: boolean; limits?: QuerySettings },
): Promise<Map<string, RecentSpend>> {
  const nowMs = ctx.now().getTime();
  const zones = [...new Set(companies.map((company) => company.time_zone))];
  const startsByZone = new Map(
    zones.map((zone) => {
      const today = dateAt(nowMs, zone);
      return [zone, [0, -6, -29].map((days) => startOfDayMs(addDays(today, days), zone))] as const;
    }),
  );
  const startsMs = [...new Set([...startsByZone.values()].flat())];
  const ids = companies.map(({ uuid }) => uuid);
  const spend = await spendSince(ctx.clickhouse, startsMs, isAll ? undefined : ids, limits);
  return new Map(
    companies.flatMap(({ uuid, time_zone }) => {
      const micros = spend.get(uuid);
      if (!micros) return [];
      const [todayMicros, weekMicros, monthMicros] = startsByZone
        .get(time_zone)!
        .map((startMs) => micros[startsMs.indexOf(startMs)]!) as [Micros, Micros, Micros];
      return [[uuid, { todayMicros, weekMicros, monthMicros }] as const];
    }),
  );
}

/** Spend of a company's ad sets since an instant at a quarter of an hour, in micros; those without spend are absent. */
export async function adsetSpendSince(
  ctx: Context,
  companyId: string,
  sinceMs: number,
): Promise<Map<string, Micros>> {
  return adsetSpendRows(ctx.clickhouse, companyId, sinceMs);
}

/**
 * Counts of a company's ad sets among `uuids` in a period, as reports show them; ad sets without events are absent. Throws
 * Invalid when the query exceeds its limits.
 */
export async function countsOfAdsets(
  ctx: Context,
  companyId: string,
  uuids: readonly string[],
  period: { fromMs: number; beforeMs: number },
): Promise<ReadonlyMap<string, Counts>> {
  if (uuids.length === 0) return new Map();
  const rows = await countForReport(ctx, companyId, {
    period,
    by: ['adset'],
    filters: { adset: uuids },
  });
  return new Map(rows.map(({ values, ...counts }) => [values[0]!, counts]));
}

/**
 * The chosen metrics of a company's events in a range of dates, as reports show them. For jobs: the caller decides whose figures may
 * be read. Throws Invalid when the query exceeds its limits.
 */
export async function metricsOfRange(
  ctx: Context,
  companyId: string,
  { range, filters, metrics }: { range: DateRange; filters: Filters; metrics: readonly ReportMetric[] },
): Promise<Partial<Metrics>> {
  const [counts = zeroCounts] = await countForReport(ctx, companyId, {
    period: periodOf(range),
    by: [],
    filters,
    ...countedFor({ metrics: [...metrics], event_names: null }),
  });
  return chosenMetricsOf(counts, metrics);
}

/**
 * Return on spend and retention of the people who installed in a range of dates, by days since the install. For jobs, as
 * {@link metricsOfRange}.
 */
export async function cohortOfRange(
  ctx: Context,
  companyId: string,
  { range, filters }: { range: DateRange; filters: Filters },
): Promise<CohortCell[]> {
  return cohortTotal(ctx, companyId, { range, filters, metrics: ['roas', 'retention'] });
}

/** Spend of all companies by day of UTC, YYYY-MM-DD, since a day. Days without spend are absent. For operators only. */
export async function costsOfDays(ctx: Context, since: string): Promise<Map<string, Costs>> {
  return costsByDay(ctx.clickhouse, since);
}

/** Counts of an hour, and of the week before it without its last day. */
export interface HourAndWeek {
  counts: Counts;
  before: Counts;
}

/** {@link HourAndWeek} of hours of the company that are a week apart, by one query. */
export async function countsOfHours(
  ctx: Context,
  companyId: string,
  startsMs: readonly number[],
): Promise<HourAndWeek[]> {
  const hours = startsMs.toSorted((a, b) => a - b);
  const fromMs = hours[0]! - WEEK_MS;
  // The week before an hour begins with the end of the hour a week before.
  const buckets = hours.flatMap((startMs, index) => [
    { startMs: index === 0 ? fromMs : hours[index - 1]! + HOUR_MS, value: `before ${startMs}` },
    { startMs: startMs - DAY_MS, value: 'rest' },
    { startMs, value: String(startMs) },
  ]);
  const query = await completeQuery(ctx, companyId, {
    period: { fromMs, beforeMs: hours.at(-1)! + HOUR_MS },
    by: [buckets],
    filters: {},
  });
  const rows = await countEvents(ctx.clickhouse, companyId, query);
  const byBucket = new Map(rows.map(({ values: [value], ...counts }) => [value, counts]));
  const of = (value: string): Counts => byBucket.get(value) ?? zeroCounts;
  return startsMs.map((startMs) => ({ counts: of(String(startMs)), before: of(`before ${startMs}`) }));
}

/**
 * Total of each highlight metric, of acquisition alone unless a campaign is chosen, its change from the period of the same length that ends the day before ({@link periodBefore}),
 * and a value for each bucket of the range. A range with more than 3660 buckets is cut to the months between the company's first
 * and last event. Throws Invalid when there are still too many buckets, and when the query exceeds its limits.
 */
export async function highlights(ctx: Context, actor: Actor, query: HighlightQuery): Promise<Highlights> {
  requirePermission(actor, 'report.read');
  const { group } = query;
  const range = await rangeOf(ctx, actor, query);
  const buckets = bucketsIn(range, group) ?? (await bucketsWithEvents(ctx, actor, range, group));
  const rows = await countForReport(ctx, actor.companyId, {
    period: periodOf(range),
    before: periodBefore(range, ctx.now().getTime()),
    by: [buckets],
    filters: query.campaign_uuid ? { campaign: [query.campaign_uuid] } : {},
  });
  const shown = query.campaign_uuid ? rows : rows.map(ofAcquisition);
  const highlighted = highlightsOf(
    shown.map((row, index) => ({ ...row, bucket: rows[index]!.values[0]! })),
    buckets.map(({ value }) => value),
  );
  const { reEngagement } = sumOf(rows);
  return reEngagement ? { ...highlighted, re_engagement: reEngagementTotals(reEngagement) } : highlighted;
}

const ofAcquisition = ({ before, ...counts }: Figures): Figures => ({
  ...acquisitionOf(counts),
  ...(before && { before: acquisitionOf(before) }),
});

function reEngagementTotals(counts: ReEngagementCounts): Highlights['re_engagement'] {
  const metrics = reEngagementMetrics(counts);
  return {
    spend: metrics.re_engagement_spend,
    impressions: counts.impressions,
    clicks: metrics.re_engagement_clicks,
    reattributions: metrics.reattributions,
    cost_per_reattribution: metrics.cost_per_reattribution,
    reinstalls: metrics.reinstalls,
    events: metrics.re_engagement_events,
    revenue: metrics.re_engagement_revenue,
    roas: metrics.re_engagement_roas,
  };
}

/** Buckets of a long range, from the first month with events to the last. */
async function bucketsWithEvents(
  ctx: Context,
  { companyId }: Actor,
  range: DateRange,
  group: Group | 'hour',
): Promise<Bucket[]> {
  const extent = await eventDateRange(ctx.clickhouse, companyId);
  const start = extent && extent.start > range.start ? extent.start : range.start;
  const end = extent && extent.end < range.end ? extent.end : range.end;
  // No events in the range: its first bucket alone.
  if (!extent || start > end) return bucketsIn({ ...range, end: range.start }, group)!;
  const buckets = bucketsIn({ ...range, start, end }, group);
  if (buckets) return buckets;
  throw new Invalid([{ field: 'end_date', message: reportApiMessages.rangeMax(BUCKETS_MAX, group) }]);
}

/**
 * One row per publisher bundle, highest spend first. With 10,000 bundles or more, a last row Other holds the
 * remainder, if any, so the rows always add up to the total.
 */
export async function bundleReport(ctx: Context, actor: Actor, query: BundleQuery): Promise<BundleReport> {
  requirePermission(actor, 'report.read');
  const period = periodOf(await rangeOf(ctx, actor, query));
  const filters = {
    ...(query.creative_ids.length > 0 && { creative: query.creative_ids }),
    ...(query.campaign_uuid && { campaign: [query.campaign_uuid] }),
  };
  const chosen = { metrics: selectedMetrics(query.metrics), eventNames: selectedEvents(query.event_names) };
  const campaignKind = query.campaign_kind ?? undefined;
  const counted = { period, filters, campaignKind, ...countedFor(query) };
  const listed = await countForReport(ctx, actor.companyId, { ...counted, by: ['bundle'], limit: ROWS_MAX });
  const sum = sumOf(listed);
  const names = await bundleNames(
    ctx,
    listed.map(({ values }) => values[0]!),
  );
  const rows = listed.map((row) => {
    const bundle = row.values[0]!;
    return { bundle, name: names.get(bundle) ?? (bundle || 'Unknown'), ...reportedMetrics(row, chosen) };
  });
  const labels = await eventLabels(ctx.db, actor.companyId, chosen.eventNames, filters);
  const named = labels.length > 0 && { event_labels: labels };
  if (listed.length < ROWS_MAX) return { rows, total: reportedMetrics(sum, chosen), ...named };
  const [total = sum] = await countForReport(ctx, actor.companyId, { ...counted, by: [] });
  const remainder = remainderOf(total, sum);
  if (!isZero(remainder)) rows.push({ bundle: OTHER, name: OTHER, ...reportedMetrics(remainder, chosen) });
  return { rows, total: reportedMetrics(total, chosen), ...named };
}
