import { availableParallelism } from 'node:os';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { type FairQueueLimits, fairQueue } from './fair-queue.ts';

/** Size of libuv's thread pool without `UV_THREADPOOL_SIZE`. */
const DEFAULT_POOL_THREADS = 4;
/** An address may belong to an office, so some logins at once are no flood. */
const PASSWORD_WAITS = { waiting: 200, waitingEach: 20, waitMs: 10_000 };
/** A list in a browser requests all of its thumbnails together. */
const IMAGE_WAITS = { waiting: 400, waitingEach: 120, waitMs: 30_000 };

/**
 * Limits of the work that occupies a thread of libuv's pool for long: passwords get half of the threads that run at once,
 * images a quarter, and at least one each. The rest is for files and the embedded databases, which use the same pool.
 */
export function cpuQueueLimits(
  cores: number,
  poolThreads: number,
): Record<'passwords' | 'images', FairQueueLimits> {
  const threads = Math.min(cores, poolThreads);
  const running = (share: number) => Math.max(1, Math.floor(threads / share));
  return {
    passwords: { running: running(2), runningEach: running(2), ...PASSWORD_WAITS },
    images: { running: running(4), runningEach: running(4), ...IMAGE_WAITS },
  };
}

const poolThreads = Number(process.env['UV_THREADPOOL_SIZE']) || DEFAULT_POOL_THREADS;
/** The limits in this process. */
export const CPU_QUEUE_LIMITS = cpuQueueLimits(availableParallelism(), poolThreads);

const queueOf = (limits: FairQueueLimits, what: string) =>
  fairQueue(limits, what, apiMessages.queueFullForCaller(what));

/** Password hashes, by the caller's address or person. One per process, as the thread pool is. */
export const passwordQueue = queueOf(CPU_QUEUE_LIMITS.passwords, 'password checks');
/** Decoding of images, by company. */
export const imageQueue = queueOf(CPU_QUEUE_LIMITS.images, 'images');
