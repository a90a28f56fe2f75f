import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectGate } from './pool.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process whose requests connect all the time; `state.isAway` makes attempts fail. */
function startProcess(state: { isAway: boolean; attemptsAtMs: number[] }) {
  return connectGate(async () => {
    state.attemptsAtMs.push(Date.now());
    if (state.isAway) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    return 'connection';
  });
}

test('a hundred processes with many requests each neither flood an unavailable database nor return at once', async () => {
  const state = { isAway: true, attemptsAtMs: [] as number[] };
  const processes = Array.from({ length: 100 }, () => startProcess(state));
  for (let tick = 0; tick < 1000; tick += 1) {
    for (const connect of processes) connect().catch(() => {});
    await vi.advanceTimersByTimeAsync(10);
  }
  const lastSecond = state.attemptsAtMs.filter((atMs) => atMs > Date.now() - 1000).length;
  // Each process attempts once in one to two seconds.
  expect(lastSecond).toBeLessThanOrEqual(110);
  state.isAway = false;
  state.attemptsAtMs = [];
  const returned: number[] = [];
  for (const connect of processes)
    void connect().then(
      () => returned.push(Date.now()),
      () => {},
    );
  await vi.advanceTimersByTimeAsync(2000);
  expect(returned).toHaveLength(100);
  const busiest = Math.max(
    ...returned.map((atMs) => returned.filter((other) => other >= atMs && other < atMs + 100).length),
  );
  expect(busiest).toBeLessThan(40);
});

test('callers that wait get a connection as soon as one attempt succeeds, and errors of another kind are not delayed', async () => {
  const state = { isAway: true, attemptsAtMs: [] as number[] };
  const connect = startProcess(state);
  await expect(connect()).rejects.toThrow('refused');
  state.isAway = false;
  const waiting = Promise.all([connect(), connect(), connect()]);
  await vi.advanceTimersByTimeAsync(50);
  expect(await waiting).toEqual(['connection', 'connection', 'connection']);
  const wrong = connectGate(async () => {
    throw new Error('password authentication failed');
  });
  await expect(wrong()).rejects.toThrow('password');
  await expect(wrong()).rejects.toThrow('password');
});
