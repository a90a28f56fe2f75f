import type { CreateRateLimitOptions } from '@fastify/rate-limit';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { RateLimited } from '../errors.ts';
import type { Http } from './server.ts';

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

/**
 * The address by which a client is limited: an IPv4 address, or the first 64 bits of an IPv6 one, since a provider assigns
 * at least that many addresses to one customer (RFC 6177). Empty for a client that has disconnected.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  // Node.js does not know the address of a closed connection.
  return ip ? normalizeIP(ip) : '';
}
