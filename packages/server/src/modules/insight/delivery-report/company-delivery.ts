import type { CompanyDelivery } from '@bidwell/contract/insight/company-delivery';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-report';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignsOfCompany } from '../../campaigns/public.ts';
import {
  countForReport,
  periodOf,
  rangeOf,
  sumOf,
  withinReportLimits,
  zeroCounts,
} from '../../reporting/public.ts';
import { funnelFrom } from './delivery-funnel.ts';
import { companyFunnel, companyLosses } from './store.ts';

/** Campaigns with a funnel of their own. */
const CAMPAIGNS_MAX = 200;

/**
 * How the bid requests of a range of days became impressions of all campaigns of the company, in total and for each of the
 * newest that are not archived. Throws Invalid for dates that are not supported.
 */
export async function companyDelivery(
  ctx: Context,
  actor: Actor,
  query: DeliveryQuery,
): Promise<CompanyDelivery> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  const period = periodOf(await rangeOf(ctx, actor, query));
  const listed = (await campaignsOfCompany(ctx, actor))
    .filter(({ archived_at: archivedAt }) => archivedAt === null)
    .slice(0, CAMPAIGNS_MAX);
  const campaigns = listed.map(({ uuid }) => uuid);
  const counting = { period, extended: true } as const;
  const [exits, losses, all, rows] = await Promise.all([
    withinReportLimits(ctx, (settings) =>
      companyFunnel(ctx.clickhouse, companyId, { campaigns, period }, settings),
    ),
    withinReportLimits(ctx, (settings) =>
      companyLosses(ctx.clickhouse, companyId, { campaigns, period }, settings),
    ),
    countForReport(ctx, companyId, { ...counting, by: [], filters: {} }),
    campaigns.length === 0
      ? []
      : countForReport(ctx, companyId, {
          ...counting,
          by: ['campaign'],
          filters: { campaign: campaigns },
        }),
  ]);
  const counts = new Map(rows.map((row) => [row.values[0]!, row]));
  const exitsOf = groupBy(exits, ({ campaign }) => campaign);
  const lossesOf = groupBy(losses, ({ campaign }) => campaign);
  return {
    total: funnelFrom({ exits, losses: lossesOf.get('') ?? [], counts: sumOf(all) }),
    campaigns: listed
      .map(({ uuid, name }) => ({
        uuid,
        name,
        ...funnelFrom({
          exits: exitsOf.get(uuid) ?? [],
          losses: lossesOf.get(uuid) ?? [],
          counts: counts.get(uuid) ?? zeroCounts,
        }),
      }))
      .toSorted((a, b) => b.spend - a.spend || b.seen.value - a.seen.value),
  };
}
