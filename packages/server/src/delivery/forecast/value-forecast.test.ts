import { expect, test } from 'vitest';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { InstallPrices } from '../learning/install-price.ts';
import { Learning } from '../learning/learning.ts';
import { type Conversion, LearnedGoal } from '../learning/value-model.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { SampleColumns } from './columns.ts';
import { type ForecastResult, forecast } from './forecast.ts';
import { learnedRates } from './forecaster.ts';
import { winCurvesOf } from './win-curves.ts';

const NOW_MS = Date.parse('2026-05-20T12:00:00Z');
const DAY_MS = 86_400_000;
const DOLLAR = 1_000_000;
const BUNDLES = ['com.good', 'com.bad'];

/** Half of the requests from each publisher, in first-price auctions with a floor of a cent. */
function sample(): SampleColumns {
  const columns = new SampleColumns(10_000, true);
  for (let index = 0; index < 1000; index += 1) {
    const request = readBidRequest(
      {
        id: 'r',
        at: 1,
        imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 0.01 }],
        app: { bundle: BUNDLES[index % 2] },
        device: { os: 'Android', geo: { country: 'USA' } },
      },
      'sample',
    )!;
    columns.add({ request, atMs: NOW_MS - DAY_MS + index * 86_000, weight: 10 });
  }
  return columns;
}

/**
 * A goal with two publishers of two thousand installs each, ten days old: `good` people of the first and `bad` of the second bought.
 */
function goalOf(good: number, bad: number): LearnedGoal {
  const of = (bundle: string) => ({ adsetId: 'other', bundle, country: 'US', ageMs: 10 * DAY_MS });
  const conversions = [good, bad].flatMap((count, index) =>
    Array.from({ length: count }, (_unused, person): Conversion => ({
      ...of(BUNDLES[index]!),
      person: `${index} ${person}`,
      delayMs: 1000,
      value: 1,
    })),
  );
  const installs = BUNDLES.map((bundle) => ({ ...of(bundle), installs: 2000 }));
  return new LearnedGoal({ windowMs: 8 * DAY_MS, isRevenue: false, installs, conversions }, 0.05);
}

/** Bids by price, of which more win the higher they are. */
const prices = Array.from({ length: 40 }, (_unused, index) => ({
  exchange: 'sample',
  format: 'Banner 320x50',
  country: 'US',
  step: 20 + index,
  placed: 400,
  won: 10 * index,
}));

function forecastOf(cpa: number, learned: LearnedGoal, whiteList: string[] = []): ForecastResult {
  const goal = {
    event: 'purchase',
    cpaMicros: cpa * DOLLAR,
    roasPercent: null,
    windowDays: 7,
    byCountry: [],
  } as const;
  const row = adsetRowOf({ algorithm: 'Target CPA', cpmMicros: 100 * DOLLAR, goal, whiteList });
  const adset = compileSnapshot([row]).candidates[0]!;
  const learning = new Learning();
  learning.values.set(adset.goal!.key, learned);
  const limits = { dailyBudget: Infinity, totalBudget: Infinity, balance: Infinity };
  const result = runToCompletion(
    forecast(sample(), {
      nowMs: NOW_MS,
      adset,
      rivals: [],
      limits,
      wins: runToCompletion(winCurvesOf(prices)),
      shownShareOf: () => 1,
      ...learnedRates(learning, adset, new InstallPrices()),
      withCurve: true,
    }),
  );
  if (!('impressions' in result)) throw new Error('too little');
  return result;
}

test('the forecast of a goal buys where installs are worth most, and its range holds how uncertain that is', () => {
  const [good, bad] = BUNDLES.map((bundle) => forecastOf(2, goalOf(390, 10), [bundle]));
  expect(good!.impressions.about).toBeGreaterThan(2 * bad!.impressions.about);
  const even = forecastOf(20, goalOf(200, 200));
  const width = ({ impressions: { low, about, high } }: ForecastResult) => (high - low) / about;
  expect(width(forecastOf(20, goalOf(2, 2)))).toBeGreaterThan(1.5 * width(even));
});

test('a higher target of a goal buys more, and an install costs no more than it may', () => {
  const [low, high] = [forecastOf(10, goalOf(200, 200)), forecastOf(30, goalOf(200, 200))];
  expect(high.impressions.about).toBeGreaterThan(low.impressions.about);
  for (const [result, cpa] of [
    [low, 10],
    [high, 30],
  ] as const) {
    const { spendMicros, installs, curve } = result;
    // Every tenth install is worth the target.
    expect(spendMicros.about / installs.about).toBeLessThan(1.01 * 0.1 * cpa * DOLLAR);
    for (const [index, point] of curve.entries())
      if (index > 0) expect(point.impressions).toBeGreaterThanOrEqual(curve[index - 1]!.impressions - 1e-6);
  }
});
