import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hoursOf } from '@bidwell/contract/adsets/hours';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { adsetRowOf, bannerOf } from '@bidwell/testing/pacing/candidates';
import { runs } from '@bidwell/testing/whole-run';
import { requestProfileOf } from '../matching/request-profile.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import { createBitset, hasBit, setBit } from '../model/bitset.ts';
import type { AdsetRow } from '../model/candidate.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { SampleColumns } from './columns.ts';
import { type ForecastInput, type ForecastResult, forecast } from './forecast.ts';
import { replay } from './replay.ts';
import { winCurvesOf } from './win-curves.ts';

const NOW_MS = Date.parse('2026-05-11T00:00:00Z');
const HOUR_MS = 3_600_000;

const some = (...values: string[]) => fc.subarray(values);
const commonTargets = fc.record({
  location_include: some('US', 'DE'),
  location_exclude: some('US', 'FR'),
  exchange_include: some('sample', 'other'),
  device_types: some('Phone', 'Tablet', 'Mobile', 'ConnectedTV'),
  device_min_os_version: fc.constantFrom(null, '9', '12.4'),
  device_max_os_version: fc.constantFrom(null, '12', '13.1'),
  device_models: some('Pixel 6', 'SM-G991B'),
  device_connection_types: some('WiFi', 'Cellular'),
  language_include: some('en', 'de'),
  genre_include: some('Games', 'Books'),
  genre_exclude: some('Books'),
});
const placeTargets = fc.record(
  {
    region_include: some('US-CA', 'DE-BE'),
    region_exclude: some('US-NY'),
    city_exclude: some('US-CA:Los Angeles', 'DE:Berlin'),
    postal_include: some('US:900', 'DE:1'),
    radius_include: fc.subarray([{ lat: 52.5, lon: 13.4, km: 20 }]),
    carrier_exclude: some('Verizon'),
    placement_kinds: fc.subarray(['interstitial' as const, 'other' as const]),
    device_id: fc.constantFrom('any' as const, 'with' as const, 'without' as const),
  },
  { requiredKeys: [] },
);
const targets = fc
  .tuple(commonTargets, fc.oneof(fc.constant({}), placeTargets))
  .map(([common, places]) => ({ ...common, ...places }));
const adsets = fc.record({
  target: targets,
  os: fc.constantFrom('ios' as const, 'android' as const),
  blackList: some('com.publisher', 'com.unwanted'),
  whiteList: some('com.publisher', 'com.wanted'),
  // The requests of a sample come in the minute before Monday 00:00 UTC.
  hours: fc.option(fc.uint8Array({ min: 0, max: 1, minLength: 168, maxLength: 168 }).map(hoursOf)),
  hoursZone: fc.constantFrom('company' as const, 'device' as const),
  timeZone: fc.constantFrom('UTC', 'Asia/Kathmandu'),
});
const requests = fc.record({
  os: fc.constantFrom('Android', 'iOS', ''),
  osv: fc.constantFrom('', '9', '12.4.1', '13.2'),
  model: fc.constantFrom('Pixel 6', 'SM-G991B', ''),
  devicetype: fc.constantFrom(4, 5, 3, 7),
  connectiontype: fc.constantFrom(0, 2, 6),
  language: fc.constantFrom('en', 'de', ''),
  country: fc.constantFrom('USA', 'DEU', 'FRA', ''),
  bundle: fc.constantFrom('com.publisher', 'com.wanted', 'com.else', 'com.Example.Advertised'),
  cat: some('IAB9-30', 'IAB1-1'),
  badv: some('example.com', 'else.example'),
  bapp: some('com.example.advertised'),
  bcat: some('IAB9', 'IAB1-2'),
  acat: some('IAB9', 'IAB1'),
  wlang: some('en', 'de'),
  floor: fc.constantFrom(0, 0.5, 1.2, 3),
  place: fc.constantFrom(
    {},
    { region: 'CA', city: 'Los Angeles', zip: '900' },
    { region: 'NY' },
    { region: 'BE', city: 'Berlin', zip: '101', type: 1, lat: 52.5, lon: 13.5 },
  ),
  carrier: fc.constantFrom('', 'VERIZON'),
  instl: fc.constantFrom(0, 1),
  ifa: fc.constantFrom('', '6d92078a-8246-4ba4-ae5b-76104861e7dc'),
  utcoffset: fc.constantFrom(null, -570, 0, 345),
});

