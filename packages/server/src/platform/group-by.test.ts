import { expect, test } from 'vitest';
import { addToSum, groupBy } from './group-by.ts';

test('rows are grouped in their order, by keys of any kind', () => {
  const rows = [
    { exchange: 'b', minute: 1 },
    { exchange: 'a', minute: 2 },
    { exchange: 'b', minute: 2 },
  ];
  expect([...groupBy(rows, ({ exchange }) => exchange)]).toEqual([
    ['b', [rows[0], rows[2]]],
    ['a', [rows[1]]],
  ]);
  expect(groupBy(rows, ({ minute }) => minute).get(2)).toEqual([rows[1], rows[2]]);
  expect(groupBy([], String).size).toBe(0);
});

test('amounts are summed by key', () => {
  const sums = new Map<string, number>();
  for (const [key, amount] of [
    ['a', 2],
    ['b', -1],
    ['a', 3],
  ] as const)
    addToSum(sums, key, amount);
  expect([...sums]).toEqual([
    ['a', 5],
    ['b', -1],
  ]);
});
