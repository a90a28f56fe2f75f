import { expect, test } from 'vitest';
import { sentText, wonOf } from './sent-text.ts';

test('bids whose notices are stored before them count as sent', () => {
  expect(sentText(120, 100)).toBe('120');
  expect(sentText(98, 100)).toBe('100');
});

test('where no bids were counted, only notices, their number is not known', () => {
  expect(sentText(0, 100)).toBe('-');
  expect(sentText(0, 0)).toBe('0');
});

test('an impression is a bid that was won, also where the exchange sends no notice', () => {
  expect(wonOf({ wins: 5860, impressions: 26_817 })).toBe(26_817);
  expect(wonOf({ wins: 100, impressions: 96 })).toBe(100);
});
