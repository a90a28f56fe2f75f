import type { BidOutcome } from '@bidwell/contract/bid-log/schema';
import {
  IS_APP_EVENT,
  rejectedPeopleSql,
  PERSON_EVENTS_HOUR,
  type PersonField,
  personEventsSql,
  personFlags,
} from '../../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { EventRules } from '../../../delivery/public.ts';
import { CHARGED_BID, eventRulesSql, csvTextSql, streamFile } from '../../reporting/public.ts';
import { RANDOM_BITS, firstIdAt } from '../../../platform/clickhouse/bid-ids.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import { type ClickHouse, type QuerySettings, settingsText } from '../../../platform/clickhouse/client.ts';
import {
  LOSS_REASONS,
  OWN_LOSS_REASONS,
  STATUS_LOSS_CODES,
  STATUS_PROFILE,
  OWN_LOSS_CODES,
  UNKNOWN_LOSS_CODES,
  lossReason,
} from '@bidwell/contract/bid-log/loss-reasons';

import { type LossProfiles, lossProfileParams, lossProfileSql } from '../loss-profiles.ts';

/** Which bids are read: bids with events, or a place in the sample, in a period. */
export interface BidSelection {
  companyId: string;
  fromMs: number;
  beforeMs: number;
  /** Only bids with ids, as numbers, between these, both exclusive. */
  afterId: bigint;
  beforeId: bigint;
  /** Only these bids. */
  ids?: readonly string[] | undefined;
  outcome?: BidOutcome | undefined;
  campaign?: string | undefined;
  adset?: string | undefined;
  creative?: string | undefined;
  exchange?: string | undefined;
  country?: string | undefined;
  bundle?: string | undefined;
  /** The rules by which amounts count as revenue of the company's apps. */
  rules: EventRules;
}

/** The most that the clock of a tracker may be behind the clock of a bidder, ms. */
const CLOCKS_MS = 60_000;

/** A bid's id as a number, of a row of events or of the sample. */
const BID_NUMBER = 'toUInt128(bid_id)';
/** When a bid was made, Unix ms, of a row of events or of the sample. */
const BID_MS = `toInt64(bitShiftRight(${BID_NUMBER}, ${RANDOM_BITS}))`;
/** The same of a row of {@link bidsOf}. */
const ROW_BID_MS = `toInt64(bitShiftRight(number, ${RANDOM_BITS}))`;

const FILTERS = {
  ids: 'has({ids:Array(UUID)}, bid_id)',
  campaign: 'campaign_id = {campaign:UUID}',
  adset: 'adset_id = {adset:UUID}',
  creative: 'creative_id = {creative:UUID}',
  exchange: 'exchange = {exchange:String}',
  country: 'country = {country:String}',
  bundle: 'bundle = {bundle:String}',
} as const;
const FILTER_NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** Columns that an event and a sampled bid share. */
const SHARED = `bid_id, time, campaign_id, adset_id, creative_id, toString(creative_type) as creative_type, creative_width,
  creative_height, toString(exchange) as exchange, bundle, toString(os) as os, toString(country) as country`;

/** When the bid of an id was made, Unix ms. */
export function bidMsOf(id: bigint): number {
  return Number(id >> RANDOM_BITS);
}

/** A bid's id as a number, in whose order bids are listed. */
export function bidNumber(id: string): bigint {
  return BigInt(`0x${id.replaceAll('-', '')}`);
}

/** Events in the app, which re-engagement campaigns have as kinds of their own. */
const IS_REENGAGED_EVENT = "kind in ('reengaged_event', 'reengaged_event_rejected')";
const IS_ANY_APP_EVENT = `(${IS_APP_EVENT} or ${IS_REENGAGED_EVENT})`;

/** Without events in the app, each of which has an id of its own in place of the bid's. */
const OF_BIDS = `not ${IS_ANY_APP_EVENT}`;

/**
 * The rows of events in the app that followed the selected bids, in whose column `click_bid_id` the bid is, without those after an
 * install that the partner rejected.
 */
