import { afterEach, expect, test, vi } from 'vitest';
import {
  formatChange,
  formatChangeFrom,
  formatDay,
  formatMoment,
  formatMoney,
  formatNumber,
  formatPercent,
} from './format.ts';

afterEach(() => void vi.unstubAllEnvs());

const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1 000'],
  [1_234_567_890, '1 234 567 890'],
  [-4500, '-4 500'],
  [-0.4, '0'],
  [1e12, '1 000 000 000 000'],
  [Number.NaN, '-'],
  [Infinity, '-'],
  [null, '-'],
])('the number %s is written %s', (value, text) => {
  expect(spaced(formatNumber(value))).toBe(text);
});

test.each([
  [0, '$0.00'],
  [0.005, '$0.01'],
  [-0.001, '$0.00'],
  [1234.5, '$1 234.50'],
  [-1234.5, '-$1 234.50'],
  [9_000_000_000, '$9 000 000 000.00'],
  [null, '-'],
])('%s dollars are written %s', (value, text) => {
  expect(spaced(formatMoney(value))).toBe(text);
});

test('a change is signed, and infinite when there was nothing before', () => {
  expect(formatChange(12.34)).toBe('+12.3%');
  expect(formatChange(-5)).toBe('-5.0%');
  expect(formatChange(0)).toBe('0.0%');
  expect(formatChange(null)).toBe('∞');
});

test('a share without impressions is a dash', () => {
  expect(formatPercent(null)).toBe('-');
  expect(formatPercent(2.5)).toBe('2.50%');
});

test('a value that rounds to zero has no sign', () => {
  expect(formatChange(0.04)).toBe('0.0%');
  expect(formatChange(-0.04)).toBe('0.0%');
  expect(formatChange(Infinity)).toBe('∞');
  expect(formatPercent(Number.NaN)).toBe('-');
});

test('days and moments, including days of clock changes and invalid texts', () => {
  expect(formatDay('2026-03-29')).toBe('Mar 29 / 2026');
  expect(formatDay('2026-11-01')).toBe('Nov 01 / 2026');
  expect(formatDay('2024-02-29')).toBe('Feb 29 / 2024');
  expect(formatDay('')).toBe('-');
  expect(formatMoment('2026-05-04T09:07:00')).toBe('May 04 / 2026, 09:07');
  expect(formatMoment('never')).toBe('-');
});

test.each(['America/Los_Angeles', 'UTC', 'Pacific/Auckland'])(
  'a day is the same for a reader in %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    expect(formatDay('2026-05-04')).toBe('May 04 / 2026');
  },
);

test('nothing after nothing is no change', () => {
  expect(formatChangeFrom(0, 0)).toBe('0%');
  expect(formatChangeFrom(2, 2)).toBe('0%');
  expect(formatChangeFrom(0, 1)).toBe('∞');
  expect(formatChangeFrom(2, 1)).toBe('-50.0%');
});
