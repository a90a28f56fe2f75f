import { expect, test } from 'vitest';
import { changeMood } from './highlights.ts';

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
