import { apiMessages } from '@bidwell/contract/text/messages';
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { actorOf, makesChanges } from '../auth/auth.ts';
import { limitTo } from './rate-limit.ts';
import type { Http } from '../server.ts';

/** A company may make this many times the calls of one person. */
const COMPANY_FACTOR = 2;

/**
 * Limits the calls that make changes, by person and by company, on the routes of a scope behind sessions: each is a
 * transaction with a row in the change log, and makes what is cached of the company outdated. Further ones throw RateLimited.
 */
export async function limitWrites(scope: Http, perMinute: number): Promise<void> {
  await scope.register(rateLimit, { global: false });
  const limitBy = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    limitTo(scope, { max, timeWindow: 60_000, keyGenerator }, apiMessages.writeRate(max));
  const byPerson = limitBy(perMinute, (request) => actorOf(request).userId);
  const byCompany = limitBy(perMinute * COMPANY_FACTOR, (request) => actorOf(request).companyId);
  scope.addHook('onRequest', async (request) => {
    if (!makesChanges(request)) return;
    await byPerson(request);
    await byCompany(request);
  });
}
