import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { PriceCounts } from '../learning/counts.ts';

/** Bids of an hour at one price of a market, with the impressions of those that won. */
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

/** Bids by price since an instant, those of the markets with the most bids first. */
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
