import type { BidOutcome } from '@bidwell/contract/bid-log';
import { LOSS_REASONS, lossReason } from '@bidwell/contract/loss-reasons';
import type { Micros } from '@bidwell/contract/money';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { settingsText } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { CHARGED_BID, csvTextSql, streamFile } from './event-store.ts';

/** Which bids are read: those with events, or a place in the sample, in a period. */
export interface BidsWanted {
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
  impressionMs: number | null;
  clicks: number;
  installs: number;
  invalid: string;
  test: 0 | 1;
  weight: number;
}

/** Ids and slugs, and the name of each by kind. */
export type BidNames = Readonly<Record<NamedKind, ReadonlyMap<string, string>>>;
export type NamedKind = (typeof NAMED_KINDS)[number];
export const NAMED_KINDS = ['campaign', 'adset', 'creative', 'exchange'] as const;

/** Most events of the bids of a file, so about half as many bids. */
export const FILE_EVENTS_MAX = 1_000_000;
/** Names of each kind in a file, at most; others are empty. */
const FILE_NAMES_MAX = 2000;
/** Most events of one bid: one of each kind, and its place in the sample. */
const BID_EVENTS_MAX = 20;
/** Bid ids of UUIDv7 begin with the time: these bits follow. */
const RANDOM_BITS = 80n;
const MINUTE_MS = 60_000;
/** By so much the clock of a tracker may be behind that of a bidder, ms. */
const CLOCKS_MS = 60_000;

const ID = 'toUInt128(bid_id)';
const BID_MS = `toInt64(bitShiftRight(${ID}, ${RANDOM_BITS}))`;
/** The same of a row of {@link bidsOf}. */
const BID_MS_OF = `toInt64(bitShiftRight(number, ${RANDOM_BITS}))`;

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

/** The smallest id of a bid made at an instant. */
export function firstIdAt(atMs: number): bigint {
  return BigInt(Math.max(0, Math.floor(atMs))) << RANDOM_BITS;
}

/** When the bid of an id was made, Unix ms. */
export function bidMsOf(id: bigint): number {
  return Number(id >> RANDOM_BITS);
}

/** A bid's id as a number, in whose order bids are listed. */
export function bidNumber(id: string): bigint {
  return BigInt(`0x${id.replaceAll('-', '')}`);
}

function whereOf(wanted: BidsWanted): string {
  const filters = FILTER_NAMES.filter((name) => wanted[name] !== undefined).map((name) => FILTERS[name]);
  return [
    'company_id = {company:UUID}',
    "time >= {from:DateTime64(3, 'UTC')}",
    "time < {before:DateTime64(3, 'UTC')}",
    `${ID} > {afterId:UInt128}`,
    `${ID} < {beforeId:UInt128}`,
    ...filters,
  ].join(' and ');
}

function paramsOf(wanted: BidsWanted): Record<string, unknown> {
  const filters = FILTER_NAMES.filter((name) => wanted[name] !== undefined).map((name) => [
    name,
    wanted[name],
  ]);
  return {
    company: wanted.companyId,
    from: clickhouseTime(wanted.fromMs),
    before: clickhouseTime(wanted.beforeMs),
    afterId: String(wanted.afterId),
    beforeId: String(wanted.beforeId),
    ...(Object.fromEntries(filters) as object),
  };
}

/** SQL of all events and sampled bids that are wanted. */
function sourcesOf(wanted: BidsWanted): string {
  const where = whereOf(wanted);
  return `
    select ${SHARED}, toString(kind) as kind, spend_micros as spend, if(kind = 'loss', loss_reason, 0) as loss,
      if(charged_cpm_micros > 0, charged_cpm_micros, toInt64(${CHARGED_BID})) as cpm, toString(mark) as mark, test,
      toUInt32(1) as weight
    from events where ${where}
    union all
    select ${SHARED}, 'bid' as kind, toInt64(0) as spend, toUInt16(0) as loss, charged_cpm_micros as cpm, '' as mark,
      toUInt8(0) as test, weight
    from bid_sample where ${where}`;
}

