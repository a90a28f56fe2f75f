import { EVENT_WINDOW_DAYS_MAX, INSTALL_LATENESS_DAYS } from '@bidwell/contract/apps/event-settings';
import { grainSql } from './aggregates.ts';
import { clickhouseTime } from './time.ts';

/** SQL of whether a row is about an event in an app: one that counts, or one that takes it back. */
export const IS_APP_EVENT = "kind in ('app_event', 'app_event_rejected')";

const IS_PERSON_EVENT = "kind in ('install', 'install_rejected', 'app_event', 'app_event_rejected')";

/** Bits of the field `flags` of a person's event. Without any, it is a valid install that counts. */
export const personFlags = {
  appEvent: 1,
  /** Takes back an earlier install or event, with whose time, name and revenue it is stored. */
  takenBack: 2,
  invalid: 4,
  /** An implausible install, from which nothing is learned. */
  untrained: 8,
  adRevenue: 16,
  /** With revenue that is known in dollars. */
  knownRevenue: 32,
  /** With an amount that is not known in dollars. */
  unknownRevenue: 64,
} as const;

const FLAGS = `toUInt8(
  (${IS_APP_EVENT}) * ${personFlags.appEvent}
  + (kind in ('install_rejected', 'app_event_rejected')) * ${personFlags.takenBack}
  + (mark != '') * ${personFlags.invalid} + (untrained != '') * ${personFlags.untrained}
  + is_ad_revenue * ${personFlags.adRevenue} + revenue_known * ${personFlags.knownRevenue}
  + (revenue_known = 0 and revenue_amount > '') * ${personFlags.unknownRevenue})`;

/** SQL of the fields of a person's event. Numbers, because their arrays are read many times as fast as arrays of other types. */
const fields = {
  /** The bid of the install, as a number in the order of the bid's time. */
  person: `toUInt128(if(${IS_APP_EVENT}, click_bid_id, bid_id))`,
  /** When it was stored, by which reports count it, Unix ms. */
  atMs: 'toUnixTimestamp64Milli(time)',
  /** When it happened: in the app, or as {@link fields.atMs}. */
  eventMs: `toUnixTimestamp64Milli(if(${IS_APP_EVENT}, event_at, time))`,
  flags: FLAGS,
  revenue_micros: 'revenue_micros',
  event_name: 'event_name',
  campaign_id: 'campaign_id',
  adset_id: 'adset_id',
  app_id: 'app_id',
  creative_group_id: 'creative_group_id',
  creative_id: 'creative_id',
  creative_type: 'creative_type',
  creative_width: 'creative_width',
  creative_height: 'creative_height',
  creative_duration_ms: 'creative_duration_ms',
  exchange: 'exchange',
  bundle: 'bundle',
  os: 'os',
  country: 'country',
} as const;

export type PersonField = keyof typeof fields;

const arrayOf = (field: PersonField) => `groupArrayIf(${fields[field]}, ${IS_PERSON_EVENT})`;

/** Name of the projection with the events of people: installs, events in the app, and their revocations. */
export const PERSON_EVENTS = 'person_events';

/**
 * Definition of the projection {@link PERSON_EVENTS}: for each hour of a company an array of each field. Rows of other kinds add
 * nothing to it but the hour, so that inserts stay cheap (docs/decisions/026-cohorts.md).
 */
export function personEventsProjectionSql(): string {
  const keys = `company_id, test, ${grainSql.hour}`;
  const arrays = (Object.keys(fields) as PersonField[]).map(arrayOf);
  return `( select ${keys}, ${arrays.join(', ')} group by ${keys} )`;
}

/** Which events of people are read. */
export interface PersonEventsRead {
  fields: readonly PersonField[];
  /** Conditions on the columns `company_id`, `test` and {@link PERSON_EVENTS_HOUR}. */
  where: readonly string[];
  /**
   * Condition on fields that are read, by their names: other events become no rows, which takes less time than a condition on the rows
   * where few are left.
   */
  whereEach?: string;
  /** Reads the events rather than the projection: slower, with the same result. */
  fromEvents?: boolean;
}

