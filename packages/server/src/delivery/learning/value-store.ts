import type { RevenueSource } from '@bidwell/contract/apps/event-settings';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import {
  PERSON_EVENTS_HOUR,
  type PersonField,
  personEventsSql,
  personFlags,
} from '../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { VALUE_HISTORY_MS } from './values/goal-record.ts';
import type { Conversion, GoalRecord, InstallGroup } from './value-model.ts';

/** People of an app whose events are read of a goal: of more a random sample, so that a large app needs no more memory than this. */
const INSTALLS_MAX = 100_000;
/** Groups of installs that are read of a goal: the largest, and as many again at most that stand for all others. */
const GROUPS_MAX = 20_000;
/** People with events of the goal who are read: if there are more, a random sample. And events of one person. */
const PEOPLE_MAX = 20_000;
const EVENTS_MAX = 100;
const MIB = 1024 ** 2;
/** Limits of each of the three queries of a goal. The events of the company by hour go to disk when they take much memory. */
const SETTINGS: QuerySettings = {
  max_threads: 1,
  max_execution_time: 25,
  max_memory_usage: 512 * MIB,
  max_bytes_before_external_group_by: 128 * MIB,
  max_bytes_ratio_before_external_group_by: 0,
};

/** What is read of a goal. */
export interface GoalQuestion {
  companyId: string;
  /** The app, of whose installs by any ad set and bid strategy it is asked. */
  appId: string;
  /** Name of the event; null for revenue of all events. */
  event: string | null;
  windowMs: number;
  /** What counts as revenue of the app. */
  sources: readonly RevenueSource[];
}

/** Limits that tests lower. */
interface Limits {
  installsMax?: number;
  groupsMax?: number;
  peopleMax?: number;
}

/**
 * Installs of an app in the last thirty days and what followed them, without what the partner took back, for one goal, from the
 * projection of people's events. Of more installs, groups or people than the limits a random sample is read, and figures are scaled
 * so that rates stay right. Throws QueryTooLarge.
 */
export async function readGoal(
  clickhouse: ClickHouse,
  { companyId, appId, event, windowMs, sources }: GoalQuestion,
  nowMs: number,
  { installsMax = INSTALLS_MAX, groupsMax = GROUPS_MAX, peopleMax = PEOPLE_MAX }: Limits = {},
): Promise<GoalRecord> {
  const params = {
    company: companyId,
    app: appId,
    from: clickhouseTime(nowMs - VALUE_HISTORY_MS).slice(0, 19),
    fromMs: nowMs - VALUE_HISTORY_MS,
    now: nowMs,
    event: event ?? '',
    window: windowMs,
    counted: sources.map((source) => (source === 'ad_revenue' ? 1 : 0)),
    rows: groupsMax,
    events: EVENTS_MAX,
  };
  const read = async <Row>(sql: string, share: number): Promise<readonly Row[]> =>
    clickhouse.query<Row>(sql, { ...params, share: Math.ceil(share * SHARE_PARTS) }, 'JSON', SETTINGS);
  const [all] = await read<{ installs: number }>(installsSql(), 1);
  const sampled = Math.min(1, installsMax / Math.max(1, all?.installs ?? 0));
  const groups = await read<InstallGroup & { people: number }>(groupsSql(), sampled);
  const share = Math.min(1, peopleMax / Math.max(1, groups[0]?.people ?? 0));
  const people = await read<PersonRow>(conversionsSql(event !== null), sampled * share);
  return {
    windowMs,
    isRevenue: event === null,
    installs: groups.map(({ people: _people, ...group }) => ({ ...group, installs: group.installs * share })),
    conversions: people.flatMap(conversionsOf),
  };
}

const SHARE_PARTS = 1_000_000;

const { appEvent, takenBack, invalid, untrained, adRevenue, knownRevenue } = personFlags;
/** An event of the goal: of its name, or with known revenue that counts for the goal revenue. */
const IS_OF_GOAL = `if({event:String} = '',
  bitAnd(flags, ${knownRevenue}) > 0 and revenue_micros != 0 and has({counted:Array(UInt8)}, toUInt8(bitAnd(flags, ${adRevenue}) > 0)),
  event_name = {event:String})`;
