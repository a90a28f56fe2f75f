import { timingSafeEqual } from 'node:crypto';
import { memoizeText } from '../../platform/memoize-text.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';

/** Time limits of an exchange whose requests have stated none yet, and the longest that is expected of one, ms. */
const LIMIT_MS_FIRST = 100;
const LIMIT_MS_MAX = 500;
/** Share of the time limit that a request may wait here. The rest is for its auction and for the network. */
const WAIT_SHARE = 0.6;
/** Share that it may wait while the queue has not been empty for {@link STANDING_MS}. */
const STANDING_SHARE = 0.35;
const STANDING_MS = 100;
/** How quickly the expected limit follows shorter and longer ones: about 95 % of the requests have at least as long. */
const SHORTER_GAIN = 0.2;
const LONGER_GAIN = 0.01;
/** Weight of one request in the average time of a request. */
const SERVICE_GAIN = 0.002;
/** Service time in a process that has just started, whose code is not compiled yet, ms. */
const SERVICE_MS_FIRST = 1;
/** Requests whose bodies are being read. Bounds memory where clients send slowly. */
const READING_MAX = 2048;

/**
 * Decides from the headers of a bid request whether the response can still be in time: it is shed if the time that it can have
 * waited unread, and the work on the requests before it, take more than a share of its exchange's time limit. The share is
 * smaller while the queue has not been empty for 100 ms: a burst may fill the queue, a lasting overload must not keep it full (K.
 * Nichols and V. Jacobson, "Controlling Queue Delay", 2012). Reads no clock.
 */
export class Admission {
  /** Expected time limits by exchange. Its size is bounded by the number of exchanges. */
  readonly #limits = new Map<string, number>();
  readonly #reading = new Map<string, number>();
  #readingInAll = 0;
  #serviceMs = SERVICE_MS_FIRST;
  #pending = 0;
  #emptyAtMs = 0;

