import { expect, test, vi } from 'vitest';
import { inTurns } from './in-turns.ts';

test('long work lets others have their turn every few milliseconds, and answers what it made', async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  let turnsOfOthers = 0;
  const state = { working: true };
  const others = (async () => {
    while (state.working) {
      await new Promise((next) => setImmediate(next));
      turnsOfOthers += 1;
    }
  })();
  function* work(): Generator<void, number> {
    let sum = 0;
    for (let step = 1; step <= 1000; step += 1) {
      sum += step;
      nowMs += 1;
      yield;
    }
    return sum;
  }
  expect(await inTurns(work())).toBe(500_500);
  state.working = false;
  await others;
  clock.mockRestore();
  expect(turnsOfOthers).toBeGreaterThan(90);
});

test('work that fails is a failure', async () => {
  // oxlint-disable-next-line require-yield -- it ends before it could
  function* work(): Generator<void, number> {
    throw new Error('failed');
  }
  await expect(inTurns(work())).rejects.toThrow('failed');
});
