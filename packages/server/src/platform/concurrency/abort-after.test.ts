import { getEventListeners, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { abortAfter } from './time-limits.ts';

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