const appEventsWhere = (selection: BidSelection): string =>
  `${whereOf(selection, 'click_bid_id')} and ${IS_ANY_APP_EVENT}
    and toUInt128(click_bid_id) global not in (${rejectedPeopleSql({ ...selection, withTest: true }, {})})`;

/** The condition of the rows of events and of the sample that belong to the selected bids, whose id is in the column `id`. */
function whereOf(selection: BidSelection, id: 'bid_id' | 'click_bid_id' = 'bid_id'): string {
  const filters = FILTER_NAMES.filter((name) => selection[name] !== undefined).map((name) => FILTERS[name]);
  return [
    'company_id = {company:UUID}',
    "time >= {from:DateTime64(3, 'UTC')}",
    "time < {before:DateTime64(3, 'UTC')}",
    `toUInt128(${id}) > {afterId:UInt128}`,
    `toUInt128(${id}) < {beforeId:UInt128}`,
    ...filters,
  ].join(' and ');
}

/** The parameters of {@link whereOf}. */
function paramsOf(selection: BidSelection): Record<string, unknown> {
  const filters = FILTER_NAMES.filter((name) => selection[name] !== undefined).map((name) => [
    name,
    selection[name],
  ]);
  const params = {
    company: selection.companyId,
    from: clickhouseTime(selection.fromMs),
    before: clickhouseTime(selection.beforeMs),
    afterId: String(selection.afterId),
    beforeId: String(selection.beforeId),
    ...(Object.fromEntries(filters) as object),
    ...eventRulesSql(selection.rules).params,
  };
  rejectedPeopleSql({ ...selection, withTest: true }, params);
  return params;
}

/** Columns of an in-app event, and the values that rows of bids have in their place. */
const appEventSql = ({
  rules,
}: BidSelection) => `events.bid_id as app_event_id, event_at, toString(event_name) as event_name,
  revenue_micros, revenue_known, toUInt8(${eventRulesSql(rules).isRevenue('is_ad_revenue')}) as is_revenue, revenue_amount,
  toString(revenue_currency) as revenue_currency`;
const NO_APP_EVENT = `toUUID('00000000-0000-0000-0000-000000000000') as app_event_id, toDateTime64(0, 3, 'UTC') as event_at,
  '' as event_name, toInt64(0) as revenue_micros, toUInt8(0) as revenue_known, toUInt8(0) as is_revenue, '' as revenue_amount, '' as revenue_currency`;

/** SQL of all events and sampled bids of the selection. */
function sourcesOf(selection: BidSelection, hasAppEvents: boolean): string {
  const where = whereOf(selection);
  const none = hasAppEvents ? `, ${NO_APP_EVENT}` : '';
  const sources = [
    `select ${SHARED}, toString(kind) as kind, spend_micros as spend, if(kind = 'loss', loss_reason, 0) as loss,
      min_to_win_cpm_micros as min_to_win,
      if(charged_cpm_micros > 0, charged_cpm_micros, toInt64(${CHARGED_BID})) as cpm, toString(mark) as mark, test,
      toUInt32(1) as weight ${none}
    from events where ${where} and ${OF_BIDS}`,
    `select ${SHARED}, 'bid' as kind, toInt64(0) as spend, toUInt16(0) as loss, toInt64(0) as min_to_win, charged_cpm_micros as cpm, '' as mark,
      toUInt8(0) as test, weight ${none}
    from bid_sample where ${where}`,
    ...(hasAppEvents
      ? [
          `select click_bid_id as ${SHARED}, toString(kind) as kind, toInt64(0) as spend, toUInt16(0) as loss, toInt64(0) as min_to_win,
      toInt64(0) as cpm, toString(mark) as mark, test, toUInt32(1) as weight, ${appEventSql(selection)}
    from events where ${appEventsWhere(selection)}`,
        ]
      : []),
  ];
  return sources.join(' union all ');
}

/** Most in-app events of a bid that are listed. */
const LISTED_APP_EVENTS_MAX = 50;
/** Most in-app events of a bid from which the list is made, before those that were taken back are left out. */
const READ_APP_EVENTS_MAX = 1000;

