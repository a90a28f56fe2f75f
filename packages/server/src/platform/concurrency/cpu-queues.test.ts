import { expect, test } from 'vitest';
import { cpuQueueLimits } from './cpu-queues.ts';

test.each([
  [1, 16, 1, 1],
  [2, 16, 1, 1],
  [4, 16, 2, 1],
  [8, 16, 4, 2],
  [64, 16, 8, 4],
  [8, 4, 2, 1],
])('with %i cores and %i threads, %i passwords and %i images at once', (cores, pool, passwords, images) => {
  const limits = cpuQueueLimits(cores, pool);
  expect([limits.passwords.running, limits.images.running]).toEqual([passwords, images]);
});
