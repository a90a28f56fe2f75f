import { isOfValue } from '@bidwell/contract/adsets/goals';
import { type GoalLearning, LEARNED_CONVERSIONS } from '@bidwell/contract/insight/delivery-report';
import type { Context } from '../../../context.ts';
import type { Owner } from '../../../platform/actor.ts';
import { eventRulesOf, revenueSourcesBy } from '../../../platform/postgres/stores/event-rules-store.ts';
import { adsetsOfCompany } from '../../campaigns/public.ts';
import { withinReportLimits } from '../../reporting/public.ts';
import { conversionsOf } from './goal-store.ts';

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
  const goals = ofValue.map(({ uuid, algo, goal_event: event, target }) => ({
    adsetId: uuid,
    appId: target.app.uuid,
    event: algo === 'Target CPA' ? (event ?? '') : null,
    sources: sourcesOf(target.app.uuid),
  }));
  const rows = await withinReportLimits(ctx, (settings) =>
    conversionsOf(ctx.clickhouse, owner.companyId, goals, ctx.now().getTime(), settings),
  );
  const byGoal = new Map(rows.map((row) => [`${row.appId} ${row.event}`, row]));
  return new Map(
    goals.map(({ adsetId, appId, event, sources }) => {
      const found = event === '' ? undefined : byGoal.get(`${appId} ${event ?? ''}`);
      const learning = {
        event,
        revenue_sources: event === null ? [...sources] : [],
        conversions: found?.people ?? 0,
        needed: LEARNED_CONVERSIONS,
        expected_error_percent: found ? Math.round(1000 * found.error) / 10 : null,
      };
      return [adsetId, learning];
    }),
  );
}