/** The number that an in-app event adds to the counts of its bid; 0 for other events and invalid traffic. */
const APP_EVENT_SIGN =
  "multiIf(mark != '', 0, kind in ('app_event', 'reengaged_event'), 1, kind in ('app_event_rejected', 'reengaged_event_rejected'), -1, 0)";
/** The in-app events of a bid: their number, their revenue, how many revenues are known, and the first of them as tuples. */
const APP_EVENT_FIGURES = `sum(${APP_EVENT_SIGN}) as app_event_count,
      sum(${APP_EVENT_SIGN} * is_revenue * revenue_micros) as revenue,
      sum(${APP_EVENT_SIGN} * is_revenue * revenue_known) as known_revenues,
      groupArrayIf(${READ_APP_EVENTS_MAX})(app_event_id, kind in ('app_event_rejected', 'reengaged_event_rejected')) as taken_back,
      groupArrayIf(${READ_APP_EVENTS_MAX})(
        (event_at, app_event_id, event_name, if(revenue_known = 1, revenue_micros, null), revenue_amount, revenue_currency),
        kind in ('app_event', 'reengaged_event') and mark = '') as read_app_events,
      arraySlice(arraySort(arrayFilter(event -> not has(taken_back, event.2), read_app_events)), 1, ${LISTED_APP_EVENTS_MAX})
        as listed_app_events`;

/**
 * SQL of a row for each bid. Money of test bids is left out, as in the reports. `hasAppEvents` adds what followed in the app, also
 * of bids that have nothing else in the period.
 */
function bidsOf(selection: BidSelection, { hasAppEvents = false } = {}): string {
  return `
    select bid_id, ${BID_NUMBER} as number, any(campaign_id) as campaign, any(adset_id) as adset, any(creative_id) as creative,
      any(creative_type) as type, any(creative_width) as width, any(creative_height) as height, any(exchange) as ssp,
      any(bundle) as bundle_id, any(country) as country_code, any(os) as system, min(time) as event_time,
      multiIf(countIf(kind not in ('bid', 'loss')) > 0, 'won', countIf(kind = 'loss') > 0, 'lost', 'no_notice') as outcome,
      max(cpm) as cpm_micros, sumIf(spend, test = 0) as charge_micros,
      if(countIf(kind = 'loss') > 0, max(loss), null) as code,
      nullIf(max(min_to_win), 0) as min_to_win_micros,
      if(countIf(kind = 'impression') > 0, minIf(time, kind = 'impression'), null) as impression_time,
      toInt32(countIf(kind = 'click' and mark = '')) as clicks,
      toInt32(countIf(kind = 'install' and mark = '')) - toInt32(countIf(kind = 'install_rejected' and mark = '')) as installs,
      toInt32(countIf(kind in ('reattribution', 'reinstall') and mark = ''))
        - toInt32(countIf(kind in ('reattribution_rejected', 'reinstall_rejected') and mark = '')) as returns,
      max(mark) as invalid, max(test) as is_test, if(countIf(kind != 'bid') > 0, 1, max(weight)) as stands_for
      ${hasAppEvents ? `, ${APP_EVENT_FIGURES}` : ''}
    from (${sourcesOf(selection, hasAppEvents)})
    group by bid_id
    ${selection.outcome ? `having outcome = '${selection.outcome}'` : ''}`;
}

/** Bounds of the selected bids from the oldest one on: a bid has no events before it was made. */
export function boundsOf({ fromMs }: BidSelection, oldest: bigint): Pick<BidSelection, 'fromMs' | 'afterId'> {
  return { fromMs: Math.max(fromMs, bidMsOf(oldest) - CLOCKS_MS), afterId: oldest - 1n };
}

/** A bid with its events of a period. Times are Unix ms. */
export interface BidRow {
  bid_id: string;
  bidMs: number;
  eventMs: number;
  campaign_uuid: string;
  adset_uuid: string;
  creative_uuid: string;
  creative_type: string;
  width: number;
  height: number;
  exchange: string;
  bundle: string;
  country: string;
  os: string;
  outcome: BidOutcome;
  bidCpmMicros: Micros;
  chargeMicros: Micros;
  lossCode: number | null;
  minToWinMicros: Micros | null;
  impressionMs: number | null;
  clicks: number;
  installs: number;
  returns: number;
  invalid: string;
  test: 0 | 1;
  weight: number;
}

