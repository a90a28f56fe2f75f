import { timingSafeEqual } from 'node:crypto';
import type { Ssp } from '../snapshot/store.ts';

/**
 * Whether an address holds the exchange's secret, or the one before it while that is valid; an open exchange is admitted
 * without one too. Takes the same time for every guess.
 */
export function isAdmitted(ssp: Ssp, given: string | undefined, nowMs: number): boolean {
  const { secret, previousSecret, previousSecretUntil } = ssp;
  const previousHolds = previousSecretUntil !== null && nowMs < previousSecretUntil.getTime();
  if (given === undefined) return ssp.open || (previousHolds && previousSecret === '');
  const isPresent = secret !== null && isEqual(secret, given);
  const isPrevious = !!previousSecret && isEqual(previousSecret, given);
  return isPresent || (isPrevious && previousHolds);
}

function isEqual(secret: string, given: string): boolean {
  const wanted = Buffer.from(secret);
  const bytes = Buffer.from(given);
  // A comparison all the same, so that the length is not told either.
  return timingSafeEqual(wanted, bytes.length === wanted.length ? bytes : Buffer.alloc(wanted.length));
}

/**
 * Counts each exchange's requests against its limit: a bucket of one second's requests that fills evenly. The limit is for all
 * bidders together: each takes an even share of it.
 */
export class RateGate {
  readonly #bidders: () => number;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  /** `bidders` answers how many bidders run now, this one included. */
  constructor(bidders: () => number = () => 1) {
    this.#bidders = bidders;
  }

  /** False when the exchange is beyond its limit. */
  admits({ slug, requestsPerSecond }: Ssp, nowMs: number): boolean {
    if (requestsPerSecond === null) return true;
    const perSecond = requestsPerSecond / Math.max(1, this.#bidders());
    // A share below one request a second still lets one in, as often as it may.
    const size = Math.max(1, perSecond);
    const bucket = this.#buckets.get(slug) ?? { tokens: size, atMs: nowMs };
    const filled = (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1000;
    const tokens = Math.min(size, bucket.tokens + filled);
    this.#buckets.set(slug, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs });
    return tokens >= 1;
  }
}
