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

/** Counts each exchange's requests against its limit: a bucket of one second's requests that fills evenly. */
export class RateGate {
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  /** False when the exchange is beyond its limit. */
  admits({ slug, requestsPerSecond }: Ssp, nowMs: number): boolean {
    if (requestsPerSecond === null) return true;
    const bucket = this.#buckets.get(slug) ?? { tokens: requestsPerSecond, atMs: nowMs };
    const filled = (Math.max(0, nowMs - bucket.atMs) * requestsPerSecond) / 1000;
    const tokens = Math.min(requestsPerSecond, bucket.tokens + filled);
    this.#buckets.set(slug, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs });
    return tokens >= 1;
  }
}
