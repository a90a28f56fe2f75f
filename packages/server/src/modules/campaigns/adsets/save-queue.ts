import type { Owner } from '../../../platform/actor.ts';
import { type FairQueueLimits, fairQueue } from '../../../platform/concurrency/fair-queue.ts';

/** The limits of {@link saveQueue}. */
export const SAVE_LIMITS: FairQueueLimits = {
  running: 4,
  runningEach: 1,
  waiting: 400,
  // Saves of the longest lists by six companies at once take 20 s with this many each: waiting saves are served in time.
  waitingEach: 30,
  waitMs: 30_000,
};
/** A change that took longer is followed by a pause of the company as long, up to the most, ms. */
const SLOW_MS = 50;
const PAUSE_MS_MAX = 1000;

/** Changes of ad sets, by company. One per process. */
export const saveQueue = fairQueue(SAVE_LIMITS, 'changes of ad sets');

/**
 * Changes ad sets when it is the company's turn. Their lists may have 1 MiB, and the embedded database has one connection:
 * concurrent saves of one company must not delay every statement of other companies. Throws RateLimited and Unavailable as
 * {@link saveQueue} does.
 */
export async function saveInTurn<T>({ companyId }: Owner, save: () => Promise<T>): Promise<T> {
  const end = await saveQueue.enter(companyId);
  const startedMs = performance.now();
  try {
    return await save();
  } finally {
    const tookMs = performance.now() - startedMs;
    end(tookMs < SLOW_MS ? 0 : Math.min(tookMs, PAUSE_MS_MAX));
  }
}