function requestOf({
  country,
  place,
  instl,
  bundle,
  cat,
  badv,
  bapp,
  bcat,
  acat,
  wlang,
  floor,
  utcoffset,
  ...device
}: RequestDraw) {
  return readBidRequest(
    {
      id: 'r',
      imp: [{ id: '1', instl, banner: { w: 320, h: 50 }, bidfloor: floor }],
      app: { bundle, cat },
      device: { ...device, geo: { country, utcoffset, ...place } },
      badv,
      bapp,
      bcat,
      acat,
      wlang,
    },
    'sample',
  )!;
}
type RequestDraw = typeof requests extends fc.Arbitrary<infer Draw> ? Draw : never;

/** A sample with a request every hour before now. */
function sampleOf(all: readonly ParsedRequest[], weight = 1): SampleColumns {
  const columns = new SampleColumns(200_000, true);
  for (const [index, request] of all.entries())
    columns.add({ request, atMs: NOW_MS - (all.length - index) * 1000, weight });
  return columns;
}

const NOTHING_LEARNED = {
  installRateOf: () => 0.001,
  rateEvidence: [10],
  installMicrosOf: ({ cpiMicros }: { cpiMicros: number | null }) => cpiMicros ?? 1,
  meanInstallMicros: null,
  valueError: null,
  rivalValueOf: (adset: { cpmMicros: number }) => adset.cpmMicros,
  shade: (_market: unknown, _floor: number, value: number) => value,
  firstInstallMicrosOf: () => 1_000_000,
};

function matchingOf(columns: SampleColumns, row: AdsetRow): number {
  const adset = compileSnapshot([row]).candidates[0]!;
  const input = { ...NOTHING_LEARNED, adset, rivals: [], fromMs: 0, dayStartMs: 0 };
  return runToCompletion(replay(columns, input)).matching;
}

test('the columns match what the matcher of the bidder matches', () => {
  fc.assert(
    fc.property(fc.array(requests, { minLength: 1, maxLength: 40 }), adsets, (draws, { os, ...over }) => {
      const { app } = adsetRowOf();
      const row = adsetRowOf({ ...over, app: { ...app, os } });
      const { matcher, candidates } = compileSnapshot([row]);
      const all = draws.map(requestOf);
      const matched = all.filter((request) => {
        const bits = createBitset(1);
        setBit(bits, candidates[0]!.index);
        matcher.narrow(bits, requestProfileOf(request), NOW_MS - 1);
        return hasBit(bits, 0);
      });
      expect(matchingOf(sampleOf(all), row)).toBe(matched.length);
    }),
  );
});

test('wider targeting never matches fewer requests', () => {
  fc.assert(
    fc.property(
      fc.array(requests, { maxLength: 40 }),
      targets,
      fc.constantFrom(...Object.keys(targetLists)),
      (draws, target, list) => {
        const columns = sampleOf(draws.map(requestOf));
        const narrow = matchingOf(columns, adsetRowOf({ target }));
        const wide = matchingOf(columns, adsetRowOf({ target: { ...target, [list]: [] } }));
        expect(wide).toBeGreaterThanOrEqual(narrow);
      },
    ),
  );
});
const targetLists = {
  location_include: 0,
  location_exclude: 0,
  exchange_include: 0,
  device_types: 0,
  device_models: 0,
  device_connection_types: 0,
  language_include: 0,
  genre_include: 0,
  genre_exclude: 0,
};

