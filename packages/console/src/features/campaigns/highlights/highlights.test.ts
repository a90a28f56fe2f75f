import { expect, test } from 'vitest';
import { changeTone, shownHighlights } from './highlights.ts';

test('more installs are good, a higher CPI is bad, and a change from zero is neutral', () => {
  const highlight = (change_percent: number | null) => ({
    total: 1,
    previous: 1,
    change_percent,
    series: [],
  });
  expect(changeTone(highlight(10), 'good')).toBe('good');
  expect(changeTone(highlight(10), 'bad')).toBe('bad');
  expect(changeTone(highlight(null), 'good')).toBe('neutral');
});

test('stored cards keep their order without duplicates, at most four; without a known one, the defaults', () => {
  expect(shownHighlights(['cpm', 'spend'])).toEqual(['cpm', 'spend']);
  expect(shownHighlights(['cpi', 'clicks', 'cpi', 'revenue', 'spend', 'cpm', 'installs'])).toEqual([
    'cpi',
    'clicks',
    'spend',
    'cpm',
  ]);
  expect(shownHighlights(['revenue'])).toEqual(['spend', 'installs', 'impressions', 'cpi']);
});
