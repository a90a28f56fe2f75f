import { COHORT_DAYS } from '@bidwell/contract/reports/cohorts';
import { expect, test } from 'vitest';
import { type Week, expectedRevenue, predict, recordOf, weeksKnownAt } from './prediction.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const NOW_MS = Date.parse('2026-06-10T00:00:00Z');
/** Revenue per install by day in dollars: by day 30 it is four times the revenue of day 3. */
const CURVE = [0.5, 0.7, 1, 1.6, 2.4, 4, 5, 6];
const D3 = COHORT_DAYS.indexOf(3);
const D30 = COHORT_DAYS.indexOf(30);

/** A week that ended `ago` weeks before now, whose revenue by day 30 is `factor` times the usual. */
const week = (ago: number, { installs = 100, factor = 1 } = {}): Week => ({
  startMs: NOW_MS - (ago + 1) * WEEK_MS,
  endMs: NOW_MS - ago * WEEK_MS,
  installs,
  payers: 10,
  revenueMicros: CURVE.map((dollars, at) => dollars * installs * 1_000_000 * (at >= D30 ? factor : 1)),
});
const weeks = (factors: readonly number[]) => factors.map((factor, at) => week(5 + at, { factor }));

test('a young cohort is expected to have its revenue times the ratio of past weeks', () => {
  const days = COHORT_DAYS.map((_, at) => ({
    people: at <= D3 ? 50 : 0,
    revenueMicros: at <= D3 ? 100_000_000 : 0,
  }));
  const { expected_d30_revenue, low, high, ...expected } = expectedRevenue(weeks([0.9, 1.1, 0.9, 1.1, 1]), {
    installs: 50,
    days,
  })!;
  expect(expected.from_day).toBe(3);
  expect(expected_d30_revenue).toBeCloseTo(400, 6);
  expect(low).toBeLessThan(400);
  expect(high).toBeGreaterThan(400);
  expect(expected.curve.map(({ day, revenue }) => [day, Math.round(revenue)])).toEqual([
    [7, 160],
    [14, 240],
    [30, 400],
  ]);
});

test('of a cohort in which half are old enough, the others are expected to be like them', () => {
  const days = COHORT_DAYS.map((_, at) => ({ people: at <= D3 ? 25 : 10, revenueMicros: 50_000_000 }));
  const expected = expectedRevenue(weeks([1, 1, 1, 1]), { installs: 50, days })!;
  expect(expected).toMatchObject({ from_day: 3, expected_d30_revenue: expect.closeTo(400, 6) });
});

test('nothing is expected of a cohort that is old enough, or that has no revenue', () => {
  const old = COHORT_DAYS.map(() => ({ people: 50, revenueMicros: 50_000_000 }));
  expect(expectedRevenue(weeks([1, 1, 1, 1]), { installs: 50, days: old })).toBeNull();
  const without = COHORT_DAYS.map((_, at) => ({ people: at <= D3 ? 50 : 0, revenueMicros: 0 }));
  expect(expectedRevenue(weeks([1, 1, 1, 1]), { installs: 50, days: without })).toBeNull();
});

test('the range is wider for weeks that differ more, and for a smaller cohort by more of its revenue', () => {
  const width = (factors: readonly number[], installs: number) => {
    const { aboutMicros, lowMicros, highMicros } = predict(
      weeks(factors),
      { installs, revenueMicros: installs * 1_000_000 },
      D3,
      D30,
    )!;
    return (highMicros - lowMicros) / aboutMicros;
  };
  const calm = [0.95, 1.05, 0.95, 1.05, 1];
  expect(width([0.8, 1.2, 0.8, 1.2, 1], 100)).toBeGreaterThan(2 * width(calm, 100));
  expect(width(calm, 10)).toBeGreaterThan(2 * width(calm, 100));
  expect(width([1, 1, 1, 1], 100)).toBeCloseTo(0, 6);
});

test('too few weeks, installs or payers predict nothing, and the sentence says how many there are', () => {
  const { weeks: none, message } = weeksKnownAt([week(1), week(5), week(6, { installs: 30 })], NOW_MS);
  expect(none).toBeNull();
  expect(message).toMatch(/There are 2, with 130 and 20\.$/);
  expect(weeksKnownAt(weeks([1, 1, 1, 1]), NOW_MS).weeks).toHaveLength(4);
  // Weeks of more than 180 days before are not used.
  expect(
    weeksKnownAt(
      [40, 41, 42, 43].map((ago) => week(ago)),
      NOW_MS,
    ).weeks,
  ).toBeNull();
});

test('the record compares the predictions of that time with the results', () => {
  const steady = Array.from({ length: 20 }, (_, at) => week(5 + at, { factor: at % 2 === 0 ? 0.95 : 1.05 }));
  // The last week had three times the usual revenue by day 30, which no earlier week indicated.
  const surprised = [week(5, { factor: 3 }), ...steady.slice(1)];
  const [calm] = recordOf(steady, NOW_MS);
  const [surprise] = recordOf(surprised, NOW_MS);
  expect(calm!.day).toBe(3);
  expect(calm!.cohorts).toBeGreaterThan(8);
  expect(calm!.mean_error_percent).toBeLessThan(8);
  expect(surprise!.cohorts).toBe(calm!.cohorts);
  expect(surprise!.inside).toBe(calm!.inside - 1);
  expect(recordOf([week(5)], NOW_MS)[0]).toEqual({ day: 3, cohorts: 0, inside: 0, mean_error_percent: null });
});
