import { expect, test, vi } from 'vitest';
import { eventLoopShare, runToCompletion, runYielding } from './yielding.ts';

test.each([
  [3, undefined],
  [8, 8],
])('long work yields to the event loop every %d ms, and returns its result', async (expectedMs, sliceMs) => {
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
  expect(await runYielding(work(), sliceMs)).toBe(500_500);
  state.working = false;
  await others;
  clock.mockRestore();
  expect(turnsOfOthers).toBeGreaterThan(750 / expectedMs);
});

test('failing work rejects, with or without yielding', async () => {
  // oxlint-disable-next-line require-yield -- it ends before it could
  function* work(): Generator<void, number> {
    throw new Error('failed');
  }
  await expect(runYielding(work())).rejects.toThrow('failed');
  expect(() => runToCompletion(work())).toThrow('failed');
});

test('steps that follow each other without a turn of the event loop give it one every few milliseconds', async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const takeTurn = eventLoopShare(3);
  let turns = 0;
  const others = new Promise<void>((done) => {
    const turn = () => {
      turns += 1;
      if (nowMs < 100) setImmediate(turn);
      else done();
    };
    setImmediate(turn);
  });
  for (let step = 0; step < 100; step += 1) {
    await takeTurn();
    nowMs += 1;
  }
  await others;
  clock.mockRestore();
  expect(turns).toBeGreaterThan(25);
});
