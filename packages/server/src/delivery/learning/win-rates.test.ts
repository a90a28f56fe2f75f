import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WinRates, priceStepOf } from './win-rates.ts';

const offer = { exchange: 'sample', format: 'Banner 320x50', country: 'US', floorCpmMicros: 500_000 };
const never = () => 0.99;

function addBid(wins: WinRates, cpmMicros: number, isWon: boolean): void {
  wins.add({ ...offer, step: priceStepOf(cpmMicros), placed: 1, won: isWon ? 1 : 0 });
}

test('where rivals bid two dollars, an impression with a value of ten gets a bid slightly above two', () => {
  const wins = new WinRates();
  for (let bid = 0; bid < 2000; bid += 1) {
    const price = 600_000 + (bid % 100) * 94_000;
    addBid(wins, price, price > 2_000_000);
  }
  const price = wins.shadedCpmMicros(offer, 10_000_000, never);
  expect(price).toBeGreaterThan(2_000_000);
  expect(price).toBeLessThan(2_600_000);
});

test('win rates of one exchange do not affect another', () => {
  const wins = new WinRates();
  for (let bid = 0; bid < 500; bid += 1) addBid(wins, 800_000, true);
  const elsewhere = wins.shadedCpmMicros({ ...offer, exchange: 'other' }, 10_000_000, never);
  expect(wins.shadedCpmMicros(offer, 10_000_000, never)).toBeLessThan(elsewhere);
});

test('a bid is never above its value nor below the floor, for any win rates', () => {
  const bids = fc.array(fc.record({ price: fc.integer({ min: 1, max: 50_000_000 }), won: fc.boolean() }), {
    maxLength: 50,
  });
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(
      bids,
      fc.integer({ min: 0, max: 9_000_000 }),
      fc.integer({ min: 1, max: 90_000_000 }),
      chance,
      (observed, floorCpmMicros, value, random) => {
        const wins = new WinRates();
        for (const { price, won } of observed) addBid(wins, price, won);
        const price = wins.shadedCpmMicros({ ...offer, floorCpmMicros }, value, () => random);
        expect(Number.isInteger(price)).toBe(true);
        expect(price).toBeLessThanOrEqual(value);
        expect(price).toBeGreaterThanOrEqual(Math.min(value, floorCpmMicros));
      },
    ),
  );
});