const DOLLAR = 1_000_000;
const steps = fc.record({
  step: fc.integer({ min: 20, max: 70 }),
  placed: fc.integer({ min: 0, max: 500 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});
const landscapes = fc.array(steps, { maxLength: 20 }).map((cells) =>
  cells.map(({ step, placed, share }) => ({
    exchange: 'sample',
    format: 'Banner 320x50',
    country: 'US',
    step,
    placed,
    won: Math.round(placed * share),
  })),
);
const floors = fc.array(fc.constantFrom(0, 0.3, 0.7, 1.1, 2.4), { minLength: 20, maxLength: 60 });

function forecastOf(
  floorsOf: readonly number[],
  prices: Parameters<typeof winCurvesOf>[0],
  { over = {}, ...changes }: Partial<ForecastInput> & { over?: Parameters<typeof adsetRowOf>[0] },
): ForecastResult {
  const all = Array.from({ length: 300 }, (_unused, index) =>
    readBidRequest(
      {
        id: 'r',
        at: 1 + (index % 2),
        imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: floorsOf[index % floorsOf.length] }],
        app: { bundle: 'com.publisher' },
        device: { os: 'Android', geo: { country: 'USA' } },
      },
      'sample',
    )!,
  );
  const columns = new SampleColumns(1000, true);
  for (const [index, request] of all.entries())
    columns.add({ request, atMs: NOW_MS - (index + 1) * HOUR_MS * 0.5, weight: 100 });
  const result = runToCompletion(
    forecast(columns, {
      ...NOTHING_LEARNED,
      nowMs: NOW_MS,
      adset: compileSnapshot([adsetRowOf(over)]).candidates[0]!,
      rivals: [],
      limits: { dailyBudget: Infinity, totalBudget: Infinity, balance: Infinity },
      wins: runToCompletion(winCurvesOf(prices)),
      shownShareOf: () => 1,
      withCurve: true,
      ...changes,
    }),
  );
  if (!('impressions' in result)) throw new Error('too little');
  return result;
}

test('a higher bid never gets fewer impressions where no budget ends the day', () => {
  fc.assert(
    fc.property(floors, landscapes, fc.integer({ min: 1, max: 500 }), (floorsOf, prices, bid) => {
      const { curve, present, impressions } = forecastOf(floorsOf, prices, {
        over: { cpmMicros: bid * 10_000 },
      });
      for (const [index, point] of curve.entries()) {
        const before = curve[index - 1];
        if (!before) continue;
        expect(point.impressions).toBeGreaterThanOrEqual(before.impressions - 1e-6);
        expect(point.winShare).toBeGreaterThanOrEqual(before.winShare - 1e-9);
      }
      expect(curve[present]!.impressions).toBeCloseTo(impressions.about, 4);
    }),
    runs(40),
  );
});

test('the spend never exceeds a budget or the balance, which is named', () => {
  fc.assert(
    fc.property(
      floors,
      landscapes,
      fc.constantFrom('dailyBudget', 'totalBudget', 'balance'),
      fc.integer({ min: 0, max: 50 }),
      fc.constantFrom('Manual CPM' as const, 'Target CPI' as const, 'Max installs' as const),
      (floorsOf, prices, name, dollars, algorithm) => {
        const limit = dollars * DOLLAR;
        const limits = { dailyBudget: Infinity, totalBudget: Infinity, balance: Infinity, [name]: limit };
        const over = { algorithm, cpmMicros: 5 * DOLLAR, cpiMicros: 2 * DOLLAR };
        const { spendMicros, curve, limitedBy } = forecastOf(floorsOf, prices, { limits, over });
        expect(spendMicros.high).toBeLessThanOrEqual(limit + 1);
        for (const point of curve) expect(point.spendMicros).toBeLessThanOrEqual(limit + 1);
        if (dollars === 0 && algorithm === 'Manual CPM') expect(limitedBy).toBe(name);
      },
    ),
    runs(30),
  );
});