const kindIs = (flags: number) =>
  `bitAnd(flags, ${appEvent + takenBack + invalid}) = ${flags} and ${IS_OF_GOAL}`;
const IS_INSTALL = `bitAnd(flags, ${appEvent + takenBack + invalid + untrained}) = 0`;

/** SQL of the events of the people of the app that meet a condition, of a random share of them. */
function eventsSql(read: readonly PersonField[], condition: string): string {
  return personEventsSql({
    fields: [...new Set<PersonField>(['atMs', 'flags', 'app_id', 'person', ...read])],
    where: [
      'company_id = {company:UUID}',
      'test = 0',
      `${PERSON_EVENTS_HOUR} >= toStartOfHour({from:DateTime('UTC')})`,
    ],
    whereEach: `app_id = {app:UUID} and atMs >= {fromMs:Int64}
      and cityHash64(person) % ${SHARE_PARTS} < {share:UInt32} and (${condition})`,
  });
}

/** SQL of the number of installs, those that the partner took back included. */
function installsSql(): string {
  return `select count() as installs from (${eventsSql([], IS_INSTALL)})`;
}

/**
 * SQL of the people of an app with an install that counts, its time in Unix ms, and `found`: the delays and the revenue of
 * the goal's events within the window. An event is known by its time and revenue, with which it is taken back.
 */
function peopleSql(): string {
  const events = eventsSql(
    ['eventMs', 'revenue_micros', 'event_name', 'adset_id', 'bundle', 'country'],
    `bitAnd(flags, ${appEvent}) = 0 or ${IS_OF_GOAL}`,
  );
  return `select person, any(adset_id) as adset, any(bundle) as app, any(country) as land,
      minIf(eventMs, ${IS_INSTALL}) as installed, {now:Int64} - installed as age,
      groupArrayIf({events:UInt32})((eventMs, revenue_micros), ${kindIs(appEvent + takenBack)}) as taken,
      groupArrayIf({events:UInt32})((eventMs, revenue_micros), ${kindIs(appEvent)}) as reported,
      arrayFilter(one -> one.1 < {window:Int64}, arrayMap(one -> (greatest(0, one.1 - installed), one.2),
        arrayFilter(one -> not has(taken, one), reported))) as found
    from (${events})
    group by person
    having countIf(${IS_INSTALL}) > 0 and countIf(bitAnd(flags, ${appEvent + takenBack}) = ${takenBack}) = 0`;
}

/**
 * SQL of the installs by ad set, country, publisher's app and age, each with the number of all people with the goal's events. Of the
 * groups that are not among the largest, sorted by size, every n-th stands for n.
 */
function groupsSql(): string {
  return `
    with if(place <= {rows:UInt32}, 1, intDiv(total - 1, {rows:UInt32})) as each
    select toString(adset) as adsetId, app as bundle, land as country, counted * each as installs, meanAge as ageMs, people
    from (
      select *, row_number() over (order by counted desc, adset, app, land, aged) as place, count() over () as total,
        sum(converted) over () as people
      from (
        select adset, app, land, if(age < 86400000, intDiv(age, 10800000), 8 + intDiv(age, 86400000)) as aged,
          count() as counted, avg(age) as meanAge, countIf(notEmpty(found)) as converted
        from (${peopleSql()})
        group by adset, app, land, aged
      )
    )
    where place <= {rows:UInt32} or place % each = 0`;
}

/** SQL of a sample of the people with events of the goal: for an event the first, for revenue all. */
function conversionsSql(isEvent: boolean): string {
  return `select toString(person) as id, toString(adset) as adsetId, app as bundle, land as country, age as ageMs,
      ${isEvent ? 'arraySlice(arraySort(found), 1, 1)' : 'found'} as events
    from (${peopleSql()})
    where notEmpty(found)
    order by ageMs, id`;
}

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
