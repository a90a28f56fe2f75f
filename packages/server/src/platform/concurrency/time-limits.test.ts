import { getEventListeners, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { abortAfter, inTime } from './time-limits.ts';
import { MessageChannel } from 'node:worker_threads';

setFlagsFromString('--expose-gc');

const collectGarbage = runInNewContext('gc') as () => void;

/** Waits for the abort, and returns its reason. */
const reasonOf = async (signal: AbortSignal): Promise<unknown> => {
  if (!signal.aborted) await once(signal, 'abort');
  return signal.reason;
};

test('it aborts in time although garbage is collected meanwhile', async () => {
  const aborted = abortAfter(50, [new AbortController().signal], reasonOf);
  for (let times = 0; times < 3; times += 1) {
    collectGarbage();
    await new Promise((resume) => setImmediate(resume));
  }
  expect(await aborted).toMatchObject({ name: 'TimeoutError' });
});

test('it aborts with the first of other signals, and for its reason', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const aborted = abortAfter(60_000, [first.signal, second.signal], reasonOf);
  second.abort('closing');
  first.abort('later');
  expect(await aborted).toBe('closing');
  expect(await abortAfter(60_000, [second.signal], reasonOf)).toBe('closing');
});

test('it leaves no listener behind', async () => {
  const { signal } = new AbortController();
  await abortAfter(60_000, [signal], async () => expect(getEventListeners(signal, 'abort')).toHaveLength(1));
  await expect(abortAfter(60_000, [signal], () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  );
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('work that ends in time settles as it does, and leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    await expect(inTime(Promise.resolve('done'), 1000, 'late')).resolves.toBe('done');
    await expect(inTime(Promise.reject(new Error('failed')), 1000, 'late')).rejects.toThrow('failed');
    await expect(inTime(Promise.resolve('done'), Infinity, 'late')).resolves.toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a result that arrived while the process was paused is not late', async () => {
  const { port1, port2 } = new MessageChannel();
  const result = inTime(once(port1, 'message'), 1, 'late');
  port2.postMessage('here');
  const beganMs = performance.now();
  while (performance.now() - beganMs < 20); // Without a turn of the event loop.
  await expect(result).resolves.toEqual(['here']);
  port1.close();
});

test('work that takes longer is rejected with the message', async () => {
  await expect(inTime(new Promise(() => {}), 1, 'no answer within 1 ms')).rejects.toThrow(
    'no answer within 1 ms',
  );
});
