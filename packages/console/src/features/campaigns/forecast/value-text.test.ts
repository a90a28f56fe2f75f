import type { Forecast } from '@bidwell/contract/insight/forecast';
import { expect, test } from 'vitest';
import { basisText, shareOfRange, valueText } from './forecast-text.ts';

const learned: NonNullable<Forecast['value']> = {
  install_price: 1.4,
  per_install: 0.07,
  source: 'learned',
  conversions: 31,
  needed: 50,
  revenue_sources: [],
  expected_error_percent: 18,
};
const assumed = { ...learned, source: 'assumed', conversions: 0, expected_error_percent: null } as const;
const ofRevenue: Pick<typeof learned, 'revenue_sources'> = { revenue_sources: ['purchases', 'ad_revenue'] };
const cpa = { algo: 'Target CPA', goal_event: 'purchase', bet_cpi: null } as const;
const roas = { algo: 'Target ROAS', goal_event: null, bet_cpi: null } as const;

test.each([
  [
    learned,
    cpa,
    'Made from a value of $1.40 per install: 7.0 people with “purchase” per 100 installs, learned from 31 people with “purchase” in the last 30 days, by all ad sets of the app. Below about 50 in 7 days it is uncertain, which the ranges include.',
  ],
  [
    { ...learned, ...ofRevenue, conversions: 200, expected_error_percent: 14, per_install: 1.26 },
    roas,
    'Made from a value of $1.40 per install: a revenue of $1.26 per install, learned from 200 people with revenue from purchases or ads in the last 30 days, by all ad sets of the app. The ranges include how uncertain it is.',
  ],
  [
    assumed,
    cpa,
    'Made from an assumed value of $1.40 per install: 7.0 people with “purchase” per 100 installs. No people with “purchase” are known for the app in the last 30 days. It is a rough guess until there are about 50 in 7 days.',
  ],
  [
    { ...assumed, ...ofRevenue },
    { ...roas, bet_cpi: 1.4 },
    'Made from an assumed value of $1.40 per install: a revenue of $0.07 per install, from the cost per install entered. No people with revenue from purchases or ads are known for the app in the last 30 days. It is a rough guess until there are about 50 in 7 days.',
  ],
  [
    { ...learned, conversions: 1 },
    cpa,
    'Made from a value of $1.40 per install: 7.0 people with “purchase” per 100 installs, learned from 1 person with “purchase” in the last 30 days, by all ad sets of the app. Below about 50 in 7 days it is uncertain, which the ranges include.',
  ],
])('a forecast of a goal says what it is made from: %#', (value, values, text) => {
  expect(valueText(value, values)).toBe(text);
});

test('a forecast says of what its requests and bids are, and how many requests the audiences leave', () => {
  expect(basisText({ sampled_requests: 900, bids: 60 })).toBe(
    'Based on 900 bid requests that were sampled in the last 7 days, and on how many of 60 bids won that this platform sent in them, for all its ad sets.',
  );
  expect(shareOfRange({ about: 100, low: 80, high: 120 }, 0.5)).toEqual({ about: 50, low: 40, high: 60 });
});
