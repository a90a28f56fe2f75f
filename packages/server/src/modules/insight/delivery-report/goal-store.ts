import type { RevenueSource } from '@bidwell/contract/apps/event-settings';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
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

/** People with the goals of some ad sets of a company in a period, without test and invalid traffic. Throws QueryTooLarge. */
export async function conversionsOf(
  clickhouse: ClickHouse,
  companyId: string,
  goals: readonly AdsetGoal[],
  { fromMs, beforeMs }: Period,
  settings: QuerySettings,
): Promise<readonly GoalRow[]> {
  return clickhouse.query<GoalRow>(
    `select toString(adset_id) as adsetId, count() as people, sqrt(sum(value * value)) / sum(value) as error
     from (
       select adset_id, if(any({events:Array(String)}[indexOf({adsets:Array(UUID)}, adset_id)]) = '',
         toFloat64(sum(revenue_micros)), 1.0) as value
       from events
       where company_id = {company:UUID} and test = 0 and kind = 'app_event' and mark = ''
         and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
         and adset_id in {adsets:Array(UUID)}
         and if({events:Array(String)}[indexOf({adsets:Array(UUID)}, adset_id)] = '',
           revenue_known = 1 and has(if(is_ad_revenue = 1, {ofAds:Array(UUID)}, {ofPurchases:Array(UUID)}), adset_id),
           event_name = {events:Array(String)}[indexOf({adsets:Array(UUID)}, adset_id)])
       group by adset_id, click_bid_id having value > 0)
     group by adset_id`,
    {
      company: companyId,
      from: clickhouseTime(fromMs),
      before: clickhouseTime(beforeMs),
      adsets: goals.map(({ adsetId }) => adsetId),
      events: goals.map(({ event }) => event ?? ''),
      ofAds: goals.filter(({ sources }) => sources.includes('ad_revenue')).map(({ adsetId }) => adsetId),
      ofPurchases: goals.filter(({ sources }) => sources.includes('purchases')).map(({ adsetId }) => adsetId),
    },
    'JSON',
    settings,
  );
}
