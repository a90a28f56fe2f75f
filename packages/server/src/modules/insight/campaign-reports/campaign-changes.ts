import { addDays, dateAt, daysBetween } from '@bidwell/contract/lib/calendar';
import {
  CAMPAIGN_CHANGES_MAX,
  COMPARED_DAYS_MAX,
  COMPARED_INSTALLS_MIN,
  type CampaignChanges,
  type ChangeComparison,
  type ComparedChange,
  type ComparedSide,
  TOGETHER_MS,
} from '@bidwell/contract/campaign-reports/changes';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-query';
import type { Counts } from '@bidwell/contract/reports/metrics';
import { toDollars } from '@bidwell/contract/lib/money';
import { rateOf } from '@bidwell/contract/lib/rate';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignOf, withUndo } from '../../campaigns/public.ts';
import { changesOfEntities } from '../../changes/public.ts';
import {
  type DateRange,
  type Period,
  bucketsIn,
  countForReport,
  periodOf,
  rangeOf,
  sumOf,
  zeroCounts,
} from '../../reporting/public.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longest ranges, in days, with a point for each hour and for each day. */
const HOURLY_DAYS_MAX = 3;
const DAILY_DAYS_MAX = 366;
/** Ad sets that delivered in the range and may have been deleted since or moved to another campaign. */
const EARLIER_ADSETS_MAX = 1000;
/** Changes whose figures one query counts: it returns a row for each part of time and each of their entities at most. */
const QUERY_CHANGES_MAX = 25;

type Listed = Awaited<ReturnType<typeof changesOfEntities>>['changes'][number];

/**
 * The newest changes of a campaign, of the ad sets that it has now and of those that delivered in it in the range, with the
 * figures of the changed entity before and after each, and the campaign's figures over time. Throws NotFound; Invalid for dates that are not supported.
 */
export async function campaignChanges(
  ctx: Context,
  actor: Actor,
  { uuid, ...query }: DeliveryQuery & { uuid: string },
): Promise<CampaignChanges> {
  requirePermission(actor, 'report.read');
  const campaign = await campaignOf(ctx, actor, uuid);
  const range = await rangeOf(ctx, actor, query);
  const period = periodOf(range);
  const { fromMs, beforeMs } = period;
  const present = campaign.adsets.map((adset) => adset.uuid);
  const earlier = await countForReport(ctx, actor.companyId, {
    period,
    by: ['adset'],
    filters: { campaign: [uuid] },
    limit: EARLIER_ADSETS_MAX,
  });
  const { changes, total } = await changesOfEntities(ctx, actor, {
    entityUuids: [...new Set([uuid, ...present, ...earlier.flatMap(({ values }) => values[0] ?? [])])],
    from: new Date(fromMs),
    before: new Date(beforeMs),
    limit: CAMPAIGN_CHANGES_MAX,
    togetherMs: TOGETHER_MS,
    withinMs: (COMPARED_DAYS_MAX + 1) * DAY_MS,
  });
  const nowMs = ctx.now().getTime();
  const planned = changes.map((change): Planned => ({
    ...change,
    plan: planOf(change, nowMs),
    budgetDays: budgetDaysOf(change, range.timeZone, nowMs),
  }));
  const compared: Omit<ComparedChange, 'can_undo'>[] = [];
  for (let at = 0; at < planned.length; at += QUERY_CHANGES_MAX)
    compared.push(...(await compare(ctx, actor, planned.slice(at, at + QUERY_CHANGES_MAX), range.timeZone)));
  return {
    changes: await withUndo(ctx, actor, compared),
    total,
    ...(await pointsOf(ctx, actor, uuid, range)),
  };
}

/** The two sides of a change, or why there are none. */
type Plan = { outcome: 'compared'; days: number; before: Period; after: Period } | ChangeComparison | null;
type Planned = Listed & { plan: Plan; budgetDays: readonly string[] };

/** Whole days on both sides, so that each side has every hour of the day equally often. */
function planOf(change: Listed, nowMs: number): Plan {
  const { effective, with_creation: isNew, first_at, last_at, previous_at, next_at } = change;
  if (!effective || isNew || !first_at || !last_at) return null;
  const wholeSecond = (at: Date) => Math.floor(at.getTime() / 1000) * 1000;
  const [firstMs, lastMs] = [wholeSecond(first_at), wholeSecond(last_at)];
  const daysBefore = previous_at ? (firstMs - wholeSecond(previous_at)) / DAY_MS : COMPARED_DAYS_MAX;
  const daysUntilNext = next_at ? (wholeSecond(next_at) - lastMs) / DAY_MS : COMPARED_DAYS_MAX;
  const daysUntilNow = (nowMs - lastMs) / DAY_MS;
  if (daysBefore < 1 || daysUntilNext < 1) return { outcome: 'too_close' };
  if (daysUntilNow < 1)
    return { outcome: 'too_early', hours: Math.max(0, Math.floor((nowMs - lastMs) / HOUR_MS)) };
  const days = Math.floor(Math.min(COMPARED_DAYS_MAX, daysBefore, daysUntilNext, daysUntilNow));
  return {
    outcome: 'compared',
    days,
    before: { fromMs: firstMs - days * DAY_MS, beforeMs: firstMs },
    after: { fromMs: lastMs, beforeMs: lastMs + days * DAY_MS },
  };
}

