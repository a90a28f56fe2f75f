import { expect, test } from 'vitest';
import { forEachConcurrent } from './concurrent.ts';

test('all items are worked on in their order, no more than the limit at a time', async () => {
  const started: number[] = [];
  let running = 0;
  let most = 0;
  await forEachConcurrent([1, 2, 3, 4, 5], 2, async (number) => {
    started.push(number);
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
  });
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});
