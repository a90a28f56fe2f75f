import type { CreateRateLimitOptions } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { RateLimited } from '../../errors.ts';
import type { Http } from '../server.ts';

/**
 * Creates a hook that throws RateLimited beyond a number of requests; its server has `@fastify/rate-limit`. Several hooks
 * may guard one route; of the plugin's own hooks only the first would run.
 */
export function limitTo(http: Http, options: CreateRateLimitOptions, message: string) {
  const count = http.createRateLimit(options);
  return async (request: FastifyRequest): Promise<void> => {
    const outcome = await count(request);
    if (!outcome.isAllowed && outcome.isExceeded) throw new RateLimited(message, outcome.ttlInSeconds);
  };
}
