import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ComparedRange,
  INSIDE_SHARE,
  WIDENED_MAX,
  isInside,
  widened,
  wideningOf,
} from './forecast-history.ts';

const compared = fc
  .record({
    about: fc.double({ min: 0, max: 1e6, noNaN: true }),
    below: fc.double({ min: 0, max: 1, noNaN: true }),
    above: fc.double({ min: 0, max: 3, noNaN: true }),
    error: fc.double({ min: 0, max: 6, noNaN: true }),
  })
  .map(({ about, below, above, error }): ComparedRange => ({
    about,
    low: about * (1 - below),
    high: about * (1 + above),
    actual: Math.round(about * error),
  }));

test('after widening at least 80% of the compared forecasts are within their range, up to the bound', () => {
  fc.assert(
    fc.property(fc.array(compared, { minLength: 10, maxLength: 30 }), (all) => {
      const factor = wideningOf(all);
      const inside = all.filter((one) => isInside({ ...widened(one, factor), actual: one.actual })).length;
      expect(factor).toBeGreaterThanOrEqual(1);
      expect(factor).toBeLessThanOrEqual(WIDENED_MAX);
      if (factor < WIDENED_MAX) expect(inside).toBeGreaterThanOrEqual(INSIDE_SHARE * all.length);
    }),
  );
});

test('a range never gets narrower and never leaves what is possible', () => {
  fc.assert(
    fc.property(compared, fc.double({ min: 1, max: WIDENED_MAX, noNaN: true }), (range, factor) => {
      const wider = widened(range, factor, range.about * 1.5);
      expect(wider.low).toBeLessThanOrEqual(range.low + 1e-9 * range.about);
      expect(wider.high).toBeGreaterThanOrEqual(range.high - 1e-9 * range.about);
      expect(wider.low).toBeGreaterThanOrEqual(0);
      expect(wider.high).toBeLessThanOrEqual(Math.max(range.high, range.about * 1.5) * (1 + 1e-9));
    }),
  );
});

test('few forecasts, and those that held, change nothing', () => {
  const right = { about: 100, low: 80, high: 120, actual: 110 };
  const wrong = { ...right, actual: 150 };
  const several = (one: ComparedRange, times: number) => Array.from({ length: times }, () => one);
  expect(wideningOf(several(wrong, 9))).toBe(1);
  expect(wideningOf([...several(right, 8), ...several(wrong, 2)])).toBe(1);
  // Errors of 2.5 times the width.
  expect(wideningOf([...several(right, 7), ...several(wrong, 3)])).toBe(2.5);
  expect(wideningOf(several({ ...right, actual: 1000 }, 10))).toBe(WIDENED_MAX);
});
