import type { RevenueSource } from '@bidwell/contract/apps/event-settings';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import {
  PERSON_EVENTS_HOUR,
  personEventsSql,
  personFlags,
  rejectedPeopleSql,
} from '../../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { Period } from '../../reports/query/plan.ts';

/** The goal of an ad set: the name of an event, or null for revenue of all events. */
export interface AdsetGoal {
  adsetId: string;
  event: string | null;
  /** What counts as revenue of its app. */
  sources: readonly RevenueSource[];
}

/** People of an ad set with its goal, and the relative standard error of their average value, 1 for one person. */
export interface GoalRow {
  adsetId: string;
  people: number;
  error: number;
}

const { appEvent, takenBack, invalid, adRevenue, knownRevenue } = personFlags;
/** What the partner takes back is subtracted. */
const SIGN = `if(bitAnd(flags, ${takenBack}) = 0, 1, -1)`;
/** The event of an ad set's goal; '' for revenue. */
const EVENT = '{events:Array(String)}[indexOf({adsets:Array(UUID)}, adset_id)]';

/**
 * People with the goals of some ad sets of a company in a period, without test and invalid traffic, and without what the partner took
 * back or whose install it rejected. Throws QueryTooLarge.
 */
export async function conversionsOf(
  clickhouse: ClickHouse,
  companyId: string,
  goals: readonly AdsetGoal[],
  { fromMs, beforeMs }: Period,
  settings: QuerySettings,
): Promise<readonly GoalRow[]> {
  const params: Record<string, unknown> = {
    company: companyId,
    fromHour: clickhouseTime(fromMs).slice(0, 19),
    beforeHour: clickhouseTime(beforeMs).slice(0, 19),
    fromMs,
    beforeMs,
    adsets: goals.map(({ adsetId }) => adsetId),
    events: goals.map(({ event }) => event ?? ''),
    ofAds: goals.filter(({ sources }) => sources.includes('ad_revenue')).map(({ adsetId }) => adsetId),
    ofPurchases: goals.filter(({ sources }) => sources.includes('purchases')).map(({ adsetId }) => adsetId),
  };
  const rejected = rejectedPeopleSql({ fromMs, beforeMs }, params);
  const events = personEventsSql({
    fields: ['person', 'atMs', 'flags', 'revenue_micros', 'event_name', 'adset_id'],
    where: [
      'company_id = {company:UUID}',
      'test = 0',
      `${PERSON_EVENTS_HOUR} >= toStartOfHour({fromHour:DateTime('UTC')})`,
      `${PERSON_EVENTS_HOUR} <= {beforeHour:DateTime('UTC')}`,
    ],
  });
  return clickhouse.query<GoalRow>(
    `select toString(adset_id) as adsetId, count() as people, sqrt(sum(value * value)) / sum(value) as error
     from (
       select adset_id, if(any(${EVENT}) = '', toFloat64(sum(${SIGN} * revenue_micros)), toFloat64(sum(${SIGN}) > 0)) as value
       from (${events})
       where bitAnd(flags, ${appEvent + invalid}) = ${appEvent} and atMs >= {fromMs:Int64} and atMs < {beforeMs:Int64}
         and has({adsets:Array(UUID)}, adset_id)
         and if(${EVENT} = '',
           bitAnd(flags, ${knownRevenue}) > 0
             and has(if(bitAnd(flags, ${adRevenue}) > 0, {ofAds:Array(UUID)}, {ofPurchases:Array(UUID)}), adset_id),
           event_name = ${EVENT})
         and person global not in (${rejected})
       group by adset_id, person having value > 0)
     group by adset_id`,
    params,
    'JSON',
    settings,
  );
}
