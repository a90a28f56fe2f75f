import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AuctionInput, PRICE_STEP_MICROS, holdAuction, rivalBids } from './auction.ts';
import { seededRandom } from './random.ts';

const price = fc.integer({ min: 0, max: 50_000_000 });
const auction: fc.Arbitrary<AuctionInput> = fc.record({
  type: fc.constantFrom(1 as const, 2 as const),
  floorCpmMicros: price,
  bidCpmMicros: fc.integer({ min: 1, max: 50_000_000 }),
  rivalsCpmMicros: fc.array(price, { maxLength: 6 }),
});

test('a winner pays at most its bid and at least the floor; in a first-price auction it pays its bid', () => {
  fc.assert(
    fc.property(auction, (input) => {
      const result = holdAuction(input);
      if (!result.won) return;
      expect(result.clearingCpmMicros).toBeLessThanOrEqual(input.bidCpmMicros);
      expect(result.clearingCpmMicros).toBeGreaterThanOrEqual(input.floorCpmMicros);
      if (input.type === 1) expect(result.clearingCpmMicros).toBe(input.bidCpmMicros);
    }),
  );
});

test('the minimum price to win wins at exactly that price, and one micro less loses', () => {
  fc.assert(
    fc.property(auction, (input) => {
      const { minToWinCpmMicros } = holdAuction(input);
      fc.pre(minToWinCpmMicros > 1);
      expect(holdAuction({ ...input, type: 2, bidCpmMicros: minToWinCpmMicros })).toEqual({
        won: true,
        clearingCpmMicros: minToWinCpmMicros,
        minToWinCpmMicros,
      });
      expect(holdAuction({ ...input, bidCpmMicros: minToWinCpmMicros - 1 }).won).toBe(false);
    }),
  );
});

test('a second price is one cent above the highest rival bid above the floor', () => {
  const input = { type: 2, floorCpmMicros: 500_000, bidCpmMicros: 4_000_000 } as const;
  expect(holdAuction({ ...input, rivalsCpmMicros: [1_000_000, 2_000_000] })).toMatchObject({
    won: true,
    clearingCpmMicros: 2_000_000 + PRICE_STEP_MICROS,
  });
  expect(holdAuction({ ...input, rivalsCpmMicros: [400_000] })).toMatchObject({ clearingCpmMicros: 500_000 });
});

test('a loss has its reason: below the floor, or a higher bid', () => {
  const input = { type: 1, floorCpmMicros: 1_000_000, rivalsCpmMicros: [3_000_000] } as const;
  expect(holdAuction({ ...input, bidCpmMicros: 900_000 })).toMatchObject({ won: false, lossReason: 100 });
  expect(holdAuction({ ...input, bidCpmMicros: 2_000_000 })).toMatchObject({
    won: false,
    lossReason: 102,
    clearingCpmMicros: 3_000_000,
  });
});

test('rival bids vary around the typical price', () => {
  const random = seededRandom(7);
  const highest = Array.from({ length: 4000 }, () => Math.max(0, ...rivalBids(random, 2))).sort(
    (a, b) => a - b,
  );
  const median = highest[2000]!;
  expect(median).toBeGreaterThan(1_200_000);
  expect(median).toBeLessThan(2_800_000);
});