/** Most events of one bid: one of each kind, and its place in the sample. */
const BID_EVENTS_MAX = 20;

/**
 * Ids of the newest selected bids, at most `limit`, newest first. Some of them may have another outcome than the
 * requested one. Takes memory for these bids alone, however many others there are.
 */
export async function newestBids(
  clickhouse: ClickHouse,
  selection: BidSelection,
  limit: number,
  settings: QuerySettings,
): Promise<readonly string[]> {
  const where = whereOf(selection);
  const events = (condition: string) =>
    `select bid_id from events where ${where} and ${OF_BIDS} ${condition}`;
  const sample = `select bid_id from bid_sample where ${where}`;
  // The bids of the sample are few: with them the set of those that have events stays small.
  const unnoticed = `${sample} and bid_id global not in (${events(`and bid_id global in (${sample})`)})`;
  const sources = {
    won: events("and kind != 'loss'"),
    lost: events("and kind = 'loss'"),
    no_notice: unnoticed,
    any: `${events('')} union all ${sample}`,
  }[selection.outcome ?? 'any'];
  const rows = await clickhouse.query<{ id: string }>(
    `select distinct toString(bid_id) as id, ${BID_NUMBER} as number
     from (select bid_id from (${sources}) order by ${BID_NUMBER} desc limit {rows:UInt32})
     order by number desc limit {limit:UInt32}`,
    { ...paramsOf(selection), rows: limit * BID_EVENTS_MAX, limit },
    'JSON',
    settings,
  );
  return rows.map(({ id }) => id);
}

/** The selected bids with these ids, newest first. */
export async function bidsById(
  clickhouse: ClickHouse,
  selection: BidSelection,
  ids: readonly string[],
  settings: QuerySettings,
): Promise<readonly BidRow[]> {
  if (ids.length === 0) return [];
  const ms = (time: string) => `toUnixTimestamp64Milli(${time})`;
  const bounded = { ...selection, ...boundsOf(selection, bidNumber(ids.at(-1)!)), ids };
  return clickhouse.query<BidRow>(
    `select toString(bids.bid_id) as bid_id, ${ROW_BID_MS} as bidMs, ${ms('event_time')} as eventMs,
       toString(campaign) as campaign_uuid, toString(adset) as adset_uuid, toString(creative) as creative_uuid,
       type as creative_type, width, height, ssp as exchange, bundle_id as bundle, country_code as country, system as os,
       outcome, cpm_micros as bidCpmMicros, charge_micros as chargeMicros, code as lossCode, min_to_win_micros as minToWinMicros,
       ${ms('impression_time')} as impressionMs, clicks, installs, returns, invalid, is_test as test, stands_for as weight
     from (${bidsOf(bounded)}) as bids order by number desc`,
    paramsOf(bounded),
    'JSON',
    settings,
  );
}

/** In-app events of one name after a bid. */
export interface AppEventsOfBid {
  bidId: string;
  name: string;
  count: number;
  revenueMicros: Micros;
  /** How many of them have a revenue that counts and is known in dollars. */
  knownRevenues: number;
}

/** Most names of in-app events of one bid. */
const APP_EVENT_NAMES_MAX = 20;

