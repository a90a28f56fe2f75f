import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Counts of an exchange in one step of a time. */
export interface StepRow {
  exchange: string;
  /** Start of the step, Unix ms. */
  atMs: number;
  answered: number;
  bids: number;
  unreadable: number;
  failed: number;
  late: number;
  wins: number;
  billings: number;
  impressions: number;
  charged: number;
  spendMicros: Micros;
}

/** A count of an exchange in one step: of a no-bid reason, a bucket of latencies, or a code of losses. */
export interface KeyRow {
  exchange: string;
  atMs: number;
  kind: 'no_bids' | 'latencies' | 'losses';
  key: string;
  count: number;
}

/** A time in steps. */
export interface StepTimes {
  fromMs: number;
  untilMs: number;
  stepMs: number;
}

/** Which rows: the exchanges by slug, and the time. The steps begin at multiples of their length. */
function selected(slugs: readonly string[], { fromMs, untilMs, stepMs }: StepTimes) {
  const at = sql`floor(extract(epoch from minute) * 1000 / ${stepMs}::int)::bigint * ${stepMs}::int`;
  const where = sql`exchange = any(${`{${slugs.join()}}`}::text[])
    and minute >= to_timestamp(${fromMs}::double precision / 1000)
    and minute < to_timestamp(${untilMs}::double precision / 1000)`;
  return { at, where };
}

/** The counts of exchanges in each step, of all processes. Exchanges belong to no company. */
export async function exchangeSteps(
  db: Db,
  slugs: readonly string[],
  times: StepTimes,
): Promise<readonly StepRow[]> {
  const { at, where } = selected(slugs, times);
  const { rows } = await sql<StepRow>`
    select exchange, ${at} as "atMs", sum(answered)::bigint as answered, sum(bids)::bigint as bids,
      sum(unreadable)::bigint as unreadable, sum(failed)::bigint as failed, sum(late)::bigint as late,
      sum(wins)::bigint as wins, sum(billings)::bigint as billings, sum(impressions)::bigint as impressions,
      sum(charged)::bigint as charged, sum(spend_micros)::bigint as "spendMicros"
    from exchange_minutes where ${where} group by 1, 2`.execute(db);
  return rows;
}

/** The counts by reason, bucket and code in each step, of all processes. */
export async function exchangeKeys(
  db: Db,
  slugs: readonly string[],
  times: StepTimes,
): Promise<readonly KeyRow[]> {
  const { at, where } = selected(slugs, times);
  const { rows } = await sql<KeyRow>`
    select exchange, "atMs", kind, key, sum(value::bigint)::bigint as count
    from (
      select exchange, ${at} as "atMs", kind, counts
      from exchange_minutes, lateral (
        values ('no_bids', no_bids), ('latencies', latencies), ('losses', losses)
      ) as k (kind, counts)
      where ${where}
    ) as m, lateral jsonb_each_text(counts)
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** Events of a bid are looked for this long before the charge: a win notice comes before it. */
const WIN_BEFORE_MS = 3_600_000;
/** The query ends after this time: an installation may have millions of events an hour. */
const SECONDS_MAX = 5;

/** Bids of an exchange that were charged in this time without a win notice at any time. Of all companies. */
export async function chargedWithoutWin(
  clickhouse: ClickHouse,
  slug: string,
  { fromMs, untilMs }: StepTimes,
): Promise<number> {
  const [row] = await clickhouse.query<{ bids: number }>(
    `select count() as bids from (
       select bid_id from events
       where time >= {before:DateTime64(3, 'UTC')} and exchange = {slug:String} and test = 0
         and kind in ('win', 'billing', 'impression')
       group by bid_id
       having countIf(spend_micros > 0 and time >= {from:DateTime64(3, 'UTC')} and time < {until:DateTime64(3, 'UTC')}) > 0
         and countIf(kind = 'win') = 0
     )`,
    {
      slug,
      before: clickhouseTime(fromMs - WIN_BEFORE_MS),
      from: clickhouseTime(fromMs),
      until: clickhouseTime(untilMs),
    },
    'JSON',
    { max_execution_time: SECONDS_MAX },
  );
  return row?.bids ?? 0;
}
