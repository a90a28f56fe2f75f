import { expect, test } from 'vitest';
import { farAboveText, isFarAbove, isLargeRaise, raiseText } from './high-bid.ts';

test('a bid of more than three times the usual price is far above it', () => {
  expect([3, 6, 6.01, null].map((dollars) => isFarAbove(dollars, 2))).toEqual([false, false, true, false]);
  expect(isFarAbove(500, null)).toBe(false);
  expect(farAboveText('bet_cpm', 40, 2)).toBe(
    'A CPM bid of $40.00 is more than 3 times what this account usually pays, $2.00.',
  );
});

test('a bid of more than 50% above the one before is asked about, with the raise in percent', () => {
  expect([2.99, 3, 3.01, 1, null].map((dollars) => isLargeRaise(dollars, 2))).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
  expect(isLargeRaise(5, null)).toBe(false);
  expect(raiseText('bet_cpm', 'Broad reach', { before: 2, after: 3.5 })).toBe(
    'The CPM bid of “Broad reach” rises by 75%, from $2.00 to $3.50.',
  );
});
