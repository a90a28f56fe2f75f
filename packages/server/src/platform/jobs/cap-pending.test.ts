import { expect, test, vi } from 'vitest';
import pLimit from 'p-limit';
import { shareWaiting } from './cap-pending.ts';

test('callers share work that waits, and do not share work that runs', async () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const ask = shareWaiting(pLimit(1));
  const question = (name: string) =>
    ask(name, async () => {
      asked.push(name);
      await new Promise<void>((end) => ends.push(end));
      return `${name} ${asked.length}`;
    });
  const running = question('first');
  await vi.waitFor(() => expect(ends).toHaveLength(1));
  const answers = Promise.all([question('first'), question('second'), question('first'), question('second')]);
  ends[0]!();
  expect(await running).toBe('first 1');
  await vi.waitFor(() => expect(ends).toHaveLength(2));
  ends[1]!();
  await vi.waitFor(() => expect(ends).toHaveLength(3));
  ends[2]!();
  expect(await answers).toEqual(['first 2', 'second 3', 'first 2', 'second 3']);
  expect(asked).toEqual(['first', 'first', 'second']);
});
