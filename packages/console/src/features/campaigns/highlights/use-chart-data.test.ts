import { expect, test } from 'vitest';
import { axisMetrics } from './use-chart-data.ts';

test('the axes keep the metrics that were chosen; one that an older version stored under another name is replaced', () => {
  expect(axisMetrics(['revenue', 'roas'])).toEqual(['revenue', 'roas']);
  expect(axisMetrics([])).toEqual(['spends', 'installs']);
  expect(axisMetrics(['spend', 'installs'])).toEqual(['spends', 'installs']);
  expect(axisMetrics(['installs', 'spend'])).toEqual(['installs', 'spends']);
  expect(axisMetrics(['revenue', 'revenue'])).toEqual(['revenue', 'installs']);
});
