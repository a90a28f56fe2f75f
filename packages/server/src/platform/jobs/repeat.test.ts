import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilAborted } from '../concurrency/time-limits.ts';
import { backoffMs } from '../concurrency/backoff.ts';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('retries are delayed more and more up to a maximum, with a random part', () => {
  const latest = [1, 2, 3, 4, 5, 60].map((failures) => backoffMs(1000, failures, 10_000, () => 0));
  expect(latest).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  expect(backoffMs(1000, 3, 10_000, () => 0.999)).toBeCloseTo(2000, -1);
});

test('a failing job is retried soon and does not end the process, even if it fails before it starts', async () => {
  let runs = 0;
  let failing = true;
  const job = repeat(3_600_000, 'a job', pino({ level: 'silent' }), () => {
    runs += 1;
    if (failing) throw new Error('unavailable');
    return Promise.resolve();
  });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs).toBeGreaterThanOrEqual(4);
  await vi.advanceTimersByTimeAsync(600_000);
  failing = false;
  await vi.advanceTimersByTimeAsync(60_000);
  const before = runs;
  await vi.advanceTimersByTimeAsync(3_000_000);
  expect(runs).toBe(before);
  await job.stop();
});

test('a job runs as soon as the steps of the start that it needs are done, but not once it is stopped', async () => {
  let runs = 0;
  let finish = () => {};
  const step = { done: new Promise<void>((resolve) => (finish = resolve)) };
  const work = async () => void (runs += 1);
  const start = () => repeat(3_600_000, 'a job', pino({ level: 'silent' }), work, [step]);
  const [job, stopped] = [start(), start()];
  await vi.advanceTimersByTimeAsync(2 * 3_600_000);
  expect(runs).toBe(0);
  await stopped.stop();
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(1);
  await job.stop();
});

test('a stop aborts the signal of the run, whose end by it is no failure', async () => {
  const errors: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
  const job = repeat(1000, 'a job', log, async (stopping) => untilAborted(new Promise(() => {}), stopping));
  await vi.advanceTimersByTimeAsync(1000);
  await job.stop();
  expect(errors).toEqual([]);
});
