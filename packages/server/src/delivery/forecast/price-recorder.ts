import type { Logger } from 'pino';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import type { Step } from '../../platform/startup.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { type PriceCounts, priceKeyOf, pricePointOf } from '../learning/counts.ts';
import type { PricePoint } from '../learning/win-rates.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';

/** Counts the bids and events of this process by price. */
export interface PriceRecorder {
  /** Adds the numbers of bids of this process, and of won bids. */
  add(sums: readonly PriceCounts[]): void;
  /** Counts an event that this process has counted, if it is an impression. */
  count(event: DeliveryEvent): void;
  /** Stores the counts so far, and ends. */
  close(): Promise<void>;
}

const STORE_EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Most rows in memory while they cannot be stored; new rows beyond it are dropped. */
const ROWS_MAX = 50_000;

/** Starts to store the bids of this process by market and price, every ten seconds. */
export function startPriceRecorder({
  clickhouse,
  clickhouseReady,
  log,
  now,
}: {
  clickhouse: Pick<ClickHouse, 'insert'>;
  /** Done once the tables exist. */
  clickhouseReady: Pick<Step, 'done'>;
  log: Logger;
  now: () => Date;
}): PriceRecorder {
  let rows = new Map<string, PriceRow>();
  const rowOf = (point: PricePoint): PriceRow | null => {
    const hourMs = Math.floor(now().getTime() / HOUR_MS) * HOUR_MS;
    const key = `${hourMs} ${priceKeyOf(point)}`;
    let row = rows.get(key);
    if (!row && rows.size < ROWS_MAX) {
      const { exchange, format, country, step } = point;
      rows.set(key, (row = { hourMs, exchange, format, country, step, placed: 0, won: 0, impressions: 0 }));
    }
    return row ?? null;
  };
  const flush = async (): Promise<void> => {
    const taken = rows;
    rows = new Map();
    try {
      await storePrices(clickhouse, [...taken.values()]);
    } catch (error) {
      for (const [key, row] of taken) {
        const newer = rows.get(key);
        if (newer) {
          newer.placed += row.placed;
          newer.won += row.won;
          newer.impressions += row.impressions;
        } else if (rows.size < ROWS_MAX) rows.set(key, row);
      }
      throw error;
    }
  };
  const job = repeat(STORE_EVERY_MS, 'store bids by price', log, flush, [clickhouseReady]);
  return {
    add(sums) {
      for (const one of sums) {
        const row = rowOf(one);
        if (!row) continue;
        row.placed += one.placed;
        row.won += one.won;
      }
    },
    count({ kind, ref, mark }) {
      if (kind !== 'impression' || ref.test || mark !== '') return;
      const row = rowOf(pricePointOf(ref));
      if (row) row.impressions += 1;
    },
    async close() {
      await job.stop();
      await flush().catch((err: unknown) => log.warn({ err }, 'the last bids by price were not stored'));
    },
  };
}

/** Bids of an hour at one price of a market, with the impressions of the won ones. */
export interface PriceRow extends PriceCounts {
  /** Start of the hour, Unix ms. */
  hourMs: number;
  impressions: number;
}

/** Limits of one query, so that forecasts do not slow down reports. */
const SETTINGS: QuerySettings = { max_threads: 1, max_execution_time: 20 };
/** Most price steps of all markets that are read. */
const PRICES_MAX = 100_000;

/** Stores bids by price, of all companies. */
export async function storePrices(
  clickhouse: Pick<ClickHouse, 'insert'>,
  rows: readonly PriceRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await clickhouse.insert(
    'bid_prices',
    rows.map(({ hourMs, step, ...row }) => ({ hour: Math.floor(hourMs / 1000), price_step: step, ...row })),
  );
}

/** Bids by price since an instant, the markets with the most bids first. */
export async function pricesSince(
  clickhouse: ClickHouse,
  sinceMs: number,
): Promise<readonly Omit<PriceRow, 'hourMs'>[]> {
  return clickhouse.query(
    `select exchange, format, country, price_step as step,
       sum(placed) as placed, sum(won) as won, sum(impressions) as impressions
     from bid_prices where hour >= {since:DateTime64(3, 'UTC')}
     group by exchange, format, country, price_step order by placed desc limit {limit:UInt32}`,
    { since: clickhouseTime(sinceMs), limit: PRICES_MAX },
    'JSON',
    SETTINGS,
  );
}
