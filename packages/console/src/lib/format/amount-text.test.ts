import { expect, test } from 'vitest';
import { amountText } from './amount-text.ts';

test.each([
  [5000, '+$5 000.00'],
  [-1.37211, '-$1.37'],
  [-0.001, '-$0.00'],
  [0, '-$0.00'],
  [1_000_000, '+$1 000 000.00'],
])('%s is written %s', (amount, text) => {
  expect(amountText(amount).replaceAll('\u00a0', ' ')).toBe(text);
});
