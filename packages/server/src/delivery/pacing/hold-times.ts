import { uuidTimeMs } from '../events/seen-window.ts';
import { RESERVATION_MS } from './leases.ts';

/**
 * How long bids may be held, ms. A few lengths alone, so that bids of one length expire in the order in which they were
 * sent. Delays are counted up to each of them too.
 */
const LENGTHS_MS = [10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600].map(
  (seconds) => seconds * 1000,
);
/** The part of notices that should have come before the money is free again. */
const PERCENTILE = 0.99;
/** Notices before what was seen of an exchange decides: three of them are beyond the percentile. */
const NOTICES_MIN = 300;
/** What was seen weighs half as much after so many notices. */
const NOTICES_MAX = 20_000;
/** A notice is on its way for so long after the impression. */
const TRANSPORT_MS = 15_000;
const EVICT_EVERY_MS = 1000;
/** Of one exchange's bids, so many wait at once to be learned from. */
const FOLLOWED_MAX = 20_000;

interface Exchange {
  /** Notices that came within each length, but not within the one before; the last holds what came later. */
  counts: number[];
  total: number;
  /** What the counts say; null while they are too few. */
  learnedMs: number | null;
  followed: number;
}

/**
 * Learns how long after a bid each exchange sends the notice that charges it, and says how long a bid's money is to be held.
 * Notices that come after the money was freed count as well, up to {@link RESERVATION_MS} after the bid.
 */
export class HoldTimes {
  readonly #exchanges = new Map<string, Exchange>();
  /** The exchange of each bid that is learned from, oldest bid first. */
  readonly #followed = new Map<string, Exchange>();
  #evictedAtMs = -Infinity;

  /**
   * How long to hold the money of a bid, ms: the 99th percentile of what was seen, and no longer than the seconds that may
   * pass until the impression where the exchange says so (OpenRTB 2.6, 3.2.4 `exp`). Ten minutes at most, and until it is known.
   */
  holdMs(exchange: string, expiresAfterSeconds: number | null): number {
    const learnedMs = this.#exchanges.get(exchange)?.learnedMs ?? RESERVATION_MS;
    if (expiresAfterSeconds === null) return learnedMs;
    return Math.min(learnedMs, lengthOf(expiresAfterSeconds * 1000 + TRANSPORT_MS));
  }

  /** A bid was sent. */
  sent(bidId: string, exchange: string, nowMs: number): void {
    this.#evict(nowMs);
    let learning = this.#exchanges.get(exchange);
    if (!learning) {
      learning = { counts: [0, ...LENGTHS_MS.map(() => 0)], total: 0, learnedMs: null, followed: 0 };
      this.#exchanges.set(exchange, learning);
    }
    if (learning.followed >= FOLLOWED_MAX) return;
    learning.followed += 1;
    this.#followed.set(bidId, learning);
  }

  /** A bid was charged or lost. */
  ended(bidId: string, charged: boolean, nowMs: number): void {
    const exchange = this.#followed.get(bidId);
    if (!exchange) return;
    this.#followed.delete(bidId);
    exchange.followed -= 1;
    if (charged) learn(exchange, nowMs - uuidTimeMs(bidId));
  }

  /** Once a second: each look has to step over all that was deleted before the oldest. */
  #evict(nowMs: number): void {
    if (Math.abs(nowMs - this.#evictedAtMs) < EVICT_EVERY_MS) return;
    this.#evictedAtMs = nowMs;
    for (const [bidId, exchange] of this.#followed) {
      if (nowMs - uuidTimeMs(bidId) < RESERVATION_MS) return;
      this.#followed.delete(bidId);
      exchange.followed -= 1;
    }
  }
}

function learn(exchange: Exchange, delayMs: number): void {
  const index = LENGTHS_MS.findIndex((lengthMs) => delayMs <= lengthMs);
  const { counts } = exchange;
  counts[index < 0 ? counts.length - 1 : index]! += 1;
  exchange.total += 1;
  if (exchange.total >= NOTICES_MAX) {
    for (let at = 0; at < counts.length; at += 1) counts[at]! /= 2;
    exchange.total /= 2;
  }
  if (exchange.total >= NOTICES_MIN) exchange.learnedMs = percentileMs(exchange);
}

function percentileMs({ counts, total }: Exchange): number {
  let sum = 0;
  for (const [index, lengthMs] of LENGTHS_MS.entries()) {
    sum += counts[index]!;
    if (sum >= total * PERCENTILE) return lengthMs;
  }
  return RESERVATION_MS;
}

/** The shortest length that is not below a time; the longest where there is none. */
function lengthOf(ms: number): number {
  return LENGTHS_MS.find((lengthMs) => lengthMs >= ms) ?? RESERVATION_MS;
}
