import { isOfValue } from '@bidwell/contract/adsets/goals';
import { type GoalLearning, LEARNED_CONVERSIONS } from '@bidwell/contract/insight/goal-learning';
import type { Context } from '../../../context.ts';
import type { Owner } from '../../../platform/actor.ts';
import {
  eventRulesOf,
  revenueSourcesBy,
  VALUE_HALF_LIFE_MS,
  VALUE_HISTORY_MS,
} from '../../../delivery/public.ts';
import { adsetsOfCompany } from '../../campaigns/public.ts';
import { withinReportLimits } from '../../reporting/public.ts';
import type { RevenueSource } from '@bidwell/contract/apps/event-settings';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import {
  PERSON_EVENTS_HOUR,
  personEventsSql,
  personFlags,
  rejectedPeopleSql,
} from '../../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';

/**
 * The data from which the company's ad sets among `uuids` with Target CPA or Target ROAS learn; other ad sets are
 * absent.
 */
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

/** The goal of an ad set: the name of an event of its app, or null for revenue of all events. */
interface AppGoal {
  appId: string;
  event: string | null;
  /** The sources whose amounts count as revenue of the app. */
  sources: readonly RevenueSource[];
}

/** The figures of a goal. */
interface GoalRow {
  appId: string;
  /** '' for revenue. */
  event: string;
  /** People with it in the last seven days. */
  people: number;
  /**
   * Relative standard error of their average value, of the last thirty days and with the weights with which values are learned from
   * them: see `relativeErrorOf` of delivery. 1 for one person.
   */
  error: number;
}

const DAY_MS = 86_400_000;
const RECENT_MS = 7 * DAY_MS;

const { appEvent, takenBack, invalid, adRevenue, knownRevenue } = personFlags;
/** Events that the partner takes back are subtracted. */
const SIGN = `if(bitAnd(flags, ${takenBack}) = 0, 1, -1)`;

/**
 * People with some goals of a company's apps until a time, without test and invalid traffic, and without events that the partner took
 * back or whose install it rejected. Goals without people are left out. Throws QueryTooLarge.
 */
export async function conversionsOf(
  clickhouse: ClickHouse,
  companyId: string,
  goals: readonly AppGoal[],
  beforeMs: number,
  settings: QuerySettings,
): Promise<readonly GoalRow[]> {
  const fromMs = beforeMs - VALUE_HISTORY_MS;
  const appsOf = (some: readonly AppGoal[]): string[] => [...new Set(some.map(({ appId }) => appId))];
  const ofRevenue = goals.filter(({ event }) => event === null);
  const params: Record<string, unknown> = {
    company: companyId,
    fromHour: clickhouseTime(fromMs).slice(0, 19),
    beforeHour: clickhouseTime(beforeMs).slice(0, 19),
    fromMs,
    beforeMs,
    recentMs: beforeMs - RECENT_MS,
    halfLife: VALUE_HALF_LIFE_MS,
    apps: appsOf(goals),
    events: [...new Set(goals.flatMap(({ event }) => event ?? []))],
    ofAds: appsOf(ofRevenue.filter(({ sources }) => sources.includes('ad_revenue'))),
    ofPurchases: appsOf(ofRevenue.filter(({ sources }) => sources.includes('purchases'))),
  };
  const rejected = rejectedPeopleSql({ fromMs, beforeMs }, params);
  const events = personEventsSql({
    fields: ['person', 'atMs', 'flags', 'revenue_micros', 'event_name', 'app_id'],
    where: [
      'company_id = {company:UUID}',
      'test = 0',
      `${PERSON_EVENTS_HOUR} >= toStartOfHour({fromHour:DateTime('UTC')})`,
      `${PERSON_EVENTS_HOUR} <= {beforeHour:DateTime('UTC')}`,
    ],
  });
  return clickhouse.query<GoalRow>(
    `select toString(app_id) as appId, goal as event, countIf(lastMs >= {recentMs:Int64}) as people,
       sqrt(sum(pow(value * weight, 2))) / sum(value * weight) as error
     from (
       select app_id, goal, max(atMs) as lastMs, pow(0.5, ({beforeMs:Int64} - min(atMs)) / {halfLife:Int64}) as weight,
         if(goal = '', toFloat64(sum(${SIGN} * revenue_micros)), toFloat64(sum(${SIGN}) > 0)) as value
       from (${events})
       array join arrayConcat(
         if(has({events:Array(String)}, event_name), [event_name], []),
         if(bitAnd(flags, ${knownRevenue}) > 0
           and has(if(bitAnd(flags, ${adRevenue}) > 0, {ofAds:Array(UUID)}, {ofPurchases:Array(UUID)}), app_id), [''], [])) as goal
       where bitAnd(flags, ${appEvent + invalid}) = ${appEvent} and atMs >= {fromMs:Int64} and atMs < {beforeMs:Int64}
         and has({apps:Array(UUID)}, app_id)
         and person global not in (${rejected})
       group by app_id, goal, person having value > 0)
     group by app_id, goal`,
    params,
    'JSON',
    settings,
  );
}
