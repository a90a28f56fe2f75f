import { expect, test } from 'vitest';
import { median } from './statistics.ts';

test('half of the values are at most the median, in any order', () => {
  expect([median([4]), median([9, 1, 2]), median([100, 1, 3, 2]), median([7, 7])]).toEqual([4, 2, 2.5, 7]);
  // As numbers, not as texts.
  expect(median([10, 9, 100])).toBe(10);
});

test('no values have no median', () => {
  expect(median([])).toBeNull();
});
