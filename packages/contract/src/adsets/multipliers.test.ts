import { expect, test } from 'vitest';
import { CountriesInput, loggedCountryText } from './country-settings.ts';
import {
  BidMultipliersInput,
  combinations,
  highestProduct,
  loggedMultiplierText,
  multiplierText,
} from './multipliers.ts';

test.each([
  [[{ dimension: 'country', value: 'DEU', factor: 2 }], 'Countries are two letters (ISO 3166-1)'],
  [[{ dimension: 'hour', value: 20, factor: 2 }], 'Enter a text'],
  [[{ dimension: 'hour', value: '24', factor: 2 }], 'Hours are numbers from 0 to 23'],
  [[{ dimension: 'format', value: 'Audio', factor: 2 }], 'Formats are Banner, Video, Native, Playable'],
  [[{ dimension: 'device_type', value: 'Fridge', factor: 2 }], 'This type of device is not known'],
  [[{ dimension: 'audience', value: 'Payers', factor: 2 }], 'Choose an audience'],
  [
    Array.from({ length: 21 }, (_, number) => ({
      dimension: 'audience',
      value: `00000000-0000-4000-8000-0000000000${number + 10}`,
      factor: 2,
    })),
    'At most 20 multipliers by audience',
  ],
  [[{ dimension: 'country', value: 'DE', factor: 0 }], 'Enter at least 0.1'],
  [[{ dimension: 'country', value: 'DE', factor: 10.5 }], 'At most 10'],
  [
    [
      { dimension: 'country', value: 'DE', factor: 2 },
      { dimension: 'country', value: 'de', factor: 3 },
    ],
    'Enter each value once',
  ],
  [
    [
      { dimension: 'bundle', value: 'id123456789', factor: 10 },
      { dimension: 'bundle', value: '123456789', factor: 0.1 },
    ],
    'Enter each value once',
  ],
  // The code that exchanges send in place of GB is no country of ISO 3166-1: its factor would never be applied.
  [[{ dimension: 'country', value: 'UK', factor: 2 }], 'Countries are two letters (ISO 3166-1)'],
])('%j is rejected: %s', (given, message) => {
  expect(BidMultipliersInput.safeParse(given).error?.issues[0]?.message).toBe(message);
});

test('bids by country are of countries that exist', () => {
  const of = (country: string) => CountriesInput.safeParse([{ country, bet_cpm: 3, bet_cpi: null }]).success;
  expect(['gb', 'UK', 'ZZ', 'Germany'].map(of)).toEqual([true, false, false, false]);
});

test('the highest product counts values without a multiplier, and the bound', () => {
  const of = (...factors: [string, number][]) =>
    highestProduct(
      BidMultipliersInput.parse(factors.map(([value, factor]) => ({ dimension: 'country', value, factor }))),
    );
  expect(of()).toBe(1);
  expect(of(['DE', 0.5])).toBe(1);
  expect(of(['DE', 0.5], ['US', 3])).toBe(3);
  expect(
    highestProduct(
      BidMultipliersInput.parse([
        { dimension: 'country', value: 'US', factor: 4 },
        { dimension: 'hour', value: '8', factor: 4 },
      ]),
    ),
  ).toBe(10);
});

test('multipliers and bids by country read in words', () => {
  expect(multiplierText({ dimension: 'hour', value: '8', factor: 1.25 })).toBe('Hour 8–9 ×1.25');
  const payers = { dimension: 'audience', value: '019a', factor: 2, name: 'Payers' } as const;
  expect(loggedMultiplierText(payers)).toBe('Audience Payers ×2');
  expect(loggedCountryText({ country: 'DE', bet_cpm: 4.5, bet_cpi: null })).toBe('DE: CPM $4.50');
  expect(loggedCountryText({ country: 'DE', bet_cpm: null, bet_cpi: null, daily_budget: 100 })).toBe(
    'DE: daily budget $100.00',
  );
  expect(loggedCountryText('DE')).toBeUndefined();
});

test('a country has a bid or a daily budget, once', () => {
  const of = (...all: object[]) => CountriesInput.safeParse(all).error?.issues[0]?.message;
  expect(of({ country: 'de', bet_cpm: 4.5 })).toBeUndefined();
  expect(of({ country: 'DE' })).toBe('Enter a bid or a daily budget for each country');
  expect(of({ country: 'DE', daily_budget: 0 })).toBe('Enter a bid or a daily budget for each country');
  expect(of({ country: 'DE', daily_budget: 100 })).toBeUndefined();
  expect(of({ country: 'DE', daily_budget: 0.001 })).toBe('Enter at least 0.01');
  expect(of({ country: 'DE', bet_cpm: 1 }, { country: 'de', bet_cpm: 2 })).toBe('Enter each country once');
});

test('the combinations of values have the products of their factors, the highest first', () => {
  const all = BidMultipliersInput.parse([
    { dimension: 'country', value: 'US', factor: 2 },
    { dimension: 'hour', value: '8', factor: 0.5 },
  ]);
  const bids = { own: 4, byCountry: new Map(), byBundle: new Map() };
  const { shown, count } = combinations(all, bids, 3);
  expect(count).toBe(4);
  expect(shown.map(({ values, factor, cpm }) => [values.map(({ value }) => value), factor, cpm])).toEqual([
    [['US', null], 2, 8],
    [['US', '8'], 1, 4],
    [[null, null], 1, 4],
  ]);
  expect(combinations([], bids, 3)).toEqual({ shown: [{ values: [], factor: 1, cpm: 4 }], count: 1 });
});
