import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { winCurvesOf } from './win-curves.ts';

const market = { exchange: 'sample', format: 'Banner 320x50', country: 'US' };
const DOLLAR = 1_000_000;
const priceOf = (step: number): number => 10_000 * 1.1 ** (step + 0.5);

test('where many bids were placed the curve is the share that won', () => {
  const counts = [
    { ...market, step: 40, placed: 5000, won: 1000 },
    { ...market, step: 50, placed: 5000, won: 3500 },
  ];
  const curve = runToCompletion(winCurvesOf(counts)).of(market);
  expect(curve.winRate(priceOf(40))).toBeCloseTo(0.2, 1);
  expect(curve.winRate(priceOf(50))).toBeCloseTo(0.7, 1);
  expect(curve.logitError(priceOf(50))).toBeLessThan(0.1);
  expect(curve.logitError(priceOf(20))).toBeGreaterThan(0.2);
});

test('a market without bids is like the other markets of its country and its format', () => {
  const cheap = { exchange: 'sample', format: 'Banner 320x50', country: 'IN' };
  const dear = { exchange: 'sample', format: 'Banner 320x480', country: 'US' };
  const counts = [
    { ...market, step: 50, placed: 2000, won: 1000 },
    { ...cheap, step: 50, placed: 2000, won: 1900 },
    { ...dear, step: 50, placed: 2000, won: 200 },
  ];
  const curves = runToCompletion(winCurvesOf(counts));
  const unseen = curves.of({ ...dear, country: 'IN' }).winRate(priceOf(50));
  expect(unseen).toBeGreaterThan(curves.of(dear).winRate(priceOf(50)));
  expect(unseen).toBeLessThan(curves.of(cheap).winRate(priceOf(50)));
});

test('a curve never falls with the price, and a second price is below the bid', () => {
  const cells = fc.array(
    fc.record({
      step: fc.integer({ min: 0, max: 99 }),
      placed: fc.integer({ min: 0, max: 300 }),
      won: fc.integer({ min: 0, max: 300 }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(cells, (drawn) => {
      const curve = runToCompletion(winCurvesOf(drawn.map((cell) => ({ ...market, ...cell })))).of(market);
      let before = 0;
      for (let price = 0.01 * DOLLAR; price < 100 * DOLLAR; price *= 1.03) {
        const rate = curve.winRate(price);
        expect(rate).toBeGreaterThanOrEqual(before - 1e-12);
        expect(rate).toBeLessThanOrEqual(1);
        before = rate;
      }
    }),
    runs(50),
  );
});
