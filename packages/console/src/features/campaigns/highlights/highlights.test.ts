import { expect, test } from 'vitest';
import { changeTone, reEngagementText, shownHighlights } from './highlights.ts';

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

test('the line about re-engagement campaigns names no cost without re-attributions', () => {
  const totals = { spend: 12, impressions: 2000, clicks: 40, reattributions: 6, reinstalls: 1, events: 3 };
  expect(reEngagementText({ ...totals, cost_per_reattribution: 2, revenue: 30, roas: 250 })).toBe(
    'The cards leave out re-engagement campaigns: $12.00 spend, 40 clicks, 6 re-attributions at $2.00, 1 reinstalls, $30.00 revenue (ROAS 250.00%). Finances include their spend.',
  );
  expect(
    reEngagementText({
      ...totals,
      spend: 0,
      reattributions: 0,
      cost_per_reattribution: null,
      revenue: null,
      roas: null,
    }),
  ).toContain('0 re-attributions, 1 reinstalls, - revenue.');
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
