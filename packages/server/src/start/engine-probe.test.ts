import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { engineProbe } from './readiness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An engine that is probed every second; `response` is how its pings end, null for not at all. */
function start(isStarted = true) {
  const engine = { response: 'yes' as 'yes' | 'no' | null, pings: 0 };
  const done = isStarted ? Promise.resolve() : new Promise<void>(() => {});
  const probe = engineProbe({ isDone: () => isStarted, done }, () => {
    engine.pings += 1;
    if (engine.response === null) return new Promise(() => {});
    return engine.response === 'yes' ? Promise.resolve() : Promise.reject(new Error('refused'));
  });
  const probeTimes = async (times = 1) => {
    const results: boolean[] = [];
    for (let time = 0; time < times; time += 1) {
      const result = probe();
      await vi.advanceTimersByTimeAsync(1000);
      results.push(await result);
    }
    return results;
  };
  return { engine, probeTimes };
}

test('an engine whose answer is late stays available for five seconds, also right after the start', async () => {
  const { engine, probeTimes } = start();
  await vi.advanceTimersByTimeAsync(0);
  engine.response = null;
  expect(await probeTimes(7)).toEqual([true, true, true, true, true, false, false]);
  // Pings do not pile up.
  expect(engine.pings).toBe(2);
  engine.response = 'yes';
  await vi.advanceTimersByTimeAsync(5000);
  expect(await probeTimes()).toEqual([true]);
});

test('an engine that refuses is unavailable at once, and is not asked before the start is done', async () => {
  const { engine, probeTimes } = start();
  expect(await probeTimes()).toEqual([true]);
  engine.response = 'no';
  expect(await probeTimes()).toEqual([false]);
  engine.response = null;
  expect(await probeTimes()).toEqual([false]);
  const later = start(false);
  expect(await later.probeTimes()).toEqual([false]);
  expect(later.engine.pings).toBe(0);
});
