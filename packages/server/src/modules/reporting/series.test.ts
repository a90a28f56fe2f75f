import { addDays, daysBetween } from '@bidwell/contract/lib/calendar';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Group, bucketOf, bucketsOf, highlightsOf } from './series.ts';
import { zeroCounts } from './figures.ts';

test('a bucket begins on its Monday or the first day of its month or year', () => {
  expect(bucketOf('2026-11-21', 'day')).toBe('2026-11-21');
  expect(bucketOf('2026-11-21', 'week')).toBe('2026-11-16');
  expect(bucketOf('2026-11-16', 'week')).toBe('2026-11-16');
  expect(bucketOf('2026-11-15', 'week')).toBe('2026-11-09');
  expect(bucketOf('2026-01-01', 'week')).toBe('2025-12-29');
  expect(bucketOf('2026-11-21', 'month')).toBe('2026-11-01');
  expect(bucketOf('2026-11-21', 'year')).toBe('2026-01-01');
});

test('a range has every bucket of its days', () => {
  expect(bucketsOf('2026-01-30', '2026-03-01', 'month', 10)).toEqual([
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
  ]);
  expect(bucketsOf('2026-01-01', '2026-01-05', 'week', 10)).toEqual(['2025-12-29', '2026-01-05']);
  expect(bucketsOf('2023-06-01', '2025-01-01', 'year', 10)).toEqual([
    '2023-01-01',
    '2024-01-01',
    '2025-01-01',
  ]);
  expect(bucketsOf('2026-01-01', '2026-01-04', 'day', 3)).toBeNull();
  expect(bucketsOf('2026-01-01', '2026-01-03', 'day', 3)).toHaveLength(3);
});

test('buckets are the distinct buckets of the days, in order', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2000-01-01', days));
  fc.assert(
    fc.property(
      day,
      fc.nat(800),
      fc.constantFrom<Group>('day', 'week', 'month', 'year'),
      (start, length, group) => {
        const end = addDays(start, length);
        const days = Array.from({ length: daysBetween(start, end) + 1 }, (_, index) => addDays(start, index));
        const expected = [...new Set(days.map((each) => bucketOf(each, group)))];
        expect(bucketsOf(start, end, group, 10_000)).toEqual(expected);
      },
    ),
  );
});

test('the series adds up to the total, empty buckets are 0 and ratios without a base are null', () => {
  const counts = { clicks: 1, installs: 0, impressions: 10, spendMicros: 20_000 };
  const highlights = highlightsOf(
    [
      { bucket: '2026-01-01', ...counts, before: { ...zeroCounts, clicks: 4, impressions: 10 } },
      { bucket: '2026-01-03', ...counts, installs: 2 },
    ],
    ['2026-01-01', '2026-01-02', '2026-01-03'],
  );
  expect(highlights.clicks).toEqual({
    total: 2,
    previous: 4,
    change_percent: -50,
    series: [
      { bucket: '2026-01-01', value: 1 },
      { bucket: '2026-01-02', value: 0 },
      { bucket: '2026-01-03', value: 1 },
    ],
  });
  expect(highlights.spend).toMatchObject({ total: 0.04, previous: 0, change_percent: null });
  expect(highlights.cpi.series.map(({ value }) => value)).toEqual([null, null, 0.01]);
  expect(highlights.cpm.series.map(({ value }) => value)).toEqual([2, null, 2]);
});
