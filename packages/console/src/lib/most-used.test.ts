import { expect, test } from 'vitest';
import { mostUsed } from './most-used.ts';

test('the values that most lists have come first, up to the requested number', () => {
  const lists = [['US', 'CA'], ['DE', 'US', 'US'], [], ['DE', 'US']];
  expect(mostUsed(lists, 2)).toEqual(['US', 'DE']);
  expect(mostUsed(lists, 9)).toEqual(['US', 'DE', 'CA']);
});
