import { isOfValue } from '@bidwell/contract/adsets/schema';
import { type GoalLearning, LEARNED_CONVERSIONS } from '@bidwell/contract/insight/delivery-report';
import type { Context } from '../../../context.ts';
import type { Owner } from '../../../platform/actor.ts';
import { eventRulesOf, revenueSourcesBy } from '../../../platform/postgres/stores/event-rules-store.ts';
import { adsetsOfCompany } from '../../adsets/service.ts';
import { withinReportLimits } from '../../reports/report-limits.ts';
import { type AdsetGoal, conversionsOf } from './goal-store.ts';

const DAYS_MS = 7 * 86_400_000;

/** What the company's ad sets among `uuids` with Target CPA or Target ROAS have to learn from; the others are absent. */
export async function goalLearning(
  ctx: Context,
  owner: Owner,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, GoalLearning>> {
  if (uuids.length === 0) return new Map();
  const adsets = await adsetsOfCompany(ctx, owner, uuids);
  const ofValue = adsets.filter(({ algo }) => isOfValue(algo));
  if (ofValue.length === 0) return new Map();
  const sourcesOf = revenueSourcesBy(await eventRulesOf(ctx.db, owner.companyId));
  const goals = ofValue.map(({ uuid, algo, goal_event: event, target }): AdsetGoal => ({
    adsetId: uuid,
    event: algo === 'Target CPA' ? (event ?? '') : null,
    sources: sourcesOf(target.app.uuid),
  }));
  const nowMs = ctx.now().getTime();
  const period = { fromMs: nowMs - DAYS_MS, beforeMs: nowMs };
  const rows = await withinReportLimits(ctx, (settings) =>
    conversionsOf(ctx.clickhouse, owner.companyId, goals, period, settings),
  );
  const byAdset = new Map(rows.map((row) => [row.adsetId, row]));
  return new Map(
    goals.map(({ adsetId }) => {
      const found = byAdset.get(adsetId);
      return [
        adsetId,
        {
          conversions: found?.people ?? 0,
          needed: LEARNED_CONVERSIONS,
          expected_error_percent: found ? Math.round(1000 * found.error) / 10 : null,
        },
      ];
    }),
  );
}
