import type { Forecast } from '@bidwell/contract/insight/forecast';
import { expect, test } from 'vitest';
import { adsetsOfKind, suggestionOfCompany, suggestionOfForecast } from './suggestion.ts';

const adset = (bet_cpm: number, daily_budget_const: number | null, archived_at: string | null = null) => ({
  bet_cpm,
  bet_cpi: null as number | null,
  daily_budget_const,
  archived_at,
});
const paid = (cpm: number | null, cpi: number | null = null) => ({ cpm, cpi });
const point = (bid: number, win_share: number, spend: number) => ({ bid, win_share, spend, impressions: 1 });
const forecast = {
  curve: {
    price: 'bet_cpm',
    present: 0,
    points: [point(1, 0.1, 20), point(2.004, 0.42, 88.2), point(4, 0.5, 190)],
  },
} as unknown as Forecast;
const nothing = { bet_cpm: null, bet_cpi: null, daily_budget_const: null };

test('a new ad set is suggested the medians of the company’s ad sets, the bid not below the price paid', () => {
  const adsets = [adset(2, 50), adset(3, 100), adset(9, null), adset(90, 9000, '2026-01-01T00:00:00.000Z')];
  expect(suggestionOfCompany(adsets, paid(1.2))).toEqual({
    bet_cpm: { dollars: 3, source: 'adsets' },
    bet_cpi: null,
    daily_budget_const: { dollars: 75, source: 'adsets' },
  });
  expect(suggestionOfCompany(adsets, paid(4.001)).bet_cpm).toEqual({ dollars: 4.01, source: 'paid' });
});

test('without other ad sets the forecast suggests the bid that wins most of what can be won, and its spend', () => {
  expect(suggestionOfForecast(forecast)).toEqual({
    bet_cpm: { dollars: 2.01, source: 'forecast' },
    bet_cpi: null,
    daily_budget_const: { dollars: 89, source: 'forecast' },
  });
});

test('a target CPI is suggested from other ad sets, else from past prices, else from the forecast', () => {
  const priced = [
    { ...adset(2, 50), bet_cpi: 4 },
    { ...adset(2, 50), bet_cpi: 5 },
    { ...adset(2, 50), bet_cpi: 90, archived_at: '2026-01-01T00:00:00.000Z' },
  ];
  expect(suggestionOfCompany(priced, paid(1, 3)).bet_cpi).toEqual({ dollars: 4.5, source: 'adsets' });
  expect(suggestionOfCompany([adset(2, 50)], paid(1, 3.001)).bet_cpi).toEqual({
    dollars: 3.01,
    source: 'paid',
  });
  const range = (about: number) => ({ about, low: about, high: about });
  const day = { installs: range(4), spend: range(10) };
  expect(suggestionOfForecast({ ...forecast, day } as unknown as Forecast).bet_cpi).toEqual({
    dollars: 2.5,
    source: 'forecast',
  });
});

test('without data there is no suggestion', () => {
  expect(suggestionOfCompany([], paid(null))).toEqual(nothing);
  expect(suggestionOfCompany([adset(2, null)], paid(null)).daily_budget_const).toBeNull();
  expect(suggestionOfForecast(undefined)).toEqual(nothing);
  expect(suggestionOfForecast({ ...forecast, curve: null })).toEqual(nothing);
  // A balance of $0 lets a forecast spend nothing.
  const unfunded = {
    curve: { price: 'bet_cpm', present: 0, points: [point(1, 0.1, 0)] },
  } as unknown as Forecast;
  expect(suggestionOfForecast(unfunded).daily_budget_const).toBeNull();
});

test('prices are compared with ad sets of campaigns of the same kind', () => {
  const campaigns = [
    { uuid: 'a', kind: 'acquisition' as const },
    { uuid: 'b', kind: 're_engagement' as const },
  ];
  const adsets = ['a', 'b', null].map((uuid) => ({ campaign: uuid === null ? null : { uuid, name: uuid } }));
  const campaignsOf = (kind: 'acquisition' | 're_engagement') =>
    adsetsOfKind(adsets, campaigns, kind).map(({ campaign }) => campaign?.uuid ?? null);
  expect(campaignsOf('acquisition')).toEqual(['a', null]);
  expect(campaignsOf('re_engagement')).toEqual(['b']);
});
