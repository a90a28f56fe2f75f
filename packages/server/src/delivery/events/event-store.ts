import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { History } from '../learning/learning.ts';
import type { DeliveryEvent, EventKind, UntrainedReason } from './event.ts';
import { uuidTimeMs } from './seen-window.ts';
import type { EventMark } from './suspicion.ts';

const DAY_MS = 86_400_000;

/** A row of `events`, as it is inserted. */
function rowOf(
  { kind, atMs, ref, spendMicros, lossReason, priceFault, mark, untrained }: DeliveryEvent,
  batch: string,
  seq: number,
) {
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
    bid_cpm_micros: ref.bidCpmMicros,
    loss_reason: lossReason,
    price_fault: priceFault ?? '',
    test: ref.test ? 1 : 0,
    mark,
    untrained: untrained ?? '',
    batch,
    seq,
  };
}

/** Inserts a batch but for its gaps; when it is doubtful, only what the table does not have of it yet. */
export async function storeBatch(
  clickhouse: ClickHouse,
  batch: string,
  events: readonly (DeliveryEvent | null)[],
  doubtful: boolean,
): Promise<void> {
  const stored = doubtful ? await storedSeqs(clickhouse, batch) : new Set<number>();
  const rows = events.flatMap((event, seq) => (event && !stored.has(seq) ? [rowOf(event, batch, seq)] : []));
  if (rows.length > 0) await clickhouse.insert('events', rows);
}

async function storedSeqs(clickhouse: ClickHouse, batch: string): Promise<Set<number>> {
  const rows = await clickhouse.query<{ seq: number }>('select seq from events where batch = {batch:UUID}', {
    batch,
  });
  return new Set(rows.map(({ seq }) => seq));
}

/** A stored event, as far as it keeps another one out. */
export interface StoredPair {
  bid_id: string;
  kind: EventKind;
  /** 1 when it spent money. */
  charged: 0 | 1;
}

/** The (bid, kind) pairs stored since an instant, a day of them at a time. */
export async function* storedPairs(
  clickhouse: ClickHouse,
  sinceMs: number,
  nowMs: number,
  kinds: readonly EventKind[],
): AsyncGenerator<StoredPair> {
  const dayMs = 86_400_000;
  for (let from = sinceMs; from <= nowMs + dayMs; from += dayMs) {
    yield* await clickhouse.query<StoredPair>(
      `select bid_id, kind, spend_micros > 0 as charged from events
       where time >= {from:DateTime64(3, 'UTC')} and time < {to:DateTime64(3, 'UTC')} and has({kinds:Array(String)}, kind)`,
      { from: clickhouseTime(from), to: clickhouseTime(from + dayMs), kinds },
    );
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

/** Spend per ad set and quarter of an hour since an instant: fine enough for the days of any time zone. */
export async function spendSince(clickhouse: ClickHouse, sinceMs: number): Promise<readonly SpendSlice[]> {
  return clickhouse.query<SpendSlice>(
    `select company_id as companyId, adset_id as adsetId,
       toUnixTimestamp(toStartOfFifteenMinutes(time)) * 1000 as quarterMs, sum(spend_micros) as spentMicros
     from events
     where time >= {since:DateTime64(3, 'UTC')} and test = 0
     group by companyId, adsetId, quarterMs having spentMicros != 0`,
    { since: clickhouseTime(sinceMs) },
  );
}

/** Spend per ad set since ever. */
export async function spendOfAllTime(
  clickhouse: ClickHouse,
): Promise<readonly { companyId: string; adsetId: string; spentMicros: number }[]> {
  return clickhouse.query(
    `select company_id as companyId, adset_id as adsetId, sum(spend_micros) as spentMicros
     from events where test = 0 group by companyId, adsetId having spentMicros != 0`,
  );
}

/** Keeps a postback as it came. */
export interface PostbackRecord {
  atMs: number;
  companyId: string;
  mmp: string;
  outcome: string;
  clickId: string;
  parameters: string;
}

export async function storePostback(clickhouse: ClickHouse, record: PostbackRecord): Promise<void> {
  await clickhouse.insert('postbacks', [
    {
      time: clickhouseTime(record.atMs),
      company_id: record.companyId,
      mmp: record.mmp,
      outcome: record.outcome,
      click_id: record.clickId.slice(0, 1000),
      parameters: record.parameters.slice(0, 8192),
    },
  ]);
}

/** The most that is read at a start: the places that most was shown in. */
const HISTORY_ROWS_MAX = 200_000;

/** Impressions, clicks and installs since an instant, by ad set, creative and place. */
export async function historySince(clickhouse: ClickHouse, sinceMs: number): Promise<readonly History[]> {
  return clickhouse.query<History>(
    `select adset_id as adsetId, creative_id as creativeId, bundle, country,
       if(creative_type = 'Banner', concat('Banner ', toString(creative_width), 'x', toString(creative_height)), creative_type) as format,
       countIf(kind = 'impression') as impressions, countIf(kind = 'click') as clicks,
       countIf(kind = 'install') as installs
     from events
     where time >= {since:DateTime64(3, 'UTC')} and test = 0 and kind in ('impression', 'click', 'install')
     group by adsetId, creativeId, format, bundle, country
     order by impressions desc limit {rows:UInt32}`,
    { since: clickhouseTime(sinceMs), rows: HISTORY_ROWS_MAX },
  );
}

/** A stored event of a bid, as far as attribution asks. */
export interface StoredEvent {
  bidId: string;
  kind: EventKind;
  /** Unix ms. */
  atMs: number;
  mark: EventMark;
  untrained: UntrainedReason | '';
}

/** A bid, and whose it is: what events are looked up by. */
export interface BidKey {
  bidId: string;
  companyId: string;
}

const LOOKUP_SECONDS_MAX = 20;

/**
 * The stored events of some bids (at most a thousand), of the kinds that are asked for. Crosses companies, since a batch of
 * postbacks does; a bid's id belongs to one. Reads what those companies stored since the oldest of the bids.
 */
export async function storedEventsOf(
  clickhouse: ClickHouse,
  bids: readonly BidKey[],
  kinds: readonly EventKind[],
): Promise<readonly StoredEvent[]> {
  const sinceMs = Math.min(...bids.map(({ bidId }) => uuidTimeMs(bidId))) - DAY_MS;
  // The query's own settings belong to the inner one: the client adds others at the end.
  return clickhouse.query<StoredEvent>(
    `select * from (
       select bid_id as bidId, kind, toUnixTimestamp64Milli(time) as atMs, mark, untrained from events
       where company_id in {companies:Array(UUID)} and time >= {since:DateTime64(3, 'UTC')}
         and bid_id in {bids:Array(UUID)} and kind in {kinds:Array(String)}
       settings max_execution_time = ${LOOKUP_SECONDS_MAX})`,
    {
      companies: [...new Set(bids.map(({ companyId }) => companyId))],
      bids: bids.map(({ bidId }) => bidId),
      since: clickhouseTime(sinceMs),
      kinds,
    },
  );
}
