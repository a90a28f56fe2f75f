import {
  type AlertRule,
  ruleText,
  type AlertRuleMinimum,
  cohortDayOf,
  type AlertRuleMetric,
  type AlertRuleState,
  RULE_METRICS,
  ruleFigureText,
} from '@bidwell/contract/alerts/rules';
import { dayText, addDays, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { notify } from '../../messaging/public.ts';
import {
  daysOf,
  nextCheckAt,
  type DueRule,
  type RuleRow,
  dueRules,
  findScopeName,
  lockRule,
} from './service.ts';
import type { Metrics, ReportMetric } from '@bidwell/contract/reports/metrics';
import { dailyBudgetsOf } from '../daily-budgets-store.ts';
import { cohortOfRange, metricsOfRange, spendByBucket } from '../../reporting/public.ts';
import { setOwned } from '../../../platform/postgres/stores/owned-store.ts';

/** Rules of a run, and of one company in it: the others wait for the next run. */
const RUN_MAX = 500;
const COMPANY_MAX = 10;
/** How long it takes until a figure that could not be read is read again. */
const RETRY_MS = 10 * 60_000;

/**
 * Checks the rules of all companies that are due, one after another, and notifies a company when a figure begins to meet its rule:
 * once until it does not meet it any more, and of today's figures once a day. A rule whose figure cannot be read is tried again after
 * ten minutes and delays no other.
 */
export async function checkAlertRules(ctx: Context): Promise<void> {
  const due = await dueRules(ctx.db, { now: ctx.now(), eachMax: COMPANY_MAX, max: RUN_MAX });
  for (const rule of due) {
    try {
      await checkRule(ctx, rule);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      ctx.log.error({ err, companyId: rule.company_uuid }, 'a rule of alerts could not be checked');
      await storeCheck(ctx, rule, {
        state: 'failed',
        next_check_at: new Date(ctx.now().getTime() + RETRY_MS),
      });
    }
  }
}

async function checkRule(ctx: Context, rule: DueRule): Promise<void> {
  const now = ctx.now();
  const { company_uuid: companyId, scope, scope_uuid: uuid, time_zone: timeZone, days, hour } = rule;
  const next = nextCheckAt(now, { days, hour, timeZone });
  const { from, to } = daysOf(now, { metric: rule.metric, days, timeZone });
  const checked = { from_date: from, to_date: to, checked_at: now, next_check_at: next };
  if (scope !== 'company' && (await findScopeName(ctx.db, companyId, scope, uuid!)) === undefined) {
    await storeCheck(ctx, rule, { ...checked, state: 'unknown', value: null, volume: null, met_since: null });
    return;
  }
  const terms = termsOf(rule);
  const figure = await readFigure(ctx, {
    ...terms,
    companyId,
    range: { start: from, end: to, timeZone },
  });
  const state = evaluateRule(terms, figure);
  // Today's figure begins anew each day. A figure that is unknown for a while does not end a state that was met.
  const before = days === 0 && rule.from_date !== from ? null : rule.met_since;
  const since = state === 'not_met' ? null : state === 'met' ? (before ?? now) : before;
  await storeCheck(
    ctx,
    rule,
    { ...checked, state, value: figure.value, volume: figure.volume, met_since: since },
    since !== null && before === null ? figure : undefined,
  );
}

const termsOf = (
  rule: DueRule,
): Pick<AlertRule, 'metric' | 'scope' | 'scope_uuid' | 'days' | 'direction' | 'threshold' | 'minimum'> => ({
  ...rule,
  minimum: rule.minimum_of === null ? null : { of: rule.minimum_of, value: rule.minimum! },
});

type Check = Partial<
  Pick<RuleRow, 'from_date' | 'to_date' | 'checked_at' | 'state' | 'value' | 'volume' | 'met_since'>
> &
  Pick<RuleRow, 'next_check_at'>;

/**
 * Stores the result of a check, and with `news` notifies the company of it in the same transaction, but not if the rule was changed,
 * removed or checked meanwhile.
 */
async function storeCheck(ctx: Context, rule: DueRule, check: Check, news?: RuleFigure): Promise<void> {
  const { company_uuid: companyId, uuid } = rule;
  await transact(ctx.db, async (tx) => {
    const present = await lockRule(tx.db, companyId, uuid);
    if (present?.next_check_at?.getTime() !== rule.next_check_at.getTime()) return;
    await setOwned(tx.db, 'alert_rules', companyId, uuid, check);
    if (!news) return;
    await notify(ctx, tx, companyId, {
      kind: 'alert_rule',
      ...notificationMessages.alertRule({
        rule: ruleText(rule),
        figure: figureSentence(rule.metric, news),
        scope: rule.scope_name,
        from: dayText(check.from_date!),
        to: dayText(check.to_date!),
        isToday: rule.days === 0,
      }),
      entity: rule.scope === 'company' ? undefined : { type: rule.scope, uuid: rule.scope_uuid! },
    });
  });
}

/** Days of spend that say how the plan of a day is spread over its hours. */
const PROFILE_DAYS = 7;
/** Less spend than this says nothing about the profile, in micros. */
const PROFILE_MIN_MICROS = 5_000_000;

/** The terms of a rule that decide which figures are read. */
interface FigureQuery extends Pick<AlertRule, 'metric' | 'scope' | 'scope_uuid' | 'days' | 'minimum'> {
  companyId: string;
  range: { start: string; end: string; timeZone: string };
}

/** Reads the figure of a rule, as reports show it. Throws Invalid when a query exceeds the limits of reports. */
async function readFigure(ctx: Context, query: FigureQuery): Promise<RuleFigure> {
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

/** A figure as it was read. */
interface RuleFigure {
  /** Null where there is none, such as a CPI without installs. */
  value: number | null;
  /** Dollars that were spent, for a CPI without installs. */
  spend: number;
  /** The value of the minimum's measure; null without a minimum. */
  volume: number | null;
}

type RuleTerms = Pick<AlertRule, 'metric' | 'direction' | 'threshold' | 'minimum'>;

/** Evaluates a rule by a figure. A figure at the threshold itself does not meet it. Pure. */
function evaluateRule(
  { metric, direction, threshold, minimum }: RuleTerms,
  { value, spend, volume }: RuleFigure,
): AlertRuleState {
  if (minimum !== null && (volume ?? 0) < minimum.value) return 'too_little';
  // Money without an install: the first install would cost all of it.
  const known = value ?? (metric === 'cpi' && spend > 0 && direction === 'above' ? spend : null);
  if (known === null) return metric === 'cpi' && spend > 0 ? 'not_met' : 'unknown';
  return (direction === 'above' ? known > threshold : known < threshold) ? 'met' : 'not_met';
}

/** The figure of a rule that is met as the subject of a sentence: `CPI was $7.12`. Pure. */
function figureSentence(metric: AlertRuleMetric, { value, spend }: RuleFigure): string {
  if (value !== null) return `${RULE_METRICS[metric].label} was ${ruleFigureText(metric, value)}`;
  return `${ruleFigureText('spend', spend)} brought no install`;
}
