import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atEndOfTurn } from './at-end-of-turn.ts';

test('items of one turn are acted on together after it, in their order', async () => {
  const batches: (readonly number[])[] = [];
  const take = atEndOfTurn((items: readonly number[]) => {
    batches.push(items);
    // Work that an action queues runs in the next turn.
    if (items.includes(1)) take(3);
  });
  take(1);
  take(2);
  expect(batches).toEqual([]);
  await turn();
  expect(batches).toEqual([[1, 2]]);
  await turn();
  expect(batches).toEqual([[1, 2], [3]]);
});
