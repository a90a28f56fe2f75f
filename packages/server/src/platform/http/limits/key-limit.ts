import { KEY_CALLS_PER_MINUTE } from '@bidwell/contract/accounts/api-token';
import { apiMessages } from '@bidwell/contract/text/messages';
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { RateLimited } from '../../errors.ts';
import { type Session, actorOf } from '../auth/auth.ts';
import type { Http } from '../server.ts';

/**
 * Resolves to what counts the calls of the API key of a request, also those that its scopes do not allow, and throws RateLimited
 * beyond the limit with which the key was made. Each process counts separately.
 */
export async function keyLimit(scope: Http): Promise<(request: FastifyRequest) => Promise<void>> {
  await scope.register(rateLimit, { global: false });
  const count = scope.createRateLimit({
    timeWindow: 60_000,
    max: (request) => limitOf(actorOf(request)),
    keyGenerator: (request) => `calls:${actorOf(request).sessionId}`,
  });
  return async (request) => {
    const outcome = await count(request);
    if (!outcome.isAllowed && outcome.isExceeded)
      throw new RateLimited(apiMessages.keyRate(limitOf(actorOf(request))), outcome.ttlInSeconds);
  };
}

const limitOf = ({ callsPerMinute = KEY_CALLS_PER_MINUTE.default }: Session): number => callsPerMinute;
