import { uuidTimeMs } from '../event-log/deduplication-window.ts';
import { RESERVATION_MS } from './leases.ts';

/**
 * Durations for which a reservation may be held, ms. Only a few, so that bids of one duration expire in the order in
 * which they were sent. They are also the buckets in which the delays of notices are counted.
 */
const LENGTHS_MS = [10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600].map(
  (seconds) => seconds * 1000,
);
/** Share of charging notices that should arrive before the reservation expires. */
const PERCENTILE = 0.99;
/** Notices of an exchange before their delays are used: three of them are beyond the percentile. */
const NOTICES_MIN = 300;
/** At this many notices all counts are halved, so that older ones weigh less. */
const NOTICES_MAX = 20_000;
/** Time that a notice may take to arrive after the impression. */
const TRANSPORT_MS = 15_000;
const EVICT_EVERY_MS = 1000;
/** Bids of one exchange that are followed at once: a sample, where more of them are open. */
const FOLLOWED_MAX = 20_000;

interface Exchange {
  /** Notices by delay: a bucket for each of {@link LENGTHS_MS}, and a last one for later notices. */
  counts: number[];
  total: number;
  /** 99th percentile of the delays; null while there are too few notices. */
  learnedMs: number | null;
  followed: number;
  /** When the last charging notice came, Unix ms. */
  heardMs: number;
}

/**
 * Learns how long after a bid each exchange sends the charging notice, and derives how long to hold a reservation.
 * Notices that arrive after their reservation expired are counted too, up to {@link RESERVATION_MS} after the bid.
 */
export class ReservationTimes {
  readonly #exchanges = new Map<string, Exchange>();
  /** The exchange of each followed bid, oldest bid first. */
  readonly #followed = new Map<string, Exchange>();
  #evictedAtMs = -Infinity;

  /**
   * How long to hold a bid's reservation, ms: the 99th percentile of the exchange's delays, or less where the exchange
   * says how many seconds may pass until the impression (OpenRTB 2.6, 3.2.4 `exp`). At most ten minutes, which also
   * applies while there are too few notices.
   */
  reservationMs(exchange: string, expiresAfterSeconds: number | null): number {
    const learnedMs = this.#exchanges.get(exchange)?.learnedMs ?? RESERVATION_MS;
    if (expiresAfterSeconds === null) return learnedMs;
    return Math.min(learnedMs, lengthOf(expiresAfterSeconds * 1000 + TRANSPORT_MS));
  }

  /** Starts to follow a bid that was sent, unless too many bids of its exchange are followed. */
  sent(bidId: string, exchange: string, nowMs: number): void {
    this.#evict(nowMs);
    let learning = this.#exchanges.get(exchange);
    if (!learning) {
      learning = {
        counts: [0, ...LENGTHS_MS.map(() => 0)],
        total: 0,
        learnedMs: null,
        followed: 0,
        heardMs: -Infinity,
      };
      this.#exchanges.set(exchange, learning);
    }
    if (learning.followed >= FOLLOWED_MAX) return;
    learning.followed += 1;
    this.#followed.set(bidId, learning);
  }

  /** When the last charging notice of an exchange came, Unix ms; -Infinity before the first. */
  heardMs(exchange: string): number {
    return this.#exchanges.get(exchange)?.heardMs ?? -Infinity;
  }

  /**
   * Records that a bid was charged or lost, by a notice that came at `heardMs` or later. `slug` is its exchange, null where
   * the caller does not know it.
   */
  ended(bidId: string, charged: boolean, nowMs: number, slug: string | null = null, heardMs = nowMs): void {
    const followed = this.#followed.get(bidId);
    if (followed) {
      this.#followed.delete(bidId);
      followed.followed -= 1;
    }
    if (!charged) return;
    // Without loss notices most bids are not followed, and their notices show all the same that notices arrive.
    const exchange = followed ?? (slug === null ? undefined : this.#exchanges.get(slug));
    if (exchange) exchange.heardMs = Math.max(exchange.heardMs, heardMs);
    if (followed) learn(followed, nowMs - uuidTimeMs(bidId));
  }

  /** Runs at most once a second, because iterating a map steps over the entries deleted at its front. */
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

/** The shortest duration of a reservation that is at least `ms`, or the longest. */
export function lengthOf(ms: number): number {
  return LENGTHS_MS.find((lengthMs) => lengthMs >= ms) ?? RESERVATION_MS;
}
