import { expect, test } from 'vitest';
import { type ChartSeries, chartData, chartOptions, nameOf } from './chart-options.ts';

const spend: ChartSeries = { label: 'Spend', values: [10, 12, 3], format: String, axis: 'left' };
const days = ['May 02', 'May 03', 'May 04'];

test('the line ends before a day that is not over, and a dashed one leads to it', () => {
  const parts = new Map([[2, 'so far']]);
  expect(chartData(days, [spend], parts)).toEqual([
    [0, 1, 2],
    [10, 12, null],
    [null, 12, 3],
  ]);
  const { series } = chartOptions({
    buckets: days,
    parts,
    series: [spend],
    bucketLabel: 'Date',
    isDark: false,
  });
  expect(series.map(({ dash }) => dash !== undefined)).toEqual([false, false, true]);
  expect(nameOf(days, parts, 2)).toBe('May 04, so far');
});

test('days that are over are one line', () => {
  expect(chartData(days, [spend], new Map())).toEqual([
    [0, 1, 2],
    [10, 12, 3],
  ]);
});
