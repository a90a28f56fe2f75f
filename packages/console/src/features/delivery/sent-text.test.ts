import { expect, test } from 'vitest';
import { sentText } from './sent-text.ts';

test('bids whose notices are stored before them count as sent', () => {
  expect(sentText(120, 100)).toBe('120');
  expect(sentText(98, 100)).toBe('100');
});

test('where no bids were counted, only notices, their number is not known', () => {
  expect(sentText(0, 100)).toBe('-');
  expect(sentText(0, 0)).toBe('0');
});
