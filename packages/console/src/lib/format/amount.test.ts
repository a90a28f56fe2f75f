import { expect, test } from 'vitest';
import { amountFault, isUnfinishedAmount, readAmount, typedAmount } from './amount.ts';

test.each([
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['1 234,50', 1234.5],
  ['$1 234.50', 1234.5],
  ["1'234.50", 1234.5],
  ['1,234,567.8', 1_234_567.8],
  ['1.234.567,8', 1_234_567.8],
  ['1,234', 1234],
  ['1,234,567', 1_234_567],
  ['1.234.567', 1_234_567],
  ['1.239', 1.23],
  ['0,239', 0.23],
  ['2,5', 2.5],
  ['2,50', 2.5],
  ['.5', 0.5],
  ['5.', 5],
  ['-5', -5],
  ['0.29', 0.29],
  ['', null],
  ['-', null],
  ['$', null],
  ['12..50', undefined],
  ['12.50.', undefined],
  ['1..50', undefined],
  ['12,,5', undefined],
  ['1,234,56', undefined],
  ['1.234.5', undefined],
  ['12,345,6', undefined],
  ['1,234.567.8', undefined],
  ['12,5,000', undefined],
  ['1,2.50', undefined],
  ['0.123.456', undefined],
  ['1e3', undefined],
  ['12 eggs', undefined],
  ['1.2,3,4', undefined],
  ['9'.repeat(13), undefined],
])('"%s" is %s dollars', (typed, dollars) => {
  expect(readAmount(typed)).toBe(dollars);
});

test('a field shows the input with a dollar sign, and no more decimal places than may still become thousands', () => {
  expect(['1', '$1.2', '1.239', '1.2399', '12.3456', '1,234.505', '', '$'].map(typedAmount)).toEqual([
    '$1',
    '$1.2',
    '$1.239',
    '$1.23',
    '$12.34',
    '$1,234.505',
    '',
    '',
  ]);
});

test('an amount is unfinished while its last group of thousands is typed', () => {
  expect(
    ['1,234,', '1,234,5', '1.234.56', '$1,234,56', '1,234,567', '1,2', '12,,5'].map(isUnfinishedAmount),
  ).toEqual([true, true, true, true, false, false, false]);
});

test.each([
  ['1e3', 'unreadable'],
  ['12,34,567', 'unreadable'],
  ['abc', 'unreadable'],
  ['½', 'unreadable'],
  ['0.001', 'below_cent'],
  ['0.01', undefined],
  ['0.00', undefined],
  ['1,234', undefined],
  ['', undefined],
])('"%s" as an amount is %s', (typed, fault) => {
  expect(amountFault(typed)).toBe(fault);
});
