import type { Micros } from '@bidwell/contract/lib/money';
import { v4 as uuidv4 } from 'uuid';
import { grainSql, measureSql } from '../../platform/clickhouse/aggregates.ts';
import { type ClickHouse, type InsertOptions, settingsText } from '../../platform/clickhouse/client.ts';
import { SHARDS_MAX, everyReplica, everyReplicaSettings } from '../../platform/clickhouse/cluster.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { History } from '../learning/counts.ts';
import type { UuidWords } from './digest-set.ts';
import {
  type AppEvent,
  CHARGE_INDEX,
  type DeliveryEvent,
  EVENT_KINDS,
  type EventKind,
  type EventMark,
  NAMED_PRICE_INDEX,
  type UntrainedReason,
  kindIndexOf,
} from '../model/event.ts';
import { chargeCpmMicros } from '../model/price-rules.ts';
import { firstIdText } from '../../platform/clickhouse/bid-ids.ts';

const QUARTER_MS = 15 * 60_000;

/** A row of `events`, as it is inserted. */
function rowOf(event: DeliveryEvent, batch: string, seq: number) {
  const { kind, atMs, ref, spendMicros, marginMicros, lossReason, priceFault, priceText, mark } = event;
  const { untrained } = event;
  return {
    time: clickhouseTime(atMs),
    kind,
    bid_id: ref.bidId,
    company_id: ref.companyId,
    app_id: ref.appId,
    campaign_id: ref.campaignId,
    adset_id: ref.adsetId,
    creative_id: ref.creativeId,
    creative_group_id: ref.creativeGroupId,
    creative_type: ref.creativeType,
    creative_width: ref.width,
    creative_height: ref.height,
    creative_duration_ms: ref.durationMs,
    exchange: ref.exchange,
    bundle: ref.bundle,
    os: ref.os,
    country: ref.country,
    language: ref.language,
    spend_micros: spendMicros,
    margin_micros: marginMicros ?? 0,
    bid_cpm_micros: ref.bidCpmMicros,
    value_cpm_micros: ref.valueCpmMicros ?? 0,
    charged_cpm_micros: chargeCpmMicros(ref.bidCpmMicros, ref.marginBasisPoints),
    loss_reason: lossReason,
    min_to_win_cpm_micros: chargedMinToWin(event),
    named_cpm_micros: event.namedCpmMicros ?? 0,
    top_up: event.isTopUp ? 1 : 0,
    price_fault: priceFault ?? '',
    price_text: priceText ?? '',
    test: ref.test ? 1 : 0,
    mark,
    untrained: untrained ?? '',
    batch,
    seq,
    has_stored_at: 1,
  };
}

const NO_APP_EVENT: AppEvent = {
  name: '',
  amount: '',
  currency: '',
  eventAtMs: 0,
  isAdRevenue: false,
  clickBidId: '00000000-0000-0000-0000-000000000000',
};

/** The columns of an in-app event; other events have the table's defaults. */
function appColumns({
  name,
  revenueMicros,
  amount,
  currency,
  eventAtMs,
  installAtMs = 0,
  isAdRevenue,
  clickBidId,
}: AppEvent = NO_APP_EVENT) {
  return {
    event_name: name,
    revenue_micros: revenueMicros ?? 0,
    revenue_known: revenueMicros === undefined ? 0 : 1,
    revenue_amount: amount,
    revenue_currency: currency,
    is_ad_revenue: isAdRevenue ? 1 : 0,
    event_at: clickhouseTime(eventAtMs),
    install_at: clickhouseTime(installAtMs),
    click_bid_id: clickBidId,
  };
}

/** The charge per thousand, with the margin, at the lowest price that would have won; 0 where it is not known. */
export function chargedMinToWin({ ref, minToWinCpmMicros = 0 }: DeliveryEvent): Micros {
  return chargeCpmMicros(minToWinCpmMicros, ref.marginBasisPoints);
}

/** An event with its position in the event log: its segment and its number there. */
export interface EventRow {
  event: DeliveryEvent;
  batch: string;
  seq: number;
}

/**
 * Inserts events with one statement, which `signal` breaks off. After {@link fenceInsert} with its `token`, a UUID, it
 * stores none.
 */
