import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestedFactor } from './multiplier-suggestion.ts';

const all = { spend: 1000, installs: 500 };

test('a part with twice the installs for its money gets nearly twice the bid, and few installs change little', () => {
  expect(suggestedFactor({ spend: 400, installs: 400 }, all)).toMatchObject({ factor: 1.9, isClear: true });
  expect(suggestedFactor({ spend: 4, installs: 4 }, all)).toMatchObject({ factor: 1.1, isClear: false });
  expect(suggestedFactor({ spend: 400, installs: 50 }, all)).toMatchObject({ factor: 0.3, isClear: true });
  expect(suggestedFactor({ spend: 400, installs: 205 }, all)).toMatchObject({ factor: 1, isClear: false });
});

test('without enough installs of the ad set nothing is suggested', () => {
  expect(suggestedFactor({ spend: 40, installs: 40 }, { spend: 100, installs: 49 })).toBeNull();
  expect(suggestedFactor({ spend: 0, installs: 0 }, all)).toBeNull();
});

test('a factor is always one that can be saved, between its bounds where these allow it', () => {
  const paid = fc.record({
    spend: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
    installs: fc.nat(100_000),
  });
  fc.assert(
    fc.property(paid, (part) => {
      const { factor, low, high } = suggestedFactor(part, all)!;
      expect(factor).toBeGreaterThanOrEqual(0.1);
      expect(factor).toBeLessThanOrEqual(10);
      expect(low).toBeLessThan(high);
    }),
  );
});
