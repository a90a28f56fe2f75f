import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimited } from '../../errors.ts';
import { type FairQueueLimits, fairQueue } from '../../concurrency/fair-queue.ts';
import {
  type ApiKeyAdmission,
  type TokenReader,
  actorOf,
  requireSession,
  companyOfCaller,
} from '../auth/auth.ts';
import { goneSignal } from '../gone-signal.ts';
import type { Http } from '../server.ts';

/** Far more than consoles and programs of a company make at once; together they would take all places at the database. */
const LIMITS: FairQueueLimits = {
  running: Infinity,
  runningEach: 64,
  waiting: 5000,
  waitingEach: 500,
  waitMs: 30_000,
};

/** A client that does not wait after a rejection would otherwise send thousands of calls a second. */
const REJECTION_MS = 1000;

/**
 * Requires a session on the routes of a scope, and limits the calls of one company that run at once. Further ones wait in turn; too
 * many waiting ones get RateLimited, after a second, or Unavailable, as of a {@link fairQueue}. The calls of a token that was verified
 * before wait in front of its session, which is read from the database.
 */
export function requireSessions(scope: Http, readToken: TokenReader, apiKeys: ApiKeyAdmission): void {
  const calls = fairQueue(LIMITS, 'calls');
  const admitted = new WeakSet<FastifyRequest>();
  const admit = async (companyId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const gone = goneSignal(reply);
    const end = await calls.enter(companyId, gone).catch(async (error: unknown) => {
      if (error instanceof RateLimited) await wait(REJECTION_MS, undefined, { signal: gone }).catch(() => {});
      throw error;
    });
    admitted.add(request);
    reply.raw.once('close', () => end()).once('finish', () => end());
    if (reply.raw.destroyed) end();
  };
  scope.addHook('onRequest', async (request, reply) => {
    const companyId = companyOfCaller(request);
    if (companyId !== undefined) await admit(companyId, request, reply);
  });
  scope.addHook('onRequest', requireSession(readToken, apiKeys));
  scope.addHook('onRequest', async (request, reply) => {
    if (!admitted.has(request)) await admit(actorOf(request).companyId, request, reply);
  });
}
