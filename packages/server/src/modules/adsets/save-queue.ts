import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '../../platform/actor.ts';
import type { FairQueueLimits } from '../../platform/jobs/fair-queue.ts';
import { fairQueue } from '../../platform/jobs/fair-queue.ts';

/** The limits of {@link saveQueue}. */
export const SAVE_LIMITS: FairQueueLimits = {
  running: 4,
  runningEach: 1,
  waiting: 400,
  waitingEach: 60,
  waitMs: 30_000,
};
/** A change that took longer is followed by as much time for others, up to the most, ms. */
const SLOW_MS = 50;
const PAUSE_MS_MAX = 1000;

/** Changes of ad sets, by company. One per process. */
export const saveQueue = fairQueue(SAVE_LIMITS, 'changes of ad sets');

/**
 * Changes ad sets when it is the company's turn. Their lists may have 1 MiB, and the embedded database has one connection: what one
 * company saves at once must not stand before each statement of a call of others. Throws RateLimited and Unavailable as
 * {@link saveQueue} does.
 */
export async function saveInTurn<T>(actor: Actor, save: (actor: Actor) => Promise<T>): Promise<T> {
  const end = await saveQueue.enter(actor.companyId);
  const startedMs = performance.now();
  try {
    return await save(actor);
  } finally {
    const tookMs = performance.now() - startedMs;
    if (tookMs < SLOW_MS) end();
    else void wait(Math.min(tookMs, PAUSE_MS_MAX), undefined, { ref: false }).then(end);
  }
}
