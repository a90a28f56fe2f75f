import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectAnomalies } from './detect.ts';

const hour = (dollars: number, installs = 20, clicks = 400) => ({
  impressions: 10_000,
  clicks,
  installs,
  spendMicros: Math.round(dollars * 1e6),
});
const baseline = [98, 104, 100, 96, 101, 103, 99, 100].map((dollars) => hour(dollars));

test('spend far from the same hours of past weeks is an anomaly, in both directions', () => {
  expect(detectAnomalies(hour(105), baseline, 0)).toEqual([]);
  expect(detectAnomalies(hour(300, 60, 1200), baseline, 0)).toMatchObject([
    { metric: 'spend', direction: 'above', value: 300, baseline: 100, dollars: 200 },
  ]);
  expect(detectAnomalies(hour(0, 0, 0), baseline, 0)).toMatchObject([
    { metric: 'spend', direction: 'below', value: 0, baseline: 100, dollars: 100 },
  ]);
});

test('an hour of a company whose spend has grown is compared at its present level', () => {
  const grown = [90, 60, 30, 20, 11, 8, 5, 4];
  const weeks = grown.map((dollars) => hour(dollars, 4 * dollars, 80 * dollars));
  const growths = grown.map((dollars) => 100 / dollars);
  expect(detectAnomalies(hour(104, 416, 8320), weeks, 0, { growths })).toEqual([]);
  expect(detectAnomalies(hour(300, 1200, 24_000), weeks, 0, { growths })).toMatchObject([
    { metric: 'spend', direction: 'above', value: 300, baseline: 100 },
  ]);
});

test('an hour as usual is no anomaly after days without spend', () => {
  const growths = baseline.map(() => 1 / 6);
  expect(detectAnomalies(hour(100), baseline, 0, { growths })).toEqual([]);
  expect(detectAnomalies(hour(300, 60, 1200), baseline, 0, { growths })).toMatchObject([
    { metric: 'spend', direction: 'above', value: 300, baseline: 100 },
  ]);
});

test('one odd week neither hides the next anomaly nor causes one', () => {
  const withOdd = [...baseline.slice(1), hour(5000)];
  expect(detectAnomalies(hour(100), withOdd, 0)).toEqual([]);
  expect(detectAnomalies(hour(400, 80, 1600), withOdd, 0).map(({ metric }) => metric)).toEqual(['spend']);
});

test('a much higher cost per install, and clicks without installs, are anomalies', () => {
  expect(detectAnomalies(hour(100, 10), baseline, 0)).toMatchObject([
    { metric: 'cpi', direction: 'above', value: 10, baseline: 5 },
    { metric: 'install_rate', direction: 'below', value: 2.5, baseline: 5 },
  ]);
  expect(detectAnomalies(hour(100, 0), baseline, 0)).toMatchObject([{ metric: 'install_rate', value: 0 }]);
});

test('few events and few weeks cause no anomaly', () => {
  expect(detectAnomalies(hour(300), baseline.slice(0, 3), 0)).toEqual([]);
  expect(
    detectAnomalies(
      hour(0.9),
      Array.from({ length: 8 }, () => hour(0.1, 0, 0)),
      0,
    ),
  ).toEqual([]);
  const small = Array.from({ length: 8 }, () => hour(100, 3, 50));
  expect(detectAnomalies(hour(100, 9, 50), small, 0)).toEqual([]);
  const nothing = { impressions: 0, clicks: 0, installs: 0, spendMicros: 0 };
  expect(detectAnomalies(hour(300), [...baseline.slice(0, 3), nothing, nothing, nothing], 0)).toEqual([]);
});

test('an hour near the median of its weeks is never an anomaly', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 2, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 4 }),
      (dollars) => {
        // The values, and the middle one five more times, so that it is the median.
        const sorted = dollars.toSorted((a, b) => a - b);
        const middle = sorted[Math.floor(sorted.length / 2)]!;
        const weeks = [...Array.from({ length: 5 }, () => middle), ...sorted].map((each) => hour(each, 0, 0));
        expect(detectAnomalies(hour(middle, 0, 0), weeks, 0)).toEqual([]);
      },
    ),
  );
});

test('a difference that is small compared with the daily budgets is no anomaly', () => {
  const cheap = Array.from({ length: 8 }, () => hour(0.73, 0, 0));
  expect(detectAnomalies(hour(1.03, 0, 0), cheap, 0)).toEqual([]);
  expect(detectAnomalies(hour(4, 0, 0), cheap, 0)).toEqual([]);
  expect(detectAnomalies(hour(10, 0, 0), cheap, 0)).toMatchObject([{ metric: 'spend' }]);
  // Half an even hour of the daily budget: a stop is one, a share of an hour is not.
  expect(detectAnomalies(hour(10, 0, 0), cheap, 1000)).toEqual([]);
  expect(detectAnomalies(hour(0, 0, 0), baseline, 2400)).toMatchObject([{ metric: 'spend', dollars: 100 }]);
});

test('with daily budgets that cap the day, more spend than usual is an anomaly only where it takes much of them', () => {
  const usual = Array.from({ length: 8 }, () => hour(4.5, 0, 0));
  expect(detectAnomalies(hour(9.9, 0, 0), usual, 90)).toMatchObject([
    { metric: 'spend', direction: 'above' },
  ]);
  expect(detectAnomalies(hour(9.9, 0, 0), usual, 90, { isCapped: true })).toEqual([]);
  expect(detectAnomalies(hour(30, 0, 0), usual, 90, { isCapped: true })).toMatchObject([
    { metric: 'spend', direction: 'above' },
  ]);
});
