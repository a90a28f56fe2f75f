import { apiMessages } from '@bidwell/contract/messages';
import type { FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { RateLimited, Unauthenticated } from '../errors.ts';
import { bearer } from './auth.ts';
import { lruCache } from '../lru-cache.ts';

const WINDOW_MS = 60_000;
const FAILED_ATTEMPTS_MAX = 20;
const ADDRESSES_MAX = 10_000;

/**
 * onRequest hook that admits only the operator's token. After 20 wrong tokens a minute from one address the answer is
 * 429. The right token is admitted all the same, because the operator may share a proxy's address with others.
 */
export function requireOperator(operatorToken: string, now: () => Date) {
  const expected = Buffer.from(operatorToken);
  const wrong = lruCache<string, { count: number; endsAtMs: number }>(ADDRESSES_MAX);
  return async (request: FastifyRequest): Promise<void> => {
    const presented = Buffer.from(bearer(request) ?? '');
    if (presented.length === expected.length && timingSafeEqual(presented, expected)) return;
    const nowMs = now().getTime();
    const known = wrong.get(request.ip);
    const counted = known && known.endsAtMs > nowMs ? known : { count: 0, endsAtMs: nowMs + WINDOW_MS };
    counted.count += 1;
    wrong.set(request.ip, counted);
    if (counted.count > FAILED_ATTEMPTS_MAX)
      throw new RateLimited(apiMessages.operatorAttempts, Math.ceil((counted.endsAtMs - nowMs) / 1000));
    if (counted.count === FAILED_ATTEMPTS_MAX)
      request.log.warn({ ip: request.ip }, 'many wrong operator tokens from one address');
    throw new Unauthenticated(apiMessages.operatorToken);
  };
}