export async function insertEvents(
  clickhouse: ClickHouse,
  rows: readonly EventRow[],
  options: InsertOptions = {},
): Promise<void> {
  if (rows.length === 0) return;
  // The rows of an insert have the same columns. Most inserts have no event in the app, and need not repeat the defaults.
  const hasApp = rows.some(({ event }) => event.app);
  const hasPerson = rows.some(({ event }) => event.ref.personKey !== undefined);
  await clickhouse.insert(
    'events',
    rows.map(({ event, batch, seq }) => ({
      ...rowOf(event, batch, seq),
      ...(hasApp && appColumns(event.app)),
      ...(hasPerson && { person_key: personKeyText(event.ref.personKey) }),
    })),
    options,
  );
}

/** The key of a person as ClickHouse has it, a number of 64 bits; 0 for none. */
export function personKeyText(key: string | undefined): string {
  return key === undefined ? '0' : BigInt(`0x${key}`).toString();
}

/** The month of UTC in which an event is stored, `2026-05`. */
export function monthOf({ atMs }: DeliveryEvent): string {
  return clickhouseTime(atMs).slice(0, 7);
}

/** Kind of the rows that fence an insert: test traffic of no company, each of an invented bid of 1970. */
export const FENCE_KIND = 'fence';

/**
 * Prevents that the insert with a token stores rows of these months from now on: ClickHouse stores only the first insert
 * with a token, in each partition of the table, on a cluster of each shard. Works across companies, since an insert does.
 */
export async function fenceInsert(
  clickhouse: ClickHouse,
  token: string,
  months: readonly string[],
): Promise<void> {
  const shards = Array.from({ length: clickhouse.cluster ? SHARDS_MAX : 1 }, (_, shard) => shard);
  const rows = months.flatMap((month) =>
    shards.map((shard) => ({
      time: `${month}-01 00:00:00.000`,
      kind: FENCE_KIND,
      bid_id: fenceBid(shard),
      test: 1,
    })),
  );
  if (rows.length > 0) await clickhouse.insert('events', rows, { token });
}

/** An invented bid of 1970, with the number by which it is assigned to a shard. */
function fenceBid(shard: number): string {
  const random = uuidv4();
  return `00000000-0000${random.slice(13, 24)}${shard.toString(16).padStart(4, '0')}${random.slice(28)}`;
}

/** Stored events of a bid. */
export interface StoredOfBid {
  /** The batch of its event, by kind. */
  batches: ReadonlyMap<EventKind, string>;
  /** The charge, without the top-up of a later notice; null where no event spent money. */
  charge: StoredCharge | null;
  /** The prices below the bid that the exchange's server named. */
  named: readonly NamedPrice[];
}

/** The charge of a bid. */
export interface StoredCharge {
  kind: EventKind;
  spendMicros: Micros;
  marginMicros: Micros;
}

/** A price that a notice of the exchange's server named, and the batch of the notice. */
export interface NamedPrice {
  cpmMicros: Micros;
  batch: string;
}

/** A row of the look-up: an event of a bid. */
export interface StoredRow {
  kind: EventKind;
  batch: string;
  spendMicros: Micros;
  marginMicros: Micros;
  isTopUp: boolean;
  namedCpmMicros: Micros;
}

/** Summarises the stored rows of a bid. */
export function storedOfBid(rows: readonly StoredRow[]): StoredOfBid {
  const charge = rows.find(({ spendMicros, isTopUp }) => spendMicros > 0 && !isTopUp);
  return {
    batches: new Map(rows.map(({ kind, batch }) => [kind, batch])),
    charge: charge
      ? { kind: charge.kind, spendMicros: charge.spendMicros, marginMicros: charge.marginMicros }
      : null,
    named: rows.flatMap(({ namedCpmMicros, batch }) =>
      namedCpmMicros > 0 ? [{ cpmMicros: namedCpmMicros, batch }] : [],
    ),
  };
}

/** Bids per query: parameters are part of the request's URL, which a server limits to a megabyte. */
const BIDS_IN_QUERY = 5000;

/**
 * Stored events of some bids; bids without events are left out. Works across companies, since a batch of the event log
 * does; a bid's id belongs to one company.
 */
export async function storedByBid(
  clickhouse: ClickHouse,
  bidIds: readonly string[],
): Promise<Map<string, StoredOfBid>> {
  const stored = new Map<string, StoredOfBid>();
  for (let from = 0; from < bidIds.length; from += BIDS_IN_QUERY) {
    const bids = await clickhouse.query<{ bidId: string; events: StoredTuple[] }>(
      `select bid_id as bidId,
         groupUniqArray((kind, batch, spend_micros, margin_micros, top_up, named_cpm_micros)) as events
       from ${everyReplica(clickhouse.cluster, 'events')}
       where toUInt128(bid_id) in (select toUInt128(arrayJoin({bids:Array(UUID)}))) group by bid_id`,
      { bids: bidIds.slice(from, from + BIDS_IN_QUERY) },
      'JSON',
      everyReplicaSettings(clickhouse.cluster),
    );
    for (const { bidId, events } of bids) stored.set(bidId, storedOfBid(events.map(rowOfTuple)));
  }
  return stored;
}

