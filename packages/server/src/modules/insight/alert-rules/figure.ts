import { type AlertRule, type AlertRuleMinimum, cohortDayOf } from '@bidwell/contract/alerts/rules';
import type { Metrics, ReportMetric } from '@bidwell/contract/reports/metrics';
import { addDays, startOfDayMs } from '@bidwell/contract/lib/calendar';
import type { Context } from '../../../context.ts';
import { dailyBudgetsOf } from '../../../platform/postgres/stores/daily-budgets-store.ts';
import { cohortOfRange, metricsOfRange, spendByBucket } from '../../reporting/public.ts';
import type { RuleFigure } from './evaluate.ts';

/** Days of spend that say how the plan of a day is spread over its hours. */
const PROFILE_DAYS = 7;
/** Less spend than this says nothing of it, in micros. */
const PROFILE_MIN_MICROS = 5_000_000;

/** The terms of a rule that say what is read. */
export interface FigureQuery extends Pick<AlertRule, 'metric' | 'scope' | 'scope_uuid' | 'days' | 'minimum'> {
  companyId: string;
  range: { start: string; end: string; timeZone: string };
}

/** Reads the figure of a rule, as reports show it. Throws Invalid when a query exceeds the limits of reports. */
export async function readFigure(ctx: Context, query: FigureQuery): Promise<RuleFigure> {
  const { companyId, range, metric, minimum } = query;
  const filters = query.scope === 'company' ? {} : { [query.scope]: [query.scope_uuid!] };
  const cohortDay = cohortDayOf(metric);
  const reported = cohortDay === undefined && metric !== 'spend_of_plan' ? reportMetricOf(metric) : null;
  const metrics = await metricsOfRange(ctx, companyId, {
    range,
    filters,
    metrics: ['spends', 'impressions', 'clicks', 'installs', ...(reported ? [reported] : [])],
  });
  const spend = metrics.spends!;
  return {
    value:
      reported !== null
        ? ((metrics[reported as keyof Metrics] as number | null | undefined) ?? null)
        : metric === 'spend_of_plan'
          ? await shareOfPlan(ctx, query, spend)
          : await cohortFigure(ctx, query, filters),
    spend,
    volume: minimum && volumeOf(metrics, minimum.of),
  };
}

const reportMetricOf = (metric: AlertRule['metric']): ReportMetric =>
  metric === 'spend' ? 'spends' : (metric as ReportMetric);

const volumeOf = (metrics: Partial<Metrics>, of: AlertRuleMinimum): number =>
  of === 'spend' ? metrics.spends! : metrics[of]!;

async function cohortFigure(
  ctx: Context,
  { companyId, range, metric }: FigureQuery,
  filters: Record<string, string[]>,
): Promise<number | null> {
  const day = cohortDayOf(metric);
  const cells = await cohortOfRange(ctx, companyId, { range, filters });
  const cell = cells.find((one) => one.day === day);
  return (metric.startsWith('roas') ? cell?.roas : cell?.retention)?.value ?? null;
}

/**
 * Spend in percent of the plan: the daily budgets that are set now, of today the part that is due by now. Null where nothing runs,
 * or an ad set has no daily budget.
 */
async function shareOfPlan(
  ctx: Context,
  { companyId, scope, scope_uuid: uuid, days, range }: FigureQuery,
  spend: number,
): Promise<number | null> {
  const budgets = await dailyBudgetsOf(ctx.db, companyId, { scope, uuid });
  if (!budgets.isCapped || budgets.dollars === 0) return null;
  const share = days === 0 ? await shareOfDay(ctx, companyId, range) : days;
  return share === 0 ? null : (spend / (budgets.dollars * share)) * 100;
}

/**
 * The part of a day's budget that is due by now: the share of its spend that the company had by this time on the seven days before,
 * or where it spent little, the share of the day that is over.
 */
async function shareOfDay(
  ctx: Context,
  companyId: string,
  { start: today, timeZone }: FigureQuery['range'],
): Promise<number> {
  const nowMs = ctx.now().getTime();
  const startMs = startOfDayMs(today, timeZone);
  const elapsedMs = nowMs - startMs;
  const dayMs = startOfDayMs(addDays(today, 1), timeZone) - startMs;
  const starts = Array.from({ length: PROFILE_DAYS }, (_, index) =>
    startOfDayMs(addDays(today, index - PROFILE_DAYS), timeZone),
  );
  const buckets = starts.flatMap((dayStartMs) => [
    { startMs: dayStartMs, value: 'before' },
    { startMs: dayStartMs + Math.floor(elapsedMs / MINUTE_MS) * MINUTE_MS, value: 'after' },
  ]);
  const spent = await spendByBucket(ctx, companyId, { fromMs: starts[0]!, beforeMs: startMs }, buckets);
  const [before, after] = [spent.get('before') ?? 0, spent.get('after') ?? 0];
  return before + after < PROFILE_MIN_MICROS ? elapsedMs / dayMs : before / (before + after);
}

const MINUTE_MS = 60_000;
