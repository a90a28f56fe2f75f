import type { Forecast } from '@bidwell/contract/insight/forecast';
import { expect, test } from 'vitest';
import { presentPricesText, priceForecastText } from './price-text.ts';

test('a sentence has the prices and the win rate, and unknown ones are not 0', () => {
  expect(presentPricesText({ cpm: 1.2, cpi: 2.5, winRate: 12.34 }, false)).toBe(
    'Last 7 days: average CPM $1.20, CPI $2.50, win rate 12.34% of the bids with a reported outcome.',
  );
  expect(presentPricesText({ cpm: 1.2, cpi: null, winRate: null }, true)).toBe(
    'All ad sets, last 7 days: average CPM $1.20, win rate not known.',
  );
  expect(presentPricesText({ cpm: null, cpi: null, winRate: null }, false)).toBe(
    'Last 7 days: no impressions yet.',
  );
});

test('a typed price has its forecast of a day, or why there is none', () => {
  const range = (about: number) => ({ about, low: about, high: about });
  const forecast: Forecast = {
    message: null,
    day: {
      impressions: range(3100),
      spend: range(7.4),
      installs: range(2),
      matching: range(13_000),
      cpm: range(2.39),
      win_share: 0.24,
      audience_share: null,
      capped_share: null,
      limited_by: null,
      nothing_because: null,
    },
    curve: {
      price: 'bet_cpm',
      present: 0,
      points: [{ bid: 2.5, win_share: 0.24, impressions: 3100, spend: 7.4 }],
    },
    what_if: null,
    not_counted: [],
    sampled_requests: 900,
    value: null,
    bids: 800,
    record: null,
  };
  expect(priceForecastText(forecast)).toBe(
    'At $2.50 you win 24% of the matching requests. A day: about 3\u00a0100 impressions for $7.40.',
  );
  const nothing = { ...forecast.day!, impressions: range(0), nothing_because: 'floor' } as const;
  expect(priceForecastText({ ...forecast, day: nothing })).toMatch(/^Nothing is expected: the floors of all/);
  expect(priceForecastText({ ...forecast, message: 'Too few requests.', day: null, curve: null })).toBe(
    'Too few requests.',
  );
});
