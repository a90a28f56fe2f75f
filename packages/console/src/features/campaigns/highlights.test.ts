import { expect, test } from 'vitest';
import { changeMood, shownHighlights } from './highlights.ts';

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

test('cards that were kept are shown in their order, each once, four at most; the usual ones when none is known', () => {
  expect(shownHighlights(['cpm', 'spend'])).toEqual(['cpm', 'spend']);
  expect(shownHighlights(['cpi', 'clicks', 'cpi', 'revenue', 'spend', 'cpm', 'installs'])).toEqual([
    'cpi',
    'clicks',
    'spend',
    'cpm',
  ]);
  expect(shownHighlights(['revenue'])).toEqual(['spend', 'installs', 'impressions', 'cpi']);
});