type StoredTuple = [
  kind: EventKind,
  batch: string,
  spendMicros: Micros,
  marginMicros: Micros,
  topUp: 0 | 1,
  namedCpmMicros: Micros,
];

function rowOfTuple([kind, batch, spendMicros, marginMicros, topUp, namedCpmMicros]: StoredTuple): StoredRow {
  return { kind, batch, spendMicros, marginMicros, isTopUp: topUp === 1, namedCpmMicros };
}

/** Some of the partitions of bids: all bids where `count` is 1. */
export interface Partitions {
  count: number;
  partitions: readonly number[];
}

/** Whether a bid is in one of the bound partitions; the same as {@link partitionOf}. */
const IN_PARTITIONS =
  'has({partitions:Array(UInt16)}, toUInt16(intDiv(toUInt128(bid_id), 4294967296) % 65536 % {count:UInt32}))';

/** Counts the stored events of bids made since an instant, in some partitions. */
export async function countSince(
  clickhouse: ClickHouse,
  fromMs: number,
  { count, partitions }: Partitions,
): Promise<number> {
  const [row] = await clickhouse.query<{ events: number }>(
    `select count() as events from events where toUInt128(bid_id) >= {from:UInt128} and ${IN_PARTITIONS}`,
    { from: firstIdText(fromMs), count, partitions },
  );
  return row?.events ?? 0;
}

/**
 * Words of a row of {@link readStoredPairs}: the id, then the index of the kind in `EVENT_KINDS` from 1, with
 * {@link CHARGED} added for a charge and {@link NAMES_PRICE} for a price that the exchange's server named.
 */
const PAIR_WORDS = 5;
const PAIR_BYTES = PAIR_WORDS * 4;
const CHARGED = 256;
const NAMES_PRICE = 512;
const kindIndexes = EVENT_KINDS.map((kind) => kindIndexOf(kind));

/**
 * Streams the stored (bid, kind) pairs of the bids made in a span of time, in some partitions, as binary rows. Calls `add`
 * with each pair, and with the charge and the named price of a bid, on a cluster several times; the words passed to it are overwritten after
 * the call.
 */
export async function readStoredPairs(
  clickhouse: ClickHouse,
  { fromMs, beforeMs, count, partitions }: { fromMs: number; beforeMs: number } & Partitions,
  add: (bid: UuidWords, kindIndex: number) => void,
): Promise<void> {
  const chunks = clickhouse.stream(
    `select bid_id, toUInt32(indexOf({kinds:Array(String)}, toString(kind))
       + ${CHARGED} * (spend_micros > 0 and top_up = 0) + ${NAMES_PRICE} * (named_cpm_micros > 0)) as k
     from ${everyReplica(clickhouse.cluster, 'events')}
     where toUInt128(bid_id) >= {from:UInt128} and toUInt128(bid_id) < {before:UInt128} and ${IN_PARTITIONS}
     ${clickhouse.cluster ? settingsText(everyReplicaSettings(clickhouse.cluster)) : ''}`,
    { kinds: EVENT_KINDS, from: firstIdText(fromMs), before: firstIdText(beforeMs), count, partitions },
    'RowBinary',
  );
  let rest: Uint8Array = new Uint8Array(0);
  const bid: [number, number, number, number] = [0, 0, 0, 0];
  for await (const chunk of chunks) {
    // Copied, so that its 32-bit words are aligned.
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    const pairs = Math.floor(bytes.length / PAIR_BYTES);
    const words = new Int32Array(bytes.buffer, 0, pairs * PAIR_WORDS);
    for (let at = 0; at < words.length; at += PAIR_WORDS) {
      // Two 64-bit halves, each with its low word first.
      bid[0] = words[at + 1]!;
      bid[1] = words[at]!;
      bid[2] = words[at + 3]!;
      bid[3] = words[at + 2]!;
      const flags = words[at + 4]!;
      const kind = flags % CHARGED;
      if (kind > 0) add(bid, kindIndexes[kind - 1]!);
      if (flags & CHARGED) add(bid, CHARGE_INDEX);
      if (flags & NAMES_PRICE) add(bid, NAMED_PRICE_INDEX);
    }
    rest = bytes.slice(pairs * PAIR_BYTES);
  }
}