/** In-app events in a period after bids with these ids, by name; the latest names first. Reads their projection. */
export async function appEventsOfBids(
  clickhouse: ClickHouse,
  { companyId, fromMs, beforeMs, rules }: Pick<BidSelection, 'companyId' | 'fromMs' | 'beforeMs' | 'rules'>,
  ids: readonly string[],
  settings: QuerySettings,
): Promise<readonly AppEventsOfBid[]> {
  if (ids.length === 0) return [];
  const { appEvent, takenBack, invalid, adRevenue, knownRevenue } = personFlags;
  const rule = eventRulesSql(rules);
  const isRevenue = rule.isRevenue(`(bitAnd(flags, ${adRevenue}) > 0)`);
  const events = personEventsSql({
    fields: [
      ...new Set<PersonField>(['person', 'event_name', 'atMs', 'flags', 'revenue_micros', ...rule.columns]),
    ],
    where: [
      'company_id = {company:UUID}',
      `${PERSON_EVENTS_HOUR} >= toStartOfHour({from:DateTime('UTC')})`,
      `${PERSON_EVENTS_HOUR} <= {before:DateTime('UTC')}`,
    ],
  });
  const sign = `if(bitAnd(flags, ${takenBack}) = 0, 1, -1)`;
  const byNumber = new Map(ids.map((id) => [String(bidNumber(id)), id]));
  const params: Record<string, unknown> = {
    ...rule.params,
    company: companyId,
    from: clickhouseTime(fromMs).slice(0, 19),
    before: clickhouseTime(beforeMs).slice(0, 19),
    fromMs,
    beforeMs,
    ids,
  };
  const rejected = rejectedPeopleSql({ fromMs, beforeMs, withTest: true }, params);
  const rows = await clickhouse.query<AppEventsOfBid>(
    `select toString(person) as bidId, event_name as name, sum(${sign}) as count, sumIf(${sign} * revenue_micros, ${isRevenue}) as revenueMicros,
       sumIf(${sign}, bitAnd(flags, ${knownRevenue}) > 0 and ${isRevenue}) as knownRevenues
     from (${events})
     where has(arrayMap(id -> toUInt128(id), {ids:Array(UUID)}), person) and bitAnd(flags, ${appEvent + invalid}) = ${appEvent}
       and atMs >= {fromMs:Int64} and atMs < {beforeMs:Int64} and person global not in (${rejected})
     group by person, event_name having count > 0
     order by person, max(atMs) desc, name limit ${APP_EVENT_NAMES_MAX} by person`,
    params,
    'JSON',
    settings,
  );
  return rows.map((row) => ({ ...row, bidId: byNumber.get(row.bidId)! }));
}

/**
 * The same after bids of re-engagement campaigns, whose events are in no projection: the caller passes the ids of such bids alone, of which
 * most pages have none.
 */
export async function reengagedEventsOfBids(
  clickhouse: ClickHouse,
  { companyId, fromMs, beforeMs, rules }: Pick<BidSelection, 'companyId' | 'fromMs' | 'beforeMs' | 'rules'>,
  ids: readonly string[],
  settings: QuerySettings,
): Promise<readonly AppEventsOfBid[]> {
  if (ids.length === 0) return [];
  const rule = eventRulesSql(rules);
  const isRevenue = rule.isRevenue('is_ad_revenue');
  const sign = "if(kind = 'reengaged_event', 1, -1)";
  return clickhouse.query<AppEventsOfBid>(
    `select toString(click_bid_id) as bidId, toString(event_name) as name, sum(${sign}) as count,
       sumIf(${sign} * revenue_micros, ${isRevenue}) as revenueMicros, sumIf(${sign}, revenue_known = 1 and ${isRevenue}) as knownRevenues
     from events
     where company_id = {company:UUID} and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
       and ${IS_REENGAGED_EVENT} and mark = '' and has({ids:Array(UUID)}, click_bid_id)
     group by click_bid_id, event_name having count > 0
     order by click_bid_id, max(time) desc, name limit ${APP_EVENT_NAMES_MAX} by click_bid_id`,
    {
      ...rule.params,
      company: companyId,
      from: clickhouseTime(fromMs),
      before: clickhouseTime(beforeMs),
      ids,
    },
    'JSON',
    settings,
  );
}

/** Ids and slugs, and the name of each by kind. */
export type BidNames = Readonly<Record<NamedKind, ReadonlyMap<string, string>>>;
export type NamedKind = (typeof NAMED_KINDS)[number];
export const NAMED_KINDS = ['campaign', 'adset', 'creative', 'exchange'] as const;

/** Most events of the bids of a file, so about half as many bids. */
export const FILE_EVENTS_MAX = 1_000_000;
/** Names of each kind in a file, at most; others are empty. */
const FILE_NAMES_MAX = 2000;
const MINUTE_MS = 60_000;

