import { expect, test } from 'vitest';
import { type PriceSettings, highestPrice } from './highest-price.ts';

const none: PriceSettings = { countries: [], bid_multipliers: [], bundle_bids: {} };
const us = { dimension: 'country', value: 'US', factor: 3 } as const;

test.each<[string, Partial<PriceSettings>, number]>([
  ['nothing', {}, 50],
  ['a multiplier', { bid_multipliers: [us] }, 150],
  ['a multiplier below 1', { bid_multipliers: [{ ...us, factor: 0.5 }] }, 50],
  ['a bid of a country', { countries: [{ country: 'DE', bet_cpm: 80 }] }, 80],
  [
    'a lower bid of the country with the multiplier',
    { countries: [{ country: 'US', bet_cpm: 10 }], bid_multipliers: [us] },
    50,
  ],
  [
    'a bid of a country and multipliers',
    { countries: [{ country: 'US', bet_cpm: 60 }], bid_multipliers: [us] },
    180,
  ],
  ['a bid of a bundle', { bundle_bids: { 'com.example': 90 } }, 90],
  ['a multiplier without a value', { bid_multipliers: [{ ...us, value: '' }] }, 50],
])('the highest price of an ad set of $50 counts %s', (_what, settings, price) => {
  expect(highestPrice({ ...none, ...settings }, 50)).toBeCloseTo(price);
});
