import { expect, test, vi } from 'vitest';
import { atMost, sharedInTurn } from './at-most.ts';

test('no more than so many run at once, in the order they came, and a failure frees its place', async () => {
  const inTurn = atMost(2);
  const order: number[] = [];
  const ends: (() => void)[] = [];
  const running = new Set<number>();
  let most = 0;
  const all = Array.from({ length: 5 }, (_, n) =>
    inTurn(async () => {
      order.push(n);
      running.add(n);
      most = Math.max(most, running.size);
      await new Promise<void>((end) => ends.push(end));
      running.delete(n);
      if (n === 1) throw new Error('failed');
      return n;
    }).catch(() => -1),
  );
  while (order.length < 5 || running.size > 0) {
    ends.shift()?.();
    await Promise.resolve();
  }
  expect(await Promise.all(all)).toEqual([0, -1, 2, 3, 4]);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
});

test('who asks what another waits to ask shares the answer, who asks what is being answered does not', async () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const ask = sharedInTurn(atMost(1));
  const question = (name: string) =>
    ask(name, async () => {
      asked.push(name);
      await new Promise<void>((end) => ends.push(end));
      return `${name} ${asked.length}`;
    });
  const running = question('first');
  const answers = Promise.all([question('first'), question('second'), question('first'), question('second')]);
  ends[0]!();
  expect(await running).toBe('first 1');
  ends[1]!();
  await vi.waitFor(() => expect(ends).toHaveLength(3), 5000);
  ends[2]!();
  expect(await answers).toEqual(['first 2', 'second 3', 'first 2', 'second 3']);
  expect(asked).toEqual(['first', 'first', 'second']);
});