/**
 * Where a file of the selected bids, oldest first, must end to have at most a million events: the smallest id that
 * is not in it. Null if all are. Whole minutes of bids, and at least one.
 */
export async function endOfFile(
  clickhouse: ClickHouse,
  selection: BidSelection,
  eventsMax: number,
  settings: QuerySettings,
): Promise<bigint | null> {
  const where = whereOf(selection);
  const [row] = await clickhouse.query<{ ends: 0 | 1; end: number }>(
    `select countIf(running > {eventsMax:UInt64} and number > 1) > 0 as ends,
       minIf(minute, running > {eventsMax:UInt64} and number > 1) as end
     from (
       select minute, sum(events) over (order by minute) as running, row_number() over (order by minute) as number
       from (
         select intDiv(${BID_MS}, ${MINUTE_MS}) as minute, count() as events
         from (
           select bid_id from events where ${where} and ${OF_BIDS} union all select bid_id from bid_sample where ${where}
           union all select click_bid_id as bid_id from events where ${appEventsWhere(selection)}
         )
         group by minute
       )
     )`,
    { ...paramsOf(selection), eventsMax },
    'JSON',
    settings,
  );
  return row?.ends ? firstIdAt(row.end * MINUTE_MS) : null;
}

/** Ids and slugs of the entities that the selected bids belong to, at most 2,000 of each kind. */
export async function namedInBids(
  clickhouse: ClickHouse,
  selection: BidSelection,
  settings: QuerySettings,
): Promise<Record<NamedKind, readonly string[]>> {
  const where = whereOf(selection);
  const columns = 'campaign_id, adset_id, creative_id, exchange';
  const few = `groupUniqArray(${FILE_NAMES_MAX})`;
  const [row] = await clickhouse.query<Record<NamedKind, string[]>>(
    `select ${few}(toString(campaign_id)) as campaign, ${few}(toString(adset_id)) as adset,
       ${few}(toString(creative_id)) as creative, ${few}(toString(exchange)) as exchange
     from (
       select ${columns} from events where ${where} and ${OF_BIDS} union all select ${columns} from bid_sample where ${where}
       union all select ${columns} from events where ${appEventsWhere(selection)}
     )`,
    paramsOf(selection),
    'JSON',
    settings,
  );
  return row ?? { campaign: [], adset: [], creative: [], exchange: [] };
}

function dollars(micros: string): string {
  return `toDecimal64(${micros}, 6) / 1000000`;
}
function nameOf(kind: NamedKind, id: string): string {
  return `transform(toString(${id}), {${kind}_ids:Array(String)}, {${kind}_names:Array(String)}, '')`;
}

/** The listed in-app events as JSON: an array of objects. */
const APP_EVENT_LIST = `toJSONString(arrayMap(event -> cast(
  (event.3, formatDateTime(event.1, '%Y-%m-%dT%H:%i:%SZ', 'UTC'), event.4 / 1000000, event.5, event.6),
  'Tuple(name String, time String, revenue Nullable(Float64), amount String, currency String)'), listed_app_events))`;

/** Loss codes with a name: the profile that gives them their meaning, '' for OpenRTB, and the code; with their names. */
const LOSS_NAMES: readonly (readonly [code: string, reason: string])[] = [
  ['', LOSS_REASONS] as const,
  ...Object.entries(OWN_LOSS_REASONS),
].flatMap(([profile, reasons]) =>
  Object.entries(reasons).map(([code, reason]) => [`${profile} ${code}`, reason] as const),
);