/** SQL of a row for each bid. Money of test bids is left out, as in the reports. */
function bidsOf(wanted: BidsWanted): string {
  return `
    select bid_id, ${ID} as number, any(campaign_id) as campaign, any(adset_id) as adset, any(creative_id) as creative,
      any(creative_type) as type, any(creative_width) as width, any(creative_height) as height, any(exchange) as ssp,
      any(bundle) as bundle_id, any(country) as country_code, any(os) as system, min(time) as event_time,
      multiIf(countIf(kind not in ('bid', 'loss')) > 0, 'won', countIf(kind = 'loss') > 0, 'lost', 'no_notice') as outcome,
      max(cpm) as cpm_micros, sumIf(spend, test = 0) as charge_micros,
      if(countIf(kind = 'loss') > 0, max(loss), null) as code,
      if(countIf(kind = 'impression') > 0, minIf(time, kind = 'impression'), null) as impression_time,
      toInt32(countIf(kind = 'click' and mark = '')) as clicks,
      toInt32(countIf(kind = 'install' and mark = '')) - toInt32(countIf(kind = 'install_rejected' and mark = '')) as installs,
      max(mark) as invalid, max(test) as is_test, if(countIf(kind != 'bid') > 0, 1, max(weight)) as stands_for
    from (${sourcesOf(wanted)})
    group by bid_id
    ${wanted.outcome ? `having outcome = '${wanted.outcome}'` : ''}`;
}

/**
 * Ids of the newest bids that are wanted, at most `limit`, newest first. Some of them may have another outcome than the
 * wanted one. Takes memory for these alone, however many bids there are.
 */
export async function newestBids(
  clickhouse: ClickHouse,
  wanted: BidsWanted,
  limit: number,
  settings: QuerySettings,
): Promise<readonly string[]> {
  const where = whereOf(wanted);
  const events = (condition: string) => `select bid_id from events where ${where} ${condition}`;
  const sample = `select bid_id from bid_sample where ${where}`;
  // The bids of the sample are few: with them the set of those that have events stays small.
  const unnoticed = `${sample} and bid_id global not in (${events(`and bid_id global in (${sample})`)})`;
  const sources = {
    won: events("and kind != 'loss'"),
    lost: events("and kind = 'loss'"),
    no_notice: unnoticed,
    any: `${events('')} union all ${sample}`,
  }[wanted.outcome ?? 'any'];
  const rows = await clickhouse.query<{ id: string }>(
    `select distinct toString(bid_id) as id, ${ID} as number
     from (select bid_id from (${sources}) order by ${ID} desc limit {rows:UInt32})
     order by number desc limit {limit:UInt32}`,
    { ...paramsOf(wanted), rows: limit * BID_EVENTS_MAX, limit },
    'JSON',
    settings,
  );
  return rows.map(({ id }) => id);
}

/** The bids with these ids that are wanted, newest first. */
export async function bidsById(
  clickhouse: ClickHouse,
  wanted: BidsWanted,
  ids: readonly string[],
  settings: QuerySettings,
): Promise<readonly BidRow[]> {
  if (ids.length === 0) return [];
  const ms = (time: string) => `toUnixTimestamp64Milli(${time})`;
  const bounded = { ...wanted, ...boundsOf(wanted, bidNumber(ids.at(-1)!)), ids };
  return clickhouse.query<BidRow>(
    `select toString(bids.bid_id) as bid_id, ${BID_MS_OF} as bidMs, ${ms('event_time')} as eventMs,
       toString(campaign) as campaign_uuid, toString(adset) as adset_uuid, toString(creative) as creative_uuid,
       type as creative_type, width, height, ssp as exchange, bundle_id as bundle, country_code as country, system as os,
       outcome, cpm_micros as bidCpmMicros, charge_micros as chargeMicros, code as lossCode,
       ${ms('impression_time')} as impressionMs, clicks, installs, invalid, is_test as test, stands_for as weight
     from (${bidsOf(bounded)}) as bids order by number desc`,
    paramsOf(bounded),
    'JSON',
    settings,
  );
}

/** The wanted bids from one on: they have no events before they were made. */
export function boundsOf({ fromMs }: BidsWanted, oldest: bigint): Pick<BidsWanted, 'fromMs' | 'afterId'> {
  return { fromMs: Math.max(fromMs, bidMsOf(oldest) - CLOCKS_MS), afterId: oldest - 1n };
}

/**
 * Where a file of the wanted bids, oldest first, must end to be of bids with at most a million events: the smallest id that
 * is not in it. Null if all are. Whole minutes of bids, and at least one.
 */