/** Spend of one ad set in one quarter of an hour. */
export interface SpendSlice {
  companyId: string;
  adsetId: string;
  /** Unix ms of the quarter's start. */
  quarterMs: number;
  spentMicros: number;
}

/** Spend of some ad sets by quarter hour since an instant: fine enough for days of any time zone. */
export async function spendSince(
  clickhouse: ClickHouse,
  sinceMs: number,
  adsetIds: readonly string[],
): Promise<readonly SpendSlice[]> {
  return clickhouse.query<SpendSlice>(
    `select company_id as companyId, adset_id as adsetId,
       toUnixTimestamp(${grainSql.quarterHour}) * 1000 as quarterMs, ${measureSql.spendMicros} as spentMicros
     from events
     where ${grainSql.quarterHour} >= {since:DateTime('UTC')} and test = 0 and has({adsets:Array(UUID)}, adset_id)
     group by company_id, adset_id, ${grainSql.quarterHour} having spentMicros != 0`,
    { since: clickhouseTime(Math.floor(sinceMs / QUARTER_MS) * QUARTER_MS).slice(0, 19), adsets: adsetIds },
  );
}

/** Spend of one ad set in one country in one quarter of an hour. */
export interface CountrySpendSlice extends SpendSlice {
  country: string;
}

/** {@link spendSince} by country, of companies. No aggregate has it: it reads the companies' events since then. */
export async function countrySpendSince(
  clickhouse: ClickHouse,
  sinceMs: number,
  { companyIds, adsetIds }: { companyIds: readonly string[]; adsetIds: readonly string[] },
): Promise<readonly CountrySpendSlice[]> {
  return clickhouse.query<CountrySpendSlice>(
    `select company_id as companyId, adset_id as adsetId, country,
       toUnixTimestamp(${grainSql.quarterHour}) * 1000 as quarterMs, ${measureSql.spendMicros} as spentMicros
     from events
     where company_id in {companies:Array(UUID)} and time >= {since:DateTime64(3, 'UTC')} and test = 0
       and has({adsets:Array(UUID)}, adset_id)
     group by company_id, adset_id, country, ${grainSql.quarterHour} having spentMicros != 0`,
    { since: clickhouseTime(sinceMs), companies: companyIds, adsets: adsetIds },
  );
}

/** Total spend per ad set. */
export async function spendOfAllTime(
  clickhouse: ClickHouse,
): Promise<readonly { companyId: string; adsetId: string; spentMicros: number }[]> {
  return clickhouse.query(
    `select company_id as companyId, adset_id as adsetId, ${measureSql.spendMicros} as spentMicros
     from events where test = 0 group by companyId, adsetId having spentMicros != 0`,
  );
}

/** Total spend of an ad set in a campaign. */
export interface SpendOfCampaign {
  adsetId: string;
  campaignId: string;
  spentMicros: Micros;
}

/** Total spend by ad set and campaign. Rejects on a cluster while all replicas of a shard are minutes behind. */
export async function spendByCampaign(clickhouse: ClickHouse): Promise<readonly SpendOfCampaign[]> {
  return clickhouse.query(
    `select adset_id as adsetId, campaign_id as campaignId, ${measureSql.spendMicros} as spentMicros
     from events where test = 0 group by company_id, campaign_id, adset_id having spentMicros != 0`,
    {},
    'JSON',
    clickhouse.cluster ? { fallback_to_stale_replicas_for_distributed_queries: 0 } : {},
  );
}

/** Most rows of one day that are read at start: the rows with the most impressions, clicks and installs. */
const HISTORY_ROWS_OF_DAY = 10_000;
/** Most groups that the query of one day keeps in memory; later groups in the data are left out. */
const HISTORY_GROUPS_MAX = 100_000;

/**
 * Impressions, clicks and installs of one UTC day, by ad set, creative, app and country, for learning: without invalid
 * traffic, and without implausible or rejected installs; without some ad sets. Reads the aggregate `daily_history`.
 */
