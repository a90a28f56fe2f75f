import { expect, test } from 'vitest';
import { CostBalance } from './learning.ts';
import { InstallPrices } from './install-price.ts';

test('bids per install are higher while nearly all offers are taken, and lower while many are skipped', () => {
  const prices = new InstallPrices();
  const initialPrice = 1_000_000;
  let nowMs = 0;
  const after = (minutes: number, pace: number) => {
    let price = 0;
    for (const end = nowMs + minutes * 60_000; nowMs < end; nowMs += 1000)
      price = prices.priceOf('adset', initialPrice, pace, nowMs);
    return price;
  };
  expect(after(1, 0.9)).toBe(initialPrice);
  expect(after(10, 1)).toBeGreaterThan(2 * initialPrice);
  expect(after(30, 0.2)).toBeLessThan(initialPrice);
  expect(after(600, 0)).toBeGreaterThanOrEqual(initialPrice / 50);
  expect(after(600, 1)).toBeLessThanOrEqual(initialPrice * 50);
});

test('where auctions charge less than the bid, bids rise until an install costs the target', () => {
  const balance = new CostBalance();
  for (let impression = 0; impression < 20_000; impression += 1) {
    // Half of the auctions charge the bid, the other half a third of the impression's value.
    const bid = 1000 * balance.factorOf('adset');
    balance.charge('adset', {
      impressions: 1,
      valueMicros: 1000,
      spentMicros: Math.round(impression % 2 === 0 ? bid : 333),
    });
  }
  const factor = balance.factorOf('adset');
  expect((factor * 1000 + 333) / 2).toBeCloseTo(1000, -1);
});

test('bids are not reduced when installs cost more than the target', () => {
  const balance = new CostBalance();
  for (let impression = 0; impression < 2000; impression += 1)
    balance.charge('adset', { impressions: 1, valueMicros: 1000, spentMicros: 1500 });
  expect(balance.factorOf('adset')).toBe(1);
});
