import { expect, test } from 'vitest';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { goalOf } from '../model/goal.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { Learning } from './learning.ts';
import { valuationOf } from './valuation.ts';
import { priceStepOf } from './win-rates.ts';

const DOLLAR = 1_000_000;

/** The bid for a value of ten dollars where all bids above two dollars win. */
function bidOf(algorithm: 'Target CPI' | 'Target CPA', auctionType: 1 | 2): number {
  const learning = new Learning();
  for (let bid = 0; bid < 2000; bid += 1) {
    const price = 600_000 + (bid % 100) * 94_000;
    const market = { exchange: 'sample', format: 'Banner 320x50', country: 'DE' };
    learning.wins.add({ ...market, step: priceStepOf(price), placed: 1, won: price > 2 * DOLLAR ? 1 : 0 });
  }
  const goal = {
    event: 'purchase',
    cpaMicros: DOLLAR,
    roasPercent: null,
    windowDays: 7,
    byCountry: [],
  } as const;
  const prices = { algorithm, appId: 'app', goal, cpmMicros: DOLLAR, cpiMicros: null };
  const candidate = candidateOf({ algorithm, goal: goalOf(prices, (micros) => micros) });
  const request = readBidRequest(
    {
      id: 'r',
      at: auctionType,
      imp: [{ id: '1', banner: { w: 320, h: 50 } }],
      app: { bundle: 'com.publisher' },
      device: { os: 'Android', geo: { country: 'DEU' } },
    },
    'sample',
  )!;
  const valuation = valuationOf(request, 0, {
    learning,
    installPrices: { priceOf: () => DOLLAR },
    paceOf: () => null,
    random: () => 0.99,
  });
  return valuation.bidCpmMicros(candidate, candidate.creatives[0]!, DOLLAR / 2, 10 * DOLLAR);
}

test('Target CPA shades its bids in first-price auctions, and Target CPI bids the value', () => {
  expect(bidOf('Target CPA', 1)).toBeLessThan(3 * DOLLAR);
  expect(bidOf('Target CPA', 1)).toBeGreaterThan(2 * DOLLAR);
  expect(bidOf('Target CPA', 2)).toBe(10 * DOLLAR);
  expect(bidOf('Target CPI', 1)).toBe(10 * DOLLAR);
});
