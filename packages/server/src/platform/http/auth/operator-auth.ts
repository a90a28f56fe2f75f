import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { OperatorPermission } from '@bidwell/contract/operator-accounts/permissions';
import type { FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { Forbidden, RateLimited, Unauthenticated } from '../../errors.ts';
import { type Operator, TOKEN_HOLDER, requireOperatorPermission } from '../../operator.ts';
import { isChange, bearer } from './auth.ts';
import { clientAddress } from './client.ts';
import { lruCache } from '../../lru-cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by {@link requireOperator} on every route behind it. */
    operator: Operator | null;
  }
  interface FastifyContextConfig {
    /** The permission that the call of an operator needs; a call without one is rejected. */
    permission?: OperatorPermission;
  }
}

const WINDOW_MS = 60_000;
const FAILED_ATTEMPTS_MAX = 20;
const ADDRESSES_MAX = 10_000;

/** Reads an operator's session from a request's cookie; null without one, or if it has ended. */
export type OperatorSessionReader = (request: FastifyRequest) => Promise<Operator | null>;

/**
 * onRequest hook that admits the holder of the operator's token, and operators with a session whose role may make the call;
 * it sets `request.operator`. Throws Unauthenticated, and Forbidden for another role or a change that another site's page
 * sends. After 20 wrong tokens a minute from one address the response is 429. The right token is admitted all the same,
 * because the operator may share a proxy's address with others.
 */
export function requireOperator(operatorToken: string, readSession: OperatorSessionReader, now: () => Date) {
  const expected = Buffer.from(operatorToken);
  const wrong = lruCache<string, { count: number; endsAtMs: number }>(ADDRESSES_MAX);
  return async (request: FastifyRequest): Promise<void> => {
    const token = bearer(request);
    const presented = Buffer.from(token ?? '');
    if (presented.length === expected.length && timingSafeEqual(presented, expected)) {
      request.operator = TOKEN_HOLDER;
      return;
    }
    if (request.headers.authorization === undefined) {
      request.operator = await readSession(request);
      if (!request.operator) throw new Unauthenticated(operatorApiMessages.operatorLogInFirst);
      requirePermission(request, request.operator);
      return;
    }
    const nowMs = now().getTime();
    const address = clientAddress(request);
    const known = wrong.get(address);
    const counted = known && known.endsAtMs > nowMs ? known : { count: 0, endsAtMs: nowMs + WINDOW_MS };
    counted.count += 1;
    wrong.set(address, counted);
    if (counted.count > FAILED_ATTEMPTS_MAX)
      throw new RateLimited(
        operatorApiMessages.operatorAttempts,
        Math.ceil((counted.endsAtMs - nowMs) / 1000),
      );
    if (counted.count === FAILED_ATTEMPTS_MAX)
      request.log.warn({ ip: request.ip }, 'many wrong operator tokens from one address');
    throw new Unauthenticated(operatorApiMessages.operatorToken);
  };
}

function requirePermission({ method, headers, routeOptions }: FastifyRequest, operator: Operator): void {
  const { permission } = routeOptions.config;
  if (!permission) throw new Forbidden(operatorApiMessages.operatorRole);
  requireOperatorPermission(operator, permission);
  // The cookie is SameSite; this also holds where a browser does not know that.
  const site = headers['sec-fetch-site'];
  if (isChange(method) && site !== undefined && site !== 'same-origin')
    throw new Forbidden(apiMessages.otherSite);
}

/** The operator who makes a call. Only for routes behind {@link requireOperator}. */
export function operatorOf(request: FastifyRequest): Operator {
  if (!request.operator) throw new Unauthenticated(operatorApiMessages.operatorLogInFirst);
  return request.operator;
}
