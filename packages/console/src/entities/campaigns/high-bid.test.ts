import { expect, test } from 'vitest';
import { type NewBids, hasNewBids, highBidTexts } from './high-bid.ts';

const NONE = { bet_cpm: null, bet_cpi: null };
const of = 'Broad reach';

/** What is said of a CPM bid in place of another, where the account usually pays `usual`. */
const textsOf = (bet_cpm: number | null, before: number | null, usual: number | null = null) =>
  highBidTexts([{ of, bids: { bet_cpm }, before: { bet_cpm: before } }], { ...NONE, bet_cpm: usual });

test('a bid of more than three times the usual price is far above it', () => {
  expect([3, 6, 6.01, null].map((dollars) => textsOf(dollars, null, 2).length)).toEqual([0, 0, 1, 0]);
  expect(textsOf(500, null)).toEqual([]);
  expect(textsOf(40, null, 2)).toEqual([
    'A CPM bid of $40.00 is more than 3 times what this account usually pays, $2.00.',
  ]);
});

test('a bid of more than 50% above the one before is asked about, with the raise in percent', () => {
  expect([2.99, 3, 3.01, 1, null].map((dollars) => textsOf(dollars, 2).length)).toEqual([0, 0, 1, 0, 0]);
  expect(textsOf(5, null)).toEqual([]);
  expect(textsOf(3.5, 2)).toEqual(['The CPM bid of “Broad reach” rises by 75%, from $2.00 to $3.50.']);
});

test('of many raises the three largest are named', () => {
  const all = [2.5, 4, 8, 6].map((bet_cpi, index) => ({
    of: `Ad set ${index + 1}`,
    bids: { bet_cpi },
    before: { bet_cpi: 1 },
  }));
  expect(highBidTexts(all, NONE)).toEqual([
    'The target CPI of “Ad set 3” rises by 700%, from $1.00 to $8.00.',
    'The target CPI of “Ad set 4” rises by 500%, from $1.00 to $6.00.',
    'The target CPI of “Ad set 2” rises by 300%, from $1.00 to $4.00.',
    '1 more rise by more than 50%.',
  ]);
});

test('bids by country and multipliers that change are asked about by the highest bid that they allow', () => {
  const before = { bet_cpm: 2, bet_cpi: null, countries: [], bid_multipliers: [] };
  const texts = (bids: NewBids['bids'], usual: number | null = null) =>
    highBidTexts([{ of, bids, before }], { ...NONE, bet_cpm: usual });
  const country = { country: 'US', bet_cpm: 4, bet_cpi: null };
  const multiplier = { dimension: 'country', value: 'US', factor: 2 } as const;
  expect(texts({ countries: [country] })).toEqual([
    'With its bids by country and multipliers, the highest CPM bid of “Broad reach” rises by 100%, from $2.00 to $4.00.',
  ]);
  expect(texts({ countries: [country], bid_multipliers: [multiplier] }, 2)).toEqual([
    'With its bids by country and multipliers, the highest CPM bid of “Broad reach” rises by 300%, from $2.00 to $8.00.',
    'With its bids by country and multipliers, the highest CPM bid of “Broad reach” is $8.00, more than 3 times what this account usually pays, $2.00.',
  ]);
  // Each country and multiplier below the ad set's own bid is no raise.
  expect(texts({ countries: [{ ...country, bet_cpm: 1 }] }, 0.1)).toEqual([]);
  expect(hasNewBids([{ of, bids: { bid_multipliers: [{ ...multiplier, factor: 0.5 }] }, before }])).toBe(
    false,
  );
  // An ad set of which only the own bid changes was asked about its multipliers before.
  expect(
    highBidTexts([{ of, bids: { bet_cpm: 2.2 }, before: { ...before, bid_multipliers: [multiplier] } }], {
      ...NONE,
      bet_cpm: 1,
    }),
  ).toEqual([]);
});
