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
/** Of a process that has just started, whose code is not compiled yet, ms. */
const SERVICE_MS_FIRST = 1;
/** Requests whose bodies are being read, or that wait for an auction. Bounds memory where clients send slowly. */
const PENDING_MAX = 2048;

/**
 * Decides from the headers of a bid request whether it can still be answered in time: it is shed if the time that it can have
 * waited unread, and the work on the requests before it, take more than a share of its exchange's time limit. The share is
 * smaller while the queue has not been empty for 100 ms: a burst may fill the queue, a lasting overload must not keep it full (K.
 * Nichols and V. Jacobson, "Controlling Queue Delay", 2012). Reads no clock.
 */
export class Admission {
  /** Expected time limits by exchange. Its size is bounded by the number of exchanges. */
  readonly #limits = new Map<string, number>();
  #serviceMs = SERVICE_MS_FIRST;
  #pending = 0;
  #emptyAtMs = 0;

  /**
   * Whether to read a request of an exchange that can have waited for `waitedMs`. If so, it is pending until {@link served} or
   * {@link left}. `nowMs` is monotonic.
   */
  admits(slug: string, waitedMs: number, nowMs: number): boolean {
    if (this.#pending === 0) this.#emptyAtMs = nowMs;
    if (this.#pending >= PENDING_MAX) return false;
    const expectedMs = waitedMs + this.#pending * this.#serviceMs;
    if (expectedMs > this.waitMsMax(slug, nowMs)) return false;
    this.#pending += 1;
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

  /** Ends the work on pending requests, which took `tookMs` in all. */
  served(requests: number, tookMs: number, nowMs: number): void {
    this.left(requests, nowMs);
    const weight = 1 - (1 - SERVICE_GAIN) ** requests;
    this.#serviceMs += (tookMs / requests - this.#serviceMs) * weight;
  }

  /** Ends pending requests that were not worked on: the client disconnected, or the body is too long. */
  left(requests: number, nowMs: number): void {
    this.#pending -= requests;
    if (this.#pending === 0) this.#emptyAtMs = nowMs;
  }

  /** Learns the time limit that a request stated, ms; Infinity if none. */
  observeLimit(slug: string, limitMs: number): void {
    const before = this.#limits.get(slug) ?? LIMIT_MS_FIRST;
    const change = Math.min(limitMs, LIMIT_MS_MAX) - before;
    this.#limits.set(slug, before + change * (change < 0 ? SHORTER_GAIN : LONGER_GAIN));
  }
}