export async function endOfFile(
  clickhouse: ClickHouse,
  wanted: BidsWanted,
  eventsMax: number,
  settings: QuerySettings,
): Promise<bigint | null> {
  const where = whereOf(wanted);
  const [row] = await clickhouse.query<{ ends: 0 | 1; end: number }>(
    `select countIf(running > {eventsMax:UInt64} and number > 1) > 0 as ends,
       minIf(minute, running > {eventsMax:UInt64} and number > 1) as end
     from (
       select minute, sum(events) over (order by minute) as running, row_number() over (order by minute) as number
       from (
         select intDiv(${BID_MS}, ${MINUTE_MS}) as minute, count() as events
         from (select bid_id from events where ${where} union all select bid_id from bid_sample where ${where})
         group by minute
       )
     )`,
    { ...paramsOf(wanted), eventsMax },
    'JSON',
    settings,
  );
  return row?.ends ? firstIdAt(row.end * MINUTE_MS) : null;
}

/** Ids and slugs of what the wanted bids belong to, at most 2,000 of each kind. */
export async function namedInBids(
  clickhouse: ClickHouse,
  wanted: BidsWanted,
  settings: QuerySettings,
): Promise<Record<NamedKind, readonly string[]>> {
  const where = whereOf(wanted);
  const columns = 'campaign_id, adset_id, creative_id, exchange';
  const few = `groupUniqArray(${FILE_NAMES_MAX})`;
  const [row] = await clickhouse.query<Record<NamedKind, string[]>>(
    `select ${few}(toString(campaign_id)) as campaign, ${few}(toString(adset_id)) as adset,
       ${few}(toString(creative_id)) as creative, ${few}(toString(exchange)) as exchange
     from (
       select ${columns} from events where ${where} union all select ${columns} from bid_sample where ${where}
     )`,
    paramsOf(wanted),
    'JSON',
    settings,
  );
  return row ?? { campaign: [], adset: [], creative: [], exchange: [] };
}

const dollars = (micros: string) => `toDecimal64(${micros}, 6) / 1000000`;
const nameOf = (kind: NamedKind, id: string) =>
  `transform(toString(${id}), {${kind}_ids:Array(String)}, {${kind}_names:Array(String)}, '')`;
const OWN_CODE = lossReason(1000);
const UNKNOWN_CODE = lossReason(999);

/** Columns of a file in their order, with the SQL of each. Texts from outside are marked. */
const FILE_COLUMNS: readonly (readonly [name: string, sql: string, isUntrusted?: true])[] = [
  ['bid_id', 'toString(bid_id)'],
  ['bid_at', `fromUnixTimestamp64Milli(${BID_MS_OF}, 'UTC')`],
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
    `if(code is null, null, transform(assumeNotNull(code), [${Object.keys(LOSS_REASONS).join(', ')}],
       {loss_reasons:Array(String)}, if(code >= 1000, '${OWN_CODE}', '${UNKNOWN_CODE}')))`,
  ],
  ['impression_at', 'impression_time'],
  ['clicks', 'clicks'],
  ['installs', 'installs'],
  ['invalid', 'invalid'],
  ['test', 'is_test'],
  ['weight', 'stands_for'],
];

/**
 * Streams the wanted bids, oldest first. CSV has a header line. Times are of UTC, money is in dollars with six decimals.
 * Throws QueryTooLarge.
 */
export async function* streamBids(
  clickhouse: ClickHouse,
  wanted: BidsWanted,
  { names, format }: { names: BidNames; format: 'csv' | 'parquet' },
  settings: QuerySettings,
): AsyncGenerator<Uint8Array> {
  const columns = FILE_COLUMNS.map(
    ([name, sql, isUntrusted]) =>
      `${format === 'csv' && isUntrusted ? csvTextSql(sql) : sql} as file_${name}`,
  );
  const titles = FILE_COLUMNS.map(([name]) => `file_${name} as ${name}`);
  const sql = `
    select ${titles.join(', ')} from (select ${columns.join(', ')}, number from (${bidsOf(wanted)}) as bids) as texts
    order by number ${settingsText({ ...settings, ...(format === 'csv' && { format_csv_null_representation: "''" }) })}`;
  const params = { ...paramsOf(wanted), ...namesParams(names), loss_reasons: Object.values(LOSS_REASONS) };
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