export async function historyOfDay(
  clickhouse: ClickHouse,
  dayMs: number,
  withoutAdsets: readonly string[] = [],
): Promise<readonly History[]> {
  return clickhouse.query<History>(
    `select * from (
       select company_id as companyId, adset_id as adsetId, creative_id as creativeId, bundle, country,
         if(creative_type = 'Banner', concat('Banner ', toString(creative_width), 'x', toString(creative_height)), creative_type) as format,
         ${measureSql.validImpressions} as impressions, ${measureSql.validClicks} as clicks,
         ${measureSql.trainingInstalls} - ${measureSql.trainingRejectedInstalls} as installs
       from events
       where ${grainSql.day} = {day:Date} and test = 0
         ${withoutAdsets.length > 0 ? 'and not has({without:Array(UUID)}, adset_id)' : ''}
       group by company_id, adset_id, creative_id, creative_type, creative_width, creative_height, bundle, country
       having impressions + clicks + installs > 0
       order by impressions + clicks + installs desc limit {rows:UInt32}
       settings max_threads = 1, max_rows_to_group_by = ${HISTORY_GROUPS_MAX}, group_by_overflow_mode = 'any')`,
    {
      day: new Date(dayMs).toISOString().slice(0, 10),
      rows: HISTORY_ROWS_OF_DAY,
      ...(withoutAdsets.length > 0 && { without: withoutAdsets }),
    },
  );
}

/** A stored event of a bid, with the fields that attribution uses. */
export interface StoredEvent {
  bidId: string;
  kind: EventKind;
  /** Unix ms. */
  atMs: number;
  mark: EventMark;
  untrained: UntrainedReason | '';
}

/** A bid and its company, by which events are looked up. */
export interface BidKey {
  bidId: string;
  companyId: string;
}

const LOOKUP_SECONDS_MAX = 20;

/**
 * The stored events of some bids (at most a thousand), of the given kinds. Works across companies, since a batch of
 * postbacks does; a bid's id belongs to one company. Reads only the granules of these bids in the projection
 * `charges_of_bid`.
 */
export async function storedEventsOf(
  clickhouse: ClickHouse,
  bids: readonly BidKey[],
  kinds: readonly EventKind[],
): Promise<readonly StoredEvent[]> {
  // The settings are part of the inner query, because the client appends its own at the end.
  return clickhouse.query<StoredEvent>(
    `select distinct * from (
       select bid_id as bidId, kind, toUnixTimestamp64Milli(time) as atMs, mark, untrained
       from ${everyReplica(clickhouse.cluster, 'events')}
       where toUInt128(bid_id) in (select toUInt128(arrayJoin({bids:Array(UUID)}))) and kind in {kinds:Array(String)}
       settings max_execution_time = ${LOOKUP_SECONDS_MAX})`,
    { bids: bids.map(({ bidId }) => bidId), kinds },
    'JSON',
    everyReplicaSettings(clickhouse.cluster),
  );
}

/** The event in the app with an id as it was counted; undefined for none. Works across companies, as {@link storedEventsOf}. */
export async function countedAppEvent(clickhouse: ClickHouse, id: string): Promise<AppEvent | undefined> {
  const [row] = await clickhouse.query<
    Omit<AppEvent, 'isAdRevenue'> & {
      isAdRevenue: 0 | 1;
      isKnown: 0 | 1;
      revenueMicros: Micros;
      installAtMs: number;
    }
  >(
    `select * from (
       select event_name as name, revenue_known as isKnown, revenue_micros as revenueMicros, revenue_amount as amount,
         revenue_currency as currency, toUnixTimestamp64Milli(event_at) as eventAtMs,
         toUnixTimestamp64Milli(install_at) as installAtMs, is_ad_revenue as isAdRevenue, click_bid_id as clickBidId
       from ${everyReplica(clickhouse.cluster, 'events')}
       where toUInt128(bid_id) in (select toUInt128(arrayJoin({bids:Array(UUID)}))) and kind in ('app_event', 'reengaged_event')
       limit 1 settings max_execution_time = ${LOOKUP_SECONDS_MAX})`,
    { bids: [id] },
    'JSON',
    everyReplicaSettings(clickhouse.cluster),
  );
  if (!row) return undefined;
  const { isKnown, revenueMicros, installAtMs, isAdRevenue, ...app } = row;
  return {
    ...app,
    isAdRevenue: isAdRevenue === 1,
    ...(isKnown === 1 && { revenueMicros }),
    ...(installAtMs > 0 && { installAtMs }),
  };
}

/** First of the four hexadecimal digits of a bid id that choose its partition. */
const DIGITS_AT = 24;

/**
 * The partition of a bid's events among `count`, by random bits of its id: not its time, which is at the front, and not
 * the tag of its bidder, which is at the end. The same for all events of a bid, in every process.
 */
export function partitionOf(bidId: string, count: number): number {
  return Number.parseInt(bidId.slice(DIGITS_AT, DIGITS_AT + 4), 16) % count;
}

/** The same, of a parsed id: its four big-endian words. */
export function partitionOfWords(words: UuidWords, count: number): number {
  return (words[2] & 0xffff) % count;
}
