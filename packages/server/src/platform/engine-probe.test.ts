import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { engineProbe } from './engine-probe.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An engine that is asked every second; `answer` is how its pings end, null for not at all. */
function start(isStarted = true) {
  const engine = { answer: 'yes' as 'yes' | 'no' | null, pings: 0 };
  const done = isStarted ? Promise.resolve() : new Promise<void>(() => {});
  const probe = engineProbe({ isDone: () => isStarted, done }, () => {
    engine.pings += 1;
    if (engine.answer === null) return new Promise(() => {});
    return engine.answer === 'yes' ? Promise.resolve() : Promise.reject(new Error('refused'));
  });
  const ask = async (times = 1) => {
    const answers: boolean[] = [];
    for (let time = 0; time < times; time += 1) {
      const answer = probe();
      await vi.advanceTimersByTimeAsync(1000);
      answers.push(await answer);
    }
    return answers;
  };
  return { engine, ask };
}

test('an engine whose answer is late stays available for five seconds, also right after the start', async () => {
  const { engine, ask } = start();
  await vi.advanceTimersByTimeAsync(0);
  engine.answer = null;
  expect(await ask(7)).toEqual([true, true, true, true, true, false, false]);
  // Pings do not pile up.
  expect(engine.pings).toBe(2);
  engine.answer = 'yes';
  await vi.advanceTimersByTimeAsync(5000);
  expect(await ask()).toEqual([true]);
});

test('an engine that refuses is unavailable at once, and is not asked before the start is done', async () => {
  const { engine, ask } = start();
  expect(await ask()).toEqual([true]);
  engine.answer = 'no';
  expect(await ask()).toEqual([false]);
  engine.answer = null;
  expect(await ask()).toEqual([false]);
  const later = start(false);
  expect(await later.ask()).toEqual([false]);
  expect(later.engine.pings).toBe(0);
});
