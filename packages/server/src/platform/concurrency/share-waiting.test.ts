import { expect, test } from 'vitest';
import pLimit from 'p-limit';
import { shareWaiting } from './share-waiting.ts';
import { eventually } from '@bidwell/testing/eventually';

test('callers share work that waits, and do not share work that runs', async () => {
  const calls: string[] = [];
  const ends: (() => void)[] = [];
  const limited = shareWaiting(pLimit(1));
  const question = (name: string) =>
    limited(name, async () => {
      calls.push(name);
      await new Promise<void>((end) => ends.push(end));
      return `${name} ${calls.length}`;
    });
  const running = question('first');
  await eventually(() => expect(ends).toHaveLength(1));
  const results = Promise.all([question('first'), question('second'), question('first'), question('second')]);
  ends[0]!();
  expect(await running).toBe('first 1');
  await eventually(() => expect(ends).toHaveLength(2));
  ends[1]!();
  await eventually(() => expect(ends).toHaveLength(3));
  ends[2]!();
  expect(await results).toEqual(['first 2', 'second 3', 'first 2', 'second 3']);
  expect(calls).toEqual(['first', 'first', 'second']);
});
