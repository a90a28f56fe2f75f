import { MICROS } from '@bidwell/contract/lib/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeCpmMicros, mediaCpmMicros } from './price-rules.ts';

const anyPrice = fc.integer({ min: 0, max: 9_000_000 * MICROS });
const anyMargin = fc.integer({ min: 0, max: 10_000 });

test('the charge is the media cost and the margin on it, rounded down, for all prices', () => {
  fc.assert(
    fc.property(anyPrice, anyMargin, (price, margin) => {
      const exact = BigInt(price) + (BigInt(price) * BigInt(margin)) / 10_000n;
      expect(chargeCpmMicros(price, margin)).toBe(Number(exact));
    }),
  );
});

test('a bid at an exchange with the margin is never above the bid of the advertiser, and at most two micros below', () => {
  fc.assert(
    fc.property(anyPrice, anyMargin, (price, margin) => {
      const charge = chargeCpmMicros(mediaCpmMicros(price, margin), margin);
      expect(charge).toBeLessThanOrEqual(price);
      expect(charge).toBeGreaterThanOrEqual(price - 2);
    }),
  );
});

test('with a margin of 20 %, $1.20 of an advertiser are $1.00 at the exchange', () => {
  expect(mediaCpmMicros(1_200_000, 2000)).toBe(1_000_000);
  expect(chargeCpmMicros(1_000_000, 2000)).toBe(1_200_000);
});
