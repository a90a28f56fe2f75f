import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateOf } from './rate.ts';

const counts = fc
  .integer({ min: 1, max: 10_000_000 })
  .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));

test('the interval of a rate is a Wilson interval', () => {
  // Values of R's prop.test(10, 100, correct = FALSE).
  const rate = rateOf(10, 100)!;
  expect(rate.value).toBe(0.1);
  expect(rate.low).toBeCloseTo(0.05523, 5);
  expect(rate.high).toBeCloseTo(0.17437, 5);
  expect(rateOf(0, 20)).toEqual({ value: 0, low: 0, high: expect.closeTo(0.16113, 4) });
});

test('an interval contains its rate, is within 0 and 1, and is narrower with more trials', () => {
  fc.assert(
    fc.property(counts, ([successes, trials]) => {
      const { value, low, high } = rateOf(successes, trials)!;
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
      expect(high).toBeLessThanOrEqual(1);
      const more = rateOf(successes * 4, trials * 4)!;
      expect(more.high - more.low).toBeLessThan(high - low + 1e-12);
    }),
  );
});

test('a rate without trials, or with more successes than trials, is unknown', () => {
  expect(rateOf(0, 0)).toBeNull();
  expect(rateOf(3, 2)).toBeNull();
  expect(rateOf(-1, 10)!.value).toBe(0);
});
