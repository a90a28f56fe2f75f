import type { Context } from '@bidwell/server/context';
import { type PriceRow, storePrices } from '@bidwell/server/delivery/forecast/price-recorder';
import { priceKeyOf, pricePointOf } from '@bidwell/server/delivery/learning/counts';
import type { PricePoint } from '@bidwell/server/delivery/learning/win-rates';
import type { HistorySink } from './generate.ts';

const DAY_MS = 86_400_000;
/** As far as forecasts look back for the chance to win. */
const PRICES_DAYS = 7;

/** Collects the bids of the last days of the history by price. */
export interface HistoryBidPrices extends HistorySink {
  /** Stores them, as bidders do. */
  write(ctx: Pick<Context, 'clickhouse'>): Promise<void>;
}

/** Creates a {@link HistoryBidPrices} for a history until `nowMs`. */
export function createHistoryBidPrices(nowMs: number): HistoryBidPrices {
  const firstMs = nowMs - PRICES_DAYS * DAY_MS;
  const rows = new Map<string, PriceRow>();
  const rowAt = (point: PricePoint, atMs: number): PriceRow => {
    // By day: forecasts add up the hours anyway.
    const hourMs = Math.max(Math.floor(atMs / DAY_MS) * DAY_MS, Math.ceil(firstMs / 3_600_000) * 3_600_000);
    const key = `${hourMs} ${priceKeyOf(point)}`;
    let row = rows.get(key);
    if (!row) rows.set(key, (row = { ...point, hourMs, placed: 0, won: 0, impressions: 0 }));
    return row;
  };
  return {
    bid(_adset, _exchange, atMs, { point, isWon }) {
      if (atMs < firstMs) return;
      const row = rowAt(point, atMs);
      row.placed += 1;
      if (isWon) row.won += 1;
    },
    event({ kind, atMs, ref, mark }) {
      if (kind !== 'impression' || mark !== '' || atMs < firstMs) return;
      rowAt(pricePointOf(ref), atMs).impressions += 1;
    },
    async write({ clickhouse }) {
      await storePrices(clickhouse, [...rows.values()]);
    },
  };
}
