import { addDays, dateAt, daysBetween, startOfDayMs } from '@bidwell/contract/lib/calendar';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { AdsetDelivery, DeliveryQuery, DeliveryReport } from '@bidwell/contract/insight/delivery-report';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignOf, namesOfAdsets } from '../../campaigns/public.ts';
import {
  countForReport,
  periodOf,
  rangeOf,
  sumOf,
  withinReportLimits,
  zeroCounts,
} from '../../reporting/public.ts';
import { goalLearning } from './goal-learning.ts';
import { estimateOf, funnelFrom } from './delivery-funnel.ts';
import { type ExitRow, funnelOf, lossesOf, runningDaysOf } from './store.ts';

/**
 * How the bid requests of a range of days became impressions of a campaign, in total and by ad set. Throws NotFound;
 * Invalid for dates that are not supported.
 */
export async function deliveryReport(
  ctx: Context,
  actor: Actor,
  campaignUuid: string,
  query: DeliveryQuery,
): Promise<DeliveryReport> {
  requirePermission(actor, 'report.read');
  const campaign = await campaignOf(ctx, actor, campaignUuid);
  return deliveryOf(ctx, actor, [campaign], query);
}

/** {@link deliveryReport} of several campaigns of a company at once. */
export async function deliveryOf(
  ctx: Context,
  owner: Owner,
  campaigns: readonly Pick<Campaign, 'uuid' | 'adsets'>[],
  query: DeliveryQuery,
): Promise<DeliveryReport> {
  const { companyId } = owner;
  const period = periodOf(await rangeOf(ctx, owner, query));
  const own = campaigns.flatMap(({ adsets }) => adsets);
  const uuids = own.map(({ uuid }) => uuid);
  const [exits, losses, rows, learning] = await Promise.all([
    withinReportLimits(ctx, (settings) => funnelOf(ctx.clickhouse, companyId, uuids, period, settings)),
    withinReportLimits(ctx, (settings) => lossesOf(ctx.clickhouse, companyId, uuids, period, settings)),
    countForReport(ctx, companyId, {
      period,
      by: ['adset'],
      filters: { campaign: campaigns.map(({ uuid }) => uuid) },
      extended: true,
    }),
    goalLearning(ctx, owner, uuids),
  ]);
  const counts = new Map(rows.map((row) => [row.values[0]!, row]));
  const others = exits.map(({ outbid_by: by }) => by).filter((by) => by !== '');
  const names = await namesOfAdsets(ctx, owner, others);
  const exitsOf = groupBy(exits, ({ adset }) => adset);
  const lossesBy = groupBy(losses, ({ adset }) => adset);
  const adsets = own.map(({ uuid, name }): AdsetDelivery => {
    const ownExits = exitsOf.get(uuid) ?? [];
    return {
      uuid,
      name,
      ...funnelFrom({
        exits: ownExits,
        losses: lossesBy.get(uuid) ?? [],
        counts: counts.get(uuid) ?? zeroCounts,
      }),
      outbid_by: outbidBy(ownExits, names),
      learning: learning.get(uuid) ?? null,
    };
  });
  return { total: funnelFrom({ exits, losses: lossesBy.get('') ?? [], counts: sumOf(rows) }), adsets };
}

/** The funnel is stored for 90 days. */
const FUNNEL_DAYS = 92;

/**
 * Days of a range for which ad sets of a company ran, in fractions: a day counts from the first hour in which a bid
 * request came to the ad set. Those that did not run are absent. Throws Invalid for dates that are not supported.
 */
export async function runningDays(
  ctx: Context,
  owner: Owner,
  adsets: readonly string[],
  query: DeliveryQuery,
): Promise<ReadonlyMap<string, number>> {
  const { start, end, timeZone } = await rangeOf(ctx, owner, query);
  const nowMs = ctx.now().getTime();
  const today = dateAt(nowMs, timeZone);
  const first = max(start, addDays(today, -FUNNEL_DAYS));
  const last = end < today ? end : today;
  const days = Array.from({ length: Math.max(0, daysBetween(first, last) + 2) }, (_, index) =>
    Math.floor(startOfDayMs(addDays(first, index), timeZone) / 1000),
  );
  const rows = await withinReportLimits(ctx, (settings) =>
    runningDaysOf(ctx.clickhouse, owner.companyId, adsets, { dayStarts: days, nowMs }, settings),
  );
  return new Map(rows.map(({ adset, ran }) => [adset, ran]));
}

const max = (a: string, b: string): string => (a > b ? a : b);

function outbidBy(rows: readonly ExitRow[], names: ReadonlyMap<string, string>): AdsetDelivery['outbid_by'] {
  return rows
    .filter(({ outbid_by: by }) => by !== '' && names.has(by))
    .toSorted((a, b) => b.requests - a.requests)
    .map((row) => ({
      uuid: row.outbid_by,
      name: names.get(row.outbid_by)!,
      requests: estimateOf(row),
    }));
}
