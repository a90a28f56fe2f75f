import type { RevenueSource } from '@bidwell/contract/apps/event-settings';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { IS_APP_EVENT } from '../../platform/clickhouse/person-events.ts';
import type { Conversion, GoalRecord, InstallGroup } from './value-model.ts';

/** Days of installs from which values are learned. */
const HISTORY_MS = 30 * 86_400_000;
/** Groups of installs, people, and their events that are read of a goal: the largest, and the newest. */
const GROUPS_MAX = 20_000;
const PEOPLE_MAX = 20_000;
const EVENTS_MAX = 100;
/** Limits of each of the two queries of a goal. */
const SETTINGS: QuerySettings = { max_threads: 1, max_execution_time: 10, max_memory_usage: 512 * 1024 ** 2 };

/** What is read of a goal. */
export interface GoalQuestion {
  companyId: string;
  adsetIds: readonly string[];
  /** Name of the event; null for revenue of all events. */
  event: string | null;
  windowMs: number;
  /** What counts as revenue of the app. */
  sources: readonly RevenueSource[];
}

/** People of a company's ad sets with the install that counts, and the condition on it. Leaves out invalid and rejected ones. */
const INSTALLED = `minIf(time, kind = 'install' and mark = '' and untrained = '') as installed,
  any(adset_id) as adset, any(bundle) as app, any(country) as land`;
const COUNTS = `countIf(kind = 'install' and mark = '' and untrained = '') > 0 and countIf(kind = 'install_rejected') = 0`;
const MATCHES = `company_id = {company:UUID} and test = 0 and time >= {from:DateTime64(3, 'UTC')}
  and adset_id in {adsets:Array(UUID)}`;
const AGE_MS = '{now:Int64} - toUnixTimestamp64Milli(installed)';

/** Installs of the last thirty days and what followed them, without what the partner took back, for one goal of a company. Throws QueryTooLarge. */
export async function readGoal(
  clickhouse: ClickHouse,
  { companyId, adsetIds, event, windowMs, sources }: GoalQuestion,
  nowMs: number,
): Promise<GoalRecord> {
  const params = {
    company: companyId,
    adsets: adsetIds,
    from: clickhouseTime(nowMs - HISTORY_MS),
    now: nowMs,
    event: event ?? '',
    window: windowMs,
    counted: sources.map((source) => (source === 'ad_revenue' ? 1 : 0)),
  };
  const installs = await clickhouse.query<InstallGroup>(
    `select toString(adset) as adsetId, app as bundle, land as country, count() as installs, avg(age) as ageMs
     from (select ${INSTALLED}, ${AGE_MS} as age from events
       where ${MATCHES} and kind in ('install', 'install_rejected') group by bid_id having ${COUNTS})
     group by adset, app, land, if(age < 86400000, intDiv(age, 10800000), 8 + intDiv(age, 86400000))
     order by installs desc limit {rows:UInt32}`,
    { ...params, rows: GROUPS_MAX },
    'JSON',
    SETTINGS,
  );
  const people = await clickhouse.query<PersonRow>(
    `select toString(person) as id, toString(adset) as adsetId, app as bundle, land as country, ${AGE_MS} as ageMs,
       arrayMap(one -> (greatest(0, one.1 - toUnixTimestamp64Milli(installed)), one.2), found) as events
     from (select if(${IS_APP_EVENT}, click_bid_id, bid_id) as person, ${INSTALLED},
         groupArrayIf({events:UInt32})(bid_id, kind = 'app_event_rejected') as taken,
         groupArrayIf({events:UInt32})((toUnixTimestamp64Milli(event_at), revenue_micros, bid_id), ${IS_OF_GOAL}) as reported,
         arrayFilter(one -> not has(taken, one.3), reported) as found
       from events
       where ${MATCHES} and (kind in ('install', 'install_rejected', 'app_event_rejected') or ${IS_OF_GOAL})
       group by person having ${COUNTS} and notEmpty(found))
     order by ageMs, id limit {rows:UInt32}`,
    { ...params, rows: PEOPLE_MAX, events: EVENTS_MAX },
    'JSON',
    SETTINGS,
  );
  return { windowMs, isRevenue: event === null, installs, conversions: people.flatMap(conversionsOf) };
}

/** An event of the goal: of its name, or with known revenue that counts for the goal revenue. */
const IS_OF_GOAL = `(kind = 'app_event' and mark = ''
  and if({event:String} = '', revenue_known = 1 and revenue_micros != 0 and has({counted:Array(UInt8)}, is_ad_revenue),
    event_name = {event:String}))`;

interface PersonRow {
  id: string;
  adsetId: string;
  bundle: string;
  country: string;
  ageMs: number;
  events: readonly (readonly [delayMs: number, revenueMicros: number])[];
}

function conversionsOf({ id: person, events, ...of }: PersonRow): Conversion[] {
  return events.map(([delayMs, value]) => ({ ...of, person, delayMs, value }));
}
