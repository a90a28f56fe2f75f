import type { FastifyRequest } from 'fastify';
import type { FairQueueLimits } from '../jobs/fair-queue.ts';
import { fairQueue } from '../jobs/fair-queue.ts';
import { goneSignal } from './gone-signal.ts';
import type { Http } from './server.ts';

/** Far more than consoles and programs of a company make at once; together they would take all places at the database. */
const LIMITS: FairQueueLimits = {
  running: Infinity,
  runningEach: 64,
  waiting: 5000,
  waitingEach: 500,
  waitMs: 30_000,
};

/**
 * Limits the calls of one owner that run at once on the routes of a scope. Further ones wait in turn; too many waiting ones throw
 * RateLimited, or Unavailable, as a {@link fairQueue}.
 */
export function limitCallsAtOnce(scope: Http, ownerOf: (request: FastifyRequest) => string): void {
  const calls = fairQueue(LIMITS, 'calls');
  scope.addHook('onRequest', async (request, reply) => {
    const end = await calls.enter(ownerOf(request), goneSignal(reply));
    reply.raw.once('close', () => end()).once('finish', () => end());
    if (reply.raw.destroyed) end();
  });
}
