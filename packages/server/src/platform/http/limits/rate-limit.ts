import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { RateLimited } from '../../errors.ts';
import type { Http } from '../server.ts';
import { KEY_CALLS_PER_MINUTE } from '@bidwell/contract/accounts/api-token';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { type Session, actorOf, makesChanges } from '../auth/auth.ts';

/** How many requests are allowed in a window. */
interface Limit {
  max: number;
  /** Milliseconds; a minute by default. */
  timeWindow?: number;
  /** Whose requests are counted together; those from one address by default. */
  per?: keyof typeof COUNTED | ((request: FastifyRequest) => string);
}

const COUNTED = {
  person: (request: FastifyRequest) => actorOf(request).userId,
  company: (request: FastifyRequest) => actorOf(request).companyId,
};

/**
 * Creates a hook that throws RateLimited beyond a number of requests; its server has `@fastify/rate-limit`. Several hooks
 * may guard one route; of the plugin's own hooks only the first would run.
 */
export function limitTo(
  http: Http,
  { max, timeWindow = 60_000, per }: Limit,
  message: string = accountApiMessages.attempts,
) {
  const keyGenerator = typeof per === 'string' ? COUNTED[per] : per;
  const count = http.createRateLimit({ max, timeWindow, ...(keyGenerator && { keyGenerator }) });
  return async (request: FastifyRequest): Promise<void> => {
    const outcome = await count(request);
    if (!outcome.isAllowed && outcome.isExceeded) throw new RateLimited(message, outcome.ttlInSeconds);
  };
}

/**
 * Resolves to the counter of the calls of the API key of a request, also those that its scopes do not allow, and throws RateLimited
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
      throw new RateLimited(accountApiMessages.keyRate(limitOf(actorOf(request))), outcome.ttlInSeconds);
  };
}

const limitOf = ({ callsPerMinute = KEY_CALLS_PER_MINUTE.default }: Session): number => callsPerMinute;

/** A company may make this many times the calls of one person. */
const COMPANY_FACTOR = 2;

/**
 * Limits the calls that make changes, by person and by company, on the routes of a scope behind sessions: each is a
 * transaction with a row in the change log, and invalidates the company's cached responses. Further ones throw RateLimited.
 */
export async function limitWrites(scope: Http, perMinute: number): Promise<void> {
  await scope.register(rateLimit, { global: false });
  const limitBy = (per: 'person' | 'company', max: number) =>
    limitTo(scope, { max, per }, apiMessages.writeRate(max));
  const byPerson = limitBy('person', perMinute);
  const byCompany = limitBy('company', perMinute * COMPANY_FACTOR);
  scope.addHook('onRequest', async (request) => {
    if (!makesChanges(request)) return;
    await byPerson(request);
    await byCompany(request);
  });
}
