import { timingSafeEqual } from 'node:crypto';
import { memoizeText } from '../../platform/memoize-text.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';

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

/**
 * Rate limit of each exchange: a token bucket with a capacity of one second's requests. The limit applies to all bidders
 * together; each enforces an equal share.
 */
export class RateGate {
  readonly #bidders: () => number;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  /** `bidders` returns the current number of bidders, including this one. */
  constructor(bidders: () => number = () => 1) {
    this.#bidders = bidders;
  }

  /** Takes a token. False when the exchange exceeds its limit. */
  admits({ slug, requestsPerSecond }: Ssp, nowMs: number): boolean {
    if (requestsPerSecond === null) return true;
    const perSecond = requestsPerSecond / Math.max(1, this.#bidders());
    // The bucket holds at least one token, so that a share below one request per second still admits some.
    const size = Math.max(1, perSecond);
    const bucket = this.#buckets.get(slug) ?? { tokens: size, atMs: nowMs };
    const filled = (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1000;
    const tokens = Math.min(size, bucket.tokens + filled);
    this.#buckets.set(slug, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs });
    return tokens >= 1;
  }
}
