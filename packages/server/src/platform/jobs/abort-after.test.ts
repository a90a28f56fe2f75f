import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { abortAfter } from './abort-after.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('it aborts in time although garbage is collected meanwhile', async () => {
  const signal = abortAfter(50, new AbortController().signal);
  const aborted = once(signal, 'abort');
  for (let times = 0; times < 3; times += 1) {
    collectGarbage();
    await new Promise((resume) => setImmediate(resume));
  }
  await aborted;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('it aborts with the first of other signals, and for its reason', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const signal = abortAfter(60_000, first.signal, second.signal);
  expect(signal.aborted).toBe(false);
  second.abort('closing');
  first.abort('later');
  expect(signal.reason).toBe('closing');
  expect(abortAfter(60_000, second.signal).reason).toBe('closing');
});