/** Columns of a file in their order, with the SQL of each. Texts from outside are marked. */
const FILE_COLUMNS: readonly (readonly [name: string, sql: string, isUntrusted?: true])[] = [
  ['bid_id', 'toString(bid_id)'],
  ['bid_at', `fromUnixTimestamp64Milli(${ROW_BID_MS}, 'UTC')`],
  ['event_at', 'event_time'],
  ['campaign_uuid', 'toString(campaign)'],
  ['campaign', nameOf('campaign', 'campaign'), true],
  ['adset_uuid', 'toString(adset)'],
  ['adset', nameOf('adset', 'adset'), true],
  ['creative_uuid', 'toString(creative)'],
  ['creative', nameOf('creative', 'creative'), true],
  ['creative_type', 'type'],
  ['width', 'width'],
  ['height', 'height'],
  ['exchange', 'ssp'],
  ['exchange_name', nameOf('exchange', 'ssp'), true],
  ['bundle', 'bundle_id', true],
  ['country', 'country_code', true],
  ['os', 'system'],
  ['outcome', 'outcome'],
  ['bid_cpm', `if(cpm_micros > 0, ${dollars('cpm_micros')}, null)`],
  ['charge', dollars('charge_micros')],
  ['loss_code', 'code'],
  [
    'loss_reason',
    `if(code is null, null, transform(concat(${lossProfileSql('ssp', 'code')}, ' ', toString(assumeNotNull(code))),
       {loss_codes:Array(String)}, {loss_reasons:Array(String)},
       if(${lossProfileSql('ssp', 'code')} = '${STATUS_PROFILE}', concat('Creative status ', toString(code - ${STATUS_LOSS_CODES}), ' of Google'),
         if(code >= ${OWN_LOSS_CODES}, '${lossReason(OWN_LOSS_CODES)}', '${lossReason(UNKNOWN_LOSS_CODES)}'))))`,
  ],
  ['min_to_win_cpm', `if(min_to_win_micros is null, null, ${dollars('assumeNotNull(min_to_win_micros)')})`],
  ['impression_at', 'impression_time'],
  ['clicks', 'clicks'],
  ['installs', 'installs'],
  ['returns', 'returns'],
  ['app_events', 'app_event_count'],
  ['revenue', `if(known_revenues > 0, ${dollars('revenue')}, null)`],
  ['app_event_list', `if(app_event_count = 0, null, ${APP_EVENT_LIST})`, true],
  ['invalid', 'invalid'],
  ['test', 'is_test'],
  ['weight', 'stands_for'],
];

/**
 * Streams the selected bids, oldest first. CSV has a header line. Times are of UTC, money is in dollars with six decimals.
 * Throws QueryTooLarge.
 */
export async function* streamBids(
  clickhouse: ClickHouse,
  selection: BidSelection,
  { names, profiles, format }: { names: BidNames; profiles: LossProfiles; format: 'csv' | 'parquet' },
  settings: QuerySettings,
): AsyncGenerator<Uint8Array> {
  const columns = FILE_COLUMNS.map(
    ([name, sql, isUntrusted]) =>
      `${format === 'csv' && isUntrusted ? csvTextSql(sql) : sql} as file_${name}`,
  );
  const titles = FILE_COLUMNS.map(([name]) => `file_${name} as ${name}`);
  const sql = `
    select ${titles.join(', ')} from (select ${columns.join(', ')}, number from (${bidsOf(selection, { hasAppEvents: true })}) as bids) as texts
    order by number ${settingsText({ ...settings, ...(format === 'csv' && { format_csv_null_representation: "''" }) })}`;
  const params = {
    ...paramsOf(selection),
    ...namesParams(names),
    ...lossProfileParams(profiles),
    loss_codes: LOSS_NAMES.map(([code]) => code),
    loss_reasons: LOSS_NAMES.map(([, reason]) => reason),
  };
  yield* streamFile(clickhouse, sql, params, { columns: FILE_COLUMNS.map(([name]) => name), format });
}

/** Characters of names in the parameters of a query, percent-encoded: they are part of the request's address. */
const NAME_CHARS_MAX = 400_000;

/** The names as parameters, as far as there is room. */
function namesParams(names: BidNames): Record<string, readonly string[]> {
  let room = NAME_CHARS_MAX;
  return Object.fromEntries(
    NAMED_KINDS.flatMap((kind) => {
      const fitting = [...names[kind]].filter(([id, name]) => {
        room -= encodeURIComponent(`'${id}','${name}',`).length;
        return room >= 0;
      });
      return [
        [`${kind}_ids`, fitting.map(([id]) => id)],
        [`${kind}_names`, fitting.map(([, name]) => name)],
      ];
    }),
  ) as Record<string, readonly string[]>;
}
