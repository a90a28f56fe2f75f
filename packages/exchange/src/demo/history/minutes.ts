import { BidCounts } from '@bidwell/server/delivery/exchanges/bid-counts';
import {
  EventCounts,
  type ExchangeMinute,
  saveExchangeMinutes,
} from '@bidwell/server/delivery/exchanges/exchange-minutes';
import type { Context } from '@bidwell/server/context';
import { randomUUID } from 'node:crypto';
import { type Random, logNormal } from '../../random.ts';
import type { HistorySink } from './generate.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Minutes that are stored at once. */
const STORED_AT_ONCE = 500;
/** Median time of a response in ms, and its spread. */
const LATENCY_MS = 1.2;
const LATENCY_SPREAD = 0.6;

/** The counts of exchanges by minute, as a bidder and a counter would have stored them. */
export interface HistoryMinutes extends Required<Omit<HistorySink, 'budgetSpent'>> {
  write(ctx: Pick<Context, 'db'>): Promise<void>;
}

/** Counts the last day of the history by exchange and minute, for the health of exchanges. */
export function createHistoryMinutes(random: Random, nowMs: number): HistoryMinutes {
  const fromMs = nowMs - DAY_MS;
  const minutes = new Map<string, ExchangeMinute>();
  const at = (exchange: string, atMs: number): ExchangeMinute => {
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    const key = `${exchange} ${minuteMs}`;
    let minute = minutes.get(key);
    if (!minute) {
      minute = { exchange, minuteMs, bids: new BidCounts(), events: new EventCounts() };
      minutes.set(key, minute);
    }
    return minute;
  };
  return {
    bid(_adset, exchange, atMs) {
      if (atMs < fromMs) return;
      const { bids } = at(exchange, atMs);
      bids.answered += 1;
      bids.bids += 1;
      bids.observe(logNormal(random, LATENCY_MS, LATENCY_SPREAD));
    },
    noBid(reason, exchange, atMs) {
      if (atMs < fromMs) return;
      const { bids } = at(exchange, atMs);
      if (reason === 'unreadable') bids.unreadable += 1;
      else bids.noBid(reason);
      bids.observe(logNormal(random, LATENCY_MS / 2, LATENCY_SPREAD));
    },
    event(event) {
      if (event.atMs >= fromMs) at(event.ref.exchange, event.atMs).events.count(event);
    },
    async write({ db }) {
      const all = [...minutes.values()];
      const processId = randomUUID();
      for (let start = 0; start < all.length; start += STORED_AT_ONCE)
        await saveExchangeMinutes(db, processId, all.slice(start, start + STORED_AT_ONCE));
    },
  };
}
