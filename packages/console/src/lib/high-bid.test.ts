import { expect, test } from 'vitest';
import { farAboveText, isFarAbove } from './high-bid.ts';

test('a bid of more than three times the usual price is far above it', () => {
  expect([3, 6, 6.01, null].map((dollars) => isFarAbove(dollars, 2))).toEqual([false, false, true, false]);
  expect(isFarAbove(500, null)).toBe(false);
  expect(farAboveText('bet_cpm', 40, 2)).toBe(
    'A CPM bid of $40.00 is more than 3 times what this account usually pays, $2.00.',
  );
});
