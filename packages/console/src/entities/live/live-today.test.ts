import type { Highlights } from '@bidwell/contract/reports/schema';
import type { HighlightMetric } from '@bidwell/contract/reports/metrics';
import { expect, test } from 'vitest';
import { withToday } from './live-today.ts';

const days = ['2026-05-03', '2026-05-04'];
const metric = (values: (number | null)[], total: number | null, previous: number | null = null) => ({
  total,
  previous,
  change_percent: null,
  series: values.map((value, day) => ({ bucket: days[day]!, value })),
});
const highlights: Highlights = {
  clicks: metric([3, 1], 4, 8),
  installs: metric([1, 0], 1, 0),
  impressions: metric([1000, 100], 1100, 1000),
  spend: metric([2.1, 0.2], 2.3, 2),
  cpi: metric([2.1, null], 2.3),
  cpm: metric([2.1, 2], 2.3 / 1.1),
};
const today = {
  type: 'today' as const,
  date: '2026-05-04',
  counts: { clicks: 2, installs: 1, impressions: 500, spends: 0.9 },
  balance: { balance: 7, currency: 'USD' as const, spent_today: 0.9, credit_limit: 0 },
};
const pointsOf = (of: Highlights | null, name: HighlightMetric) =>
  of?.[name].series.map(({ value }) => value);

test('the point of today moves, and the totals and changes with it', () => {
  const moved = withToday(highlights, today);
  expect(pointsOf(moved, 'spend')).toEqual([2.1, 0.9]);
  expect(pointsOf(moved, 'cpi')).toEqual([2.1, 0.9]);
  expect(pointsOf(moved, 'cpm')).toEqual([2.1, 1.8]);
  expect(moved).toMatchObject({
    clicks: { total: 5, previous: 8, change_percent: -37.5 },
    installs: { total: 2, change_percent: null },
    impressions: { total: 1500, change_percent: 50 },
    spend: { total: 3, change_percent: 50 },
    cpi: { total: 1.5 },
    cpm: { total: 2 },
  });
});

test('the same figures again change nothing more', () => {
  const once = withToday(highlights, today)!;
  expect(withToday(once, today)).toEqual(once);
});

test('highlights without this day are left alone', () => {
  expect(withToday(highlights, { ...today, date: '2026-05-05' })).toBeNull();
});
