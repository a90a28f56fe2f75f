import { expect, test } from 'vitest';
import { bucketLabel, changeMood } from './highlights.ts';

test('a week is named by its ISO number and year, at the turn of the year too', () => {
  expect(bucketLabel('2026-05-04', 'week')).toBe('W19 2026');
  expect(bucketLabel('2026-12-28', 'week')).toBe('W53 2026');
  expect(bucketLabel('2024-12-30', 'week')).toBe('W1 2025');
});

test('more installs are good news, a higher CPI is not, and from nothing there is no telling', () => {
  const highlight = (change_percent: number | null) => ({
    total: 1,
    previous: 1,
    change_percent,
    series: [],
  });
  expect(changeMood(highlight(10), 'good')).toBe('good');
  expect(changeMood(highlight(10), 'bad')).toBe('bad');
  expect(changeMood(highlight(null), 'good')).toBe('neutral');
});
