import { onTestFinished } from 'vitest';
import type { FairQueue, FairQueueLimits } from '@bidwell/server/platform/concurrency/fair-queue';

/** Occupies all places of a queue for running work. Resolves to a function that frees them. */
export async function holdQueue(queue: FairQueue, { running }: FairQueueLimits): Promise<() => void> {
  const ends = await Promise.all(
    Array.from({ length: running }, async (_, index) => queue.enter(`holder ${index}`)),
  );
  return () => {
    for (const end of ends) end();
  };
}

/** Occupies a queue until the test has finished, with as much of an owner's work waiting as it may have. */
export async function fillQueue(queue: FairQueue, limits: FairQueueLimits, owner: string): Promise<void> {
  const free = await holdQueue(queue, limits);
  const turns = Array.from({ length: limits.waitingEach }, async () => (await queue.enter(owner))());
  onTestFinished(async () => {
    free();
    await Promise.all(turns);
  });
}