/** The day of a change of a daily budget and the next, where that has begun: a budget is for a day, whenever it is changed. */
function budgetDaysOf({ change }: Listed, timeZone: string, nowMs: number): readonly string[] {
  const isOfBudget =
    change.entity_type === 'adset' &&
    change.action === 'update' &&
    change.fields.some(({ field }) => field === 'daily_budget_const');
  if (!isOfBudget) return [];
  const day = dateAt(Date.parse(change.created_at), timeZone);
  return [day, addDays(day, 1)].filter((date) => date <= dateAt(nowMs, timeZone));
}

async function compare(
  ctx: Context,
  actor: Actor,
  planned: readonly Planned[],
  timeZone: string,
): Promise<Omit<ComparedChange, 'can_undo'>[]> {
  const windowsOf = (type: 'campaign' | 'adset') =>
    planned.flatMap(({ change, plan }) =>
      change.entity_type === type && isCompared(plan)
        ? [plan.before, plan.after].map((period) => ({ uuid: change.entity_uuid, period }))
        : [],
    );
  const dayOf = (date: string) => periodOf({ start: date, end: date, timeZone });
  const budgetDays = planned.flatMap(({ change, budgetDays: dates }) =>
    dates.map((date) => ({ uuid: change.entity_uuid, period: dayOf(date) })),
  );
  const countsOf = {
    campaign: await countWindows(ctx, actor, 'campaign', windowsOf('campaign')),
    adset: await countWindows(ctx, actor, 'adset', [...windowsOf('adset'), ...budgetDays]),
  };
  return planned.map(({ change, plan, together, budgetDays: dates }) => {
    const type = change.entity_type === 'campaign' ? 'campaign' : 'adset';
    const side = (period: Period, days: number) => sideOf(countsOf[type](change.entity_uuid, period), days);
    return {
      ...change,
      together: Math.max(0, together - 1),
      comparison: isCompared(plan)
        ? {
            outcome: plan.outcome,
            days: plan.days,
            before: side(plan.before, plan.days),
            after: side(plan.after, plan.days),
          }
        : (plan as ChangeComparison | null),
      budget_days: dates.map((date) => ({
        date,
        spends: toDollars(countsOf.adset(change.entity_uuid, dayOf(date)).spendMicros),
      })),
    };
  });
}

const isCompared = (plan: Plan): plan is Extract<Plan, { before: Period }> =>
  plan?.outcome === 'compared' && 'fromMs' in plan.before;

interface EntityWindow {
  uuid: string;
  period: Period;
}

/** Counts entities in periods of their own by one query, which divides time at all edges of the periods. */
async function countWindows(
  ctx: Context,
  { companyId }: Owner,
  key: 'campaign' | 'adset',
  windows: readonly EntityWindow[],
): Promise<(uuid: string, period: Period) => Counts> {
  if (windows.length === 0) return () => zeroCounts;
  const edges = [...new Set(windows.flatMap(({ period }) => [period.fromMs, period.beforeMs]))].toSorted(
    (a, b) => a - b,
  );
  const rows = await countForReport(ctx, companyId, {
    period: { fromMs: edges[0]!, beforeMs: edges.at(-1)! },
    by: [edges.map((startMs) => ({ startMs, value: String(startMs) })), key],
    filters: { [key]: [...new Set(windows.map(({ uuid }) => uuid))] },
  });
  return (uuid, { fromMs, beforeMs }) =>
    sumOf(
      rows.filter(
        ({ values: [start, entity] }) =>
          entity === uuid && Number(start) >= fromMs && Number(start) < beforeMs,
      ),
    );
}

function sideOf({ impressions, clicks, installs, spendMicros }: Counts, days: number): ComparedSide {
  const hasInstalls = installs >= COMPARED_INSTALLS_MIN;
  const spend = toDollars(spendMicros);
  return {
    impressions_per_day: impressions / days,
    spend_per_day: spend / days,
    installs,
    ctr_rate: rateOf(clicks, impressions, 100),
    ipm_rate: hasInstalls ? rateOf(installs, impressions, 1000) : null,
    cpi: hasInstalls ? spend / installs : null,
  };
}

/** Figures of the campaign by hour, day or month, up to now. */
async function pointsOf(
  ctx: Context,
  { companyId }: Owner,
  uuid: string,
  range: DateRange,
): Promise<Pick<CampaignChanges, 'group' | 'points'>> {
  const days = daysBetween(range.start, addDays(range.end, 1));
  const group = days <= HOURLY_DAYS_MAX ? 'hour' : days <= DAILY_DAYS_MAX ? 'day' : 'month';
  const nowMs = ctx.now().getTime();
  const all = bucketsIn(range, group) ?? [];
  const buckets = all.filter(({ startMs }) => startMs <= nowMs);
  if (buckets.length === 0) return { group, points: [] };
  const rows = await countForReport(ctx, companyId, {
    period: periodOf(range),
    by: [all],
    filters: { campaign: [uuid] },
  });
  const counted = new Map(rows.map((row) => [row.values[0], row]));
  const points = buckets.map(({ startMs, value }) => {
    const { impressions, installs, spendMicros } = counted.get(value) ?? zeroCounts;
    const spends = toDollars(spendMicros);
    return { bucket: value, starts_at: new Date(startMs).toISOString(), impressions, installs, spends };
  });
  return { group, points };
}
