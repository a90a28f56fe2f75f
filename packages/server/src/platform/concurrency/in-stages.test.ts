import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inStages } from './in-stages.ts';

/** Stages that note their name and the item; `done` are the items that end at the first, `broken` those that throw there. */
function noted({ done = [], broken = [] }: { done?: number[]; broken?: number[] } = {}) {
  const notes: string[] = [];
  const note = (name: string) => (item: number) => {
    notes.push(`${name}${item}`);
    return item;
  };
  const take = inStages({
    read(item: number) {
      if (broken.includes(item)) throw new Error(`cannot read ${item}`);
      note('a')(item);
      return done.includes(item) ? null : item;
    },
    decide: note('b'),
    finish: note('c'),
    failed: (item, error) => notes.push(`${item}: ${(error as Error).message}`),
  });
  return { notes, take };
}

test('items of one turn pass a stage together, in their order', async () => {
  const { notes, take } = noted();
  for (const item of [1, 2, 3]) take(item);
  expect(notes).toEqual([]);
  await turn();
  expect(notes).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']);
  take(4);
  await turn();
  expect(notes.slice(9)).toEqual(['a4', 'b4', 'c4']);
});

test('an item that is done, or that fails, does not stop the others', async () => {
  const { notes, take } = noted({ done: [1], broken: [2] });
  for (const item of [1, 2, 3]) take(item);
  await turn();
  expect(notes).toEqual(['a1', '2: cannot read 2', 'a3', 'b3', 'c3']);
});

test('the first of many items does not wait for the last', async () => {
  const { notes, take } = noted();
  for (let item = 0; item < 100; item += 1) take(item);
  await turn();
  expect(notes).toHaveLength(300);
  expect(notes.indexOf('c0')).toBeLessThan(notes.indexOf('a99'));
});