/** SQL of the start of the hour of UTC in which an event was stored, by which reading is bounded. */
export const PERSON_EVENTS_HOUR = grainSql.hour;

/** SQL of a subquery with a row of the fields for each event of a person. */
export function personEventsSql({
  fields: read,
  where,
  whereEach,
  fromEvents = false,
}: PersonEventsRead): string {
  const conditions = [...where, ...(fromEvents ? [IS_PERSON_EVENT] : [])].join(' and ');
  const arrays = read.map((field) => `${field}_of_hour`);
  const hours = `
      select ${read.map((field) => `${arrayOf(field)} as ${field}_of_hour`).join(', ')} from events
      where ${conditions} group by ${grainSql.hour}
      settings ${fromEvents ? 'optimize_use_projections = 0' : `preferred_optimize_projection_name = '${PERSON_EVENTS}'`}`;
  const mask = `arrayMap((${read.join(', ')}) -> toUInt8(${whereEach}), ${arrays.join(', ')})`;
  const filtered = `
      select ${read.map((field) => `arrayFilter((one, keep) -> keep, ${field}_of_hour, kept) as ${field}_kept`).join(', ')}
      from (select *, ${mask} as kept from (${hours}))`;
  const [from, suffix] = whereEach === undefined ? [hours, 'of_hour'] : [filtered, 'kept'];
  return `select ${read.join(', ')} from (${from})
    array join ${read.map((field) => `${field}_${suffix} as ${field}`).join(', ')}`;
}

const DAY_MS = 86_400_000;
/** Whose rejected installs are read, see {@link rejectedPeopleSql}. */
interface RejectedPeopleRead {
  /** When events in the app were stored that are asked about, Unix ms. */
  fromMs: number;
  beforeMs: number;
  /** In the names of the parameters, where a query has several. */
  name?: string;
  /** Also of test traffic. */
  withTest?: boolean;
  fromEvents?: boolean;
}

/**
 * SQL of the people whose install the partner rejected, as {@link fields.person}, for `global not in`; adds its parameters to
 * `params`, which have the `company`. Their events in the app count nowhere, whenever they were reported. The rejection of an install
 * has its time, which is as long before an event as events count, or after one that came first.
 */
export function rejectedPeopleSql(
  { fromMs, beforeMs, name = 'rejected', withTest = false, fromEvents = false }: RejectedPeopleRead,
  params: Record<string, unknown>,
): string {
  const timeOf = (atMs: number) => clickhouseTime(Math.max(0, Math.floor(atMs))).slice(0, 19);
  params[`${name}From`] = timeOf(fromMs - (EVENT_WINDOW_DAYS_MAX + 1) * DAY_MS);
  params[`${name}Before`] = timeOf(beforeMs + (INSTALL_LATENESS_DAYS + 1) * DAY_MS);
  const conditions = [
    'company_id = {company:UUID}',
    ...(withTest ? [] : ['test = 0']),
    `${PERSON_EVENTS_HOUR} >= toStartOfHour({${name}From:DateTime('UTC')})`,
    `${PERSON_EVENTS_HOUR} <= {${name}Before:DateTime('UTC')}`,
    ...(fromEvents ? [IS_PERSON_EVENT] : []),
  ];
  const kind = personFlags.appEvent + personFlags.takenBack;
  return `select arrayJoin(arrayFilter((one, marks) -> bitAnd(marks, ${kind}) = ${personFlags.takenBack},
      ${arrayOf('person')}, ${arrayOf('flags')})) as person from events
    where ${conditions.join(' and ')} group by ${grainSql.hour}
    settings ${fromEvents ? 'optimize_use_projections = 0' : `preferred_optimize_projection_name = '${PERSON_EVENTS}'`}`;
}
