import { expect, test } from 'vitest';
import { optionalMoneyError, moneyError } from './money-error.ts';

test.each([
  [0, 'Enter at least $0.01'],
  [-5, 'Enter at least $0.01'],
  [0.004, 'Enter at least $0.01'],
  [NaN, 'Enter at least $0.01'],
  [1000.01, 'Enter at most $1\u00a0000.00'],
  [0.01, undefined],
  [1000, undefined],
])('of a bid of %d dollars the field says %s', (dollars, fault) => {
  expect(moneyError(dollars, { max: 1000 })).toBe(fault);
});

test('no amount is a choice by name, and an amount of 0 is not that choice', () => {
  const budget = { max: 1000, choice: 'Unlimited' };
  expect(optionalMoneyError(null, budget)).toBeUndefined();
  expect(optionalMoneyError(0, budget)).toBe('Enter at least $0.01, or choose Unlimited');
  expect(optionalMoneyError(-3, budget)).toBe('Enter at least $0.01, or choose Unlimited');
  expect(optionalMoneyError(5000, budget)).toBe('Enter at most $1\u00a0000.00');
  expect(optionalMoneyError(40, budget)).toBeUndefined();
});