  /**
   * Whether to read the body of a request of an exchange that can have waited for `waitedMs`. If so, it is being read until
   * {@link arrived} or {@link left}. `nowMs` is monotonic.
   */
  admits(slug: string, waitedMs: number, nowMs: number): boolean {
    if (this.#pending === 0) this.#emptyAtMs = nowMs;
    const reading = this.#reading.get(slug) ?? 0;
    // An exchange may have as many as are free: slow ones take a part of the rest each, never all of it.
    if (reading >= READING_MAX - this.#readingInAll) return false;
    const expectedMs = waitedMs + this.#pending * this.#serviceMs;
    if (expectedMs > this.waitMsMax(slug, nowMs)) return false;
    this.#count(slug, 1);
    return true;
  }

  /** The longest that a request of an exchange may wait before its auction, ms. */
  waitMsMax(slug: string, nowMs: number): number {
    const isStanding = nowMs - this.#emptyAtMs > STANDING_MS;
    return (this.#limits.get(slug) ?? LIMIT_MS_FIRST) * (isStanding ? STANDING_SHARE : WAIT_SHARE);
  }

  /** How long a pending request may have waited to be worth its auction, ms. */
  usefulMs(slug: string): number {
    return (this.#limits.get(slug) ?? LIMIT_MS_FIRST) * WAIT_SHARE;
  }

  /** A body has been read: its request is pending until {@link served}. */
  arrived(slug: string, nowMs: number): void {
    this.#count(slug, -1);
    if (this.#pending === 0) this.#emptyAtMs = nowMs;
    this.#pending += 1;
  }

  /** A body will not be read: the client disconnected, or it is too long. */
  left(slug: string): void {
    this.#count(slug, -1);
  }

  /** Ends the work on pending requests, which took `tookMs` in all. */
  served(requests: number, tookMs: number, nowMs: number): void {
    this.#pending -= requests;
    if (this.#pending === 0) this.#emptyAtMs = nowMs;
    const weight = 1 - (1 - SERVICE_GAIN) ** requests;
    this.#serviceMs += (tookMs / requests - this.#serviceMs) * weight;
  }

  /** Learns the time limit that a request stated, ms; Infinity if none. */
  observeLimit(slug: string, limitMs: number): void {
    const before = this.#limits.get(slug) ?? LIMIT_MS_FIRST;
    const change = Math.min(limitMs, LIMIT_MS_MAX) - before;
    this.#limits.set(slug, before + change * (change < 0 ? SHORTER_GAIN : LONGER_GAIN));
  }

  #count(slug: string, change: 1 | -1): void {
    this.#readingInAll += change;
    const reading = (this.#reading.get(slug) ?? 0) + change;
    if (reading === 0) this.#reading.delete(slug);
    else this.#reading.set(slug, reading);
  }
}

/**
 * Whether the secret in a request's URL is the exchange's current one, or the previous one while that is valid. An open
 * exchange is also admitted without a secret. Compares in constant time.
 */
export function isAdmitted(ssp: Ssp, presented: string | undefined, nowMs: number): boolean {
  const { secret, previousSecret, previousSecretUntil } = ssp;
  const previousHolds = previousSecretUntil !== null && nowMs < previousSecretUntil.getTime();
  if (presented === undefined) return ssp.open || (previousHolds && previousSecret === '');
  const isPresent = secret !== null && isEqual(secret, presented);
  const isPrevious = !!previousSecret && isEqual(previousSecret, presented);
  return isPresent || (isPrevious && previousHolds);
}

const bytesOf = memoizeText((text) => Buffer.from(text));

function isEqual(secret: string, presented: string): boolean {
  const expected = bytesOf(secret);
  const bytes = Buffer.from(presented);
  // Compares even if the lengths differ, so that the time does not reveal the length.
  return timingSafeEqual(expected, bytes.length === expected.length ? bytes : Buffer.alloc(expected.length));
}

const SLOT_MS = 30_000;
/** Fewer requests than this say nothing about the load. */
const REQUESTS_MIN = 100;
/** Fewer shed requests than this are a short wait, unless requests are shed all the time. */
const SHED_MIN = 100;
/** A part of the requests that calls for more bidders, in percent. */
const PERCENT_MIN = 1;
/** Slots in a row in which at least that part was shed, after which few shed requests count too: five minutes. */
const SLOTS_LONG = 10;

/** Counts which part of the bid requests of the last 30 to 60 seconds was shed. Reads no clock. */
export class ShedShare {
  #slotMs = -Infinity;
  #now = { requests: 0, shed: 0 };
  #before = { requests: 0, shed: 0 };
  /** Slots that ended in a row with a part shed. */
  #slotsShedding = 0;

  /** Counts a request. `nowMs` is monotonic. */
  count(isShed: boolean, nowMs: number): void {
    this.#turn(nowMs);
    this.#now.requests += 1;
    if (isShed) this.#now.shed += 1;
  }

  /**
   * The part that was shed in percent, where bidders are too few for the requests: at least 1 % and 100 requests in this
   * time, or at least 1 % for five minutes; otherwise null.
   */
  percent(nowMs: number): number | null {
    this.#turn(nowMs);
    const requests = this.#now.requests + this.#before.requests;
    const shed = this.#now.shed + this.#before.shed;
    if (requests < REQUESTS_MIN || (shed < SHED_MIN && this.#slotsShedding < SLOTS_LONG)) return null;
    const percent = percentOf({ requests, shed });
    return percent < PERCENT_MIN ? null : percent;
  }

  #turn(nowMs: number): void {
    if (nowMs - this.#slotMs < SLOT_MS) return;
    const isNext = nowMs - this.#slotMs < 2 * SLOT_MS;
    this.#before = isNext ? this.#now : { requests: 0, shed: 0 };
    this.#slotsShedding = isNext && percentOf(this.#now) >= PERCENT_MIN ? this.#slotsShedding + 1 : 0;
    this.#now = { requests: 0, shed: 0 };
    this.#slotMs = nowMs;
  }
}

function percentOf({ requests, shed }: { requests: number; shed: number }): number {
  return requests === 0 ? 0 : (shed / requests) * 100;
}