test('no country spends more than its daily budget, which is named where it limits the day', () => {
  const algorithms = fc.constantFrom('Manual CPM' as const, 'Target CPI' as const, 'Max installs' as const);
  fc.assert(
    fc.property(
      floors,
      landscapes,
      fc.integer({ min: 1, max: 50 }),
      algorithms,
      (floorsOf, prices, dollars, algorithm) => {
        const limits = { dailyBudget: 100 * DOLLAR, totalBudget: Infinity, balance: Infinity };
        const over = { algorithm, cpmMicros: 5 * DOLLAR, cpiMicros: 2 * DOLLAR };
        const budget = (country: string) => ({
          country,
          bet_cpm: null,
          bet_cpi: null,
          daily_budget: dollars,
        });
        const of = (country: string) =>
          forecastOf(floorsOf, prices, { limits, over: { ...over, countries: [budget(country)] } });
        const { spendMicros, curve, limitedBy } = of('US');
        // All requests of the sample are of one country.
        expect(spendMicros.high).toBeLessThanOrEqual(dollars * DOLLAR + 1);
        for (const point of curve) expect(point.spendMicros).toBeLessThanOrEqual(dollars * DOLLAR + 1);
        const unlimited = forecastOf(floorsOf, prices, { limits, over });
        if (unlimited.spendMicros.about > dollars * DOLLAR) expect(limitedBy).toBe('countryBudget');
        else expect(spendMicros.about).toBeCloseTo(unlimited.spendMicros.about, 3);
        expect(of('DE')).toEqual(unlimited);
      },
    ),
    runs(20),
  );
});

test('each range contains its estimate, and the same question gets the same forecast', () => {
  fc.assert(
    fc.property(floors, landscapes, (floorsOf, prices) => {
      const result = forecastOf(floorsOf, prices, {});
      for (const { low, about, high } of [
        result.matching,
        result.impressions,
        result.spendMicros,
        result.installs,
        result.sameDay.impressions,
      ]) {
        expect(low).toBeLessThanOrEqual(about);
        expect(high).toBeGreaterThanOrEqual(about);
      }
      expect(forecastOf(floorsOf, prices, {})).toEqual(result);
    }),
    runs(10),
  );
});

test('an ad set of the same company with a higher bid takes the requests that it has money for', () => {
  const rival = compileSnapshot([adsetRowOf({ cpmMicros: 9 * DOLLAR })]).candidates[0]!;
  const at = (activeShare: number) =>
    forecastOf([0.5], [], { rivals: [{ adset: rival, activeShare }] }).impressions.about;
  expect(at(1)).toBe(0);
  expect(forecastOf([0.5], [], { rivals: [{ adset: rival, activeShare: 1 }] }).nothingBecause).toBe(
    'ownAdsets',
  );
  const noMoney = { dailyBudget: Infinity, totalBudget: Infinity, balance: 0 };
  expect(forecastOf([0.5], [], { limits: noMoney }).nothingBecause).toBe('balance');
  expect(at(0.25) / at(0)).toBeCloseTo(0.75, 2);
});

const plainRequest = readBidRequest(
  {
    id: 'r',
    imp: [{ id: '1', banner: { w: 320, h: 50 } }],
    app: { bundle: 'com.publisher' },
    device: { os: 'Android' },
  },
  'sample',
)!;

test('a sample of a few requests is too little', () => {
  const input = { nowMs: NOW_MS } as ForecastInput;
  const columns = sampleOf([plainRequest, plainRequest]);
  expect(runToCompletion(forecast(columns, input))).toMatchObject({ requests: 2 });
});

test('the sample is bounded: the oldest requests are evicted', () => {
  const columns = new SampleColumns(10_000, true);
  for (let index = 0; index < 30_000; index += 1)
    columns.add({ request: plainRequest, atMs: index, weight: 1 });
  expect(columns.size).toBeLessThanOrEqual(10_000);
  expect(Math.min(...columns.chunks.map(({ firstMs }) => firstMs))).toBeGreaterThan(15_000);
  columns.evict(40_000);
  expect(columns.size).toBe(0);
});

test('creatives of other sizes match no request', () => {
  const columns = sampleOf([plainRequest]);
  expect(matchingOf(columns, adsetRowOf({ creatives: [bannerOf(320, 50)] }))).toBe(1);
  expect(matchingOf(columns, adsetRowOf({ creatives: [bannerOf(300, 250)] }))).toBe(0);
});
