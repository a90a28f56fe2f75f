import { expect, test } from 'vitest';
import { datePresets, presetOf } from './date-presets.ts';

const presets = (today: string) =>
  Object.fromEntries(datePresets(today).map(({ label, range }) => [label, `${range.start} ${range.end}`]));

test('every preset on a Wednesday in May', () => {
  expect(presets('2026-05-06')).toEqual({
    Today: '2026-05-06 2026-05-06',
    Yesterday: '2026-05-05 2026-05-05',
    'This Week': '2026-05-04 2026-05-06',
    'Last Week': '2026-04-27 2026-05-03',
    'This Month': '2026-05-01 2026-05-06',
    'Last Month': '2026-04-01 2026-04-30',
    'Last 7 Days': '2026-04-30 2026-05-06',
    'Last 14 Days': '2026-04-23 2026-05-06',
    'Last 30 Days': '2026-04-07 2026-05-06',
  });
});

test('a week begins on Monday, on a Sunday too, and a month may end on the 29th of February', () => {
  expect(presets('2028-03-05')).toMatchObject({
    'This Week': '2028-02-28 2028-03-05',
    'Last Week': '2028-02-21 2028-02-27',
    'Last Month': '2028-02-01 2028-02-29',
  });
});

test('a range that is no preset is custom', () => {
  expect(presetOf({ start: '2026-05-01', end: '2026-05-03' }, '2026-05-06')).toBe('Custom');
  expect(presetOf({ start: '2026-04-30', end: '2026-05-06' }, '2026-05-06')).toBe('Last 7 Days');
});
