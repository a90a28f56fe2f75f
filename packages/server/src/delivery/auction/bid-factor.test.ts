import { BidMultipliersInput, FACTOR_MAX, FACTOR_MIN } from '@bidwell/contract/adsets/multipliers';
import { adsetRowOf, bannerOf, videoOf } from '@bidwell/testing/pacing/candidates';
import { plainValuation } from '@bidwell/testing/pacing/valuation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestProfileOf } from '../matching/request-profile.ts';
import { bidFactorsOf, factorOf } from '../model/bid-factor.ts';
import type { Memberships } from '../model/audience.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { factorInputOf } from './factor-input.ts';
import { valueCpmMicrosOf } from './price.ts';
import { runAuction } from './auction.ts';

const AUDIENCES = ['a', 'b', 'c'].map((end) => `00000000-0000-4000-8000-00000000000${end}`);
/** The person who is in some audiences, and for whom others are not loaded. */
const personIn = (uuids: readonly string[], missing: readonly string[] = []): Memberships => ({
  of: (uuid) => (missing.includes(uuid) ? 'not_loaded' : uuids.includes(uuid) ? 'in' : 'out'),
});
const people = fc.option(fc.subarray(AUDIENCES).map((uuids) => personIn(uuids)));
const noOne = () => null;

const NOON_MS = Date.parse('2026-05-04T12:00:00Z');
const factor = fc.integer({ min: 10, max: 1000 }).map((hundredths) => hundredths / 100);
const multiplier = fc.oneof(
  fc.record({ dimension: fc.constant('country' as const), value: fc.constantFrom('US', 'DE'), factor }),
  fc.record({
    dimension: fc.constant('exchange' as const),
    value: fc.constantFrom('sample', 'other'),
    factor,
  }),
  fc.record({
    dimension: fc.constant('bundle' as const),
    value: fc.constantFrom('com.one', 'com.two'),
    factor,
  }),
  fc.record({ dimension: fc.constant('format' as const), value: fc.constantFrom('Banner', 'Video'), factor }),
  fc.record({ dimension: fc.constant('hour' as const), value: fc.constantFrom('12', '13'), factor }),
  fc.record({
    dimension: fc.constant('device_type' as const),
    value: fc.constantFrom('Phone', 'Mobile', 'Tablet'),
    factor,
  }),
  fc.record({ dimension: fc.constant('audience' as const), value: fc.constantFrom(...AUDIENCES), factor }),
);
const multipliers = fc.uniqueArray(multiplier, {
  selector: ({ dimension, value }) => `${dimension} ${value}`,
  maxLength: 12,
});
const bodies = fc
  .record({
    country: fc.constantFrom('USA', 'DEU', 'FRA'),
    bundle: fc.constantFrom('com.one', 'com.two', 'com.else'),
    devicetype: fc.constantFrom(4, 5, 1),
    utcoffset: fc.constantFrom(null, 0, 60),
  })
  .map(({ country, bundle, devicetype, utcoffset }) => ({
    id: 'r',
    imp: [{ id: '1', banner: { w: 320, h: 50 } }],
    app: { bundle },
    device: { os: 'Android', devicetype, geo: { country, utcoffset } },
  }));
const requestOf = (body: object) => readBidRequest(body, 'sample')!;

test('the product of factors is within the bounds of one factor, in any order of the multipliers', () => {
  fc.assert(
    fc.property(
      multipliers,
      fc.nat(),
      bodies,
      fc.constantFrom('Banner 320x50', 'Video'),
      people,
      (all, seed, body, format, person) => {
        const memberships = () => person;
        const input = factorInputOf(requestProfileOf(requestOf(body)), format, NOON_MS, memberships);
        const shuffled = all.toSorted(
          (a, b) => ((seed * a.factor * 7919) % 1) - ((seed * b.factor * 7919) % 1),
        );
        const products = [all, shuffled].map((order) => {
          const factors = bidFactorsOf(order, 'device', 'UTC');
          return factors === null ? 1 : factorOf(factors, input);
        });
        expect(products[0]).toBe(products[1]);
        expect(products[0]).toBeGreaterThanOrEqual(FACTOR_MIN);
        expect(products[0]).toBeLessThanOrEqual(FACTOR_MAX);
      },
    ),
  );
});

test('no bid is above the ceiling by which ad sets are sorted, nor above the highest CPM times the bound', () => {
  const algorithms = fc.constantFrom('Manual CPM' as const, 'Target CPI' as const);
  const cpm = fc.integer({ min: 10_000, max: 5_000_000 });
  fc.assert(
    fc.property(
      multipliers,
      bodies,
      algorithms,
      cpm,
      fc.option(cpm),
      people,
      (all, body, algorithm, own, ofUs, person) => {
        const countries = ofUs === null ? [] : [{ country: 'US', bet_cpm: ofUs / 1e6, bet_cpi: null }];
        const row = adsetRowOf({
          algorithm,
          cpmMicros: own,
          cpiMicros: 3_000_000,
          multipliers: all,
          countries,
          creatives: [bannerOf(320, 50), videoOf(1280, 720, 15)],
        });
        const [candidate] = compileSnapshot([row]).candidates;
        const valuation = plainValuation();
        const profile = requestProfileOf(requestOf(body));
        for (const format of ['Banner 320x50', 'Video']) {
          const input = factorInputOf(profile, format, NOON_MS, () => person);
          const placement = { input, predict: () => valuation.predict(format) };
          const value = valueCpmMicrosOf(candidate!, placement, valuation, 0)!;
          expect(value).toBeLessThanOrEqual(candidate!.ceilingCpmMicros);
          expect(value).toBeLessThanOrEqual(Math.max(own, ofUs ?? 0) * FACTOR_MAX);
        }
      },
    ),
  );
});

test('the auction finds the ad set with the highest bid after multipliers, however they are sorted', () => {
  const rows = fc.array(fc.record({ cpmMicros: fc.integer({ min: 100_000, max: 900_000 }), multipliers }), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(rows, bodies, people, (draws, { device, ...body }, person) => {
      const audiences = { membershipsOf: () => person!, loaded: () => [] };
      const snapshot = compileSnapshot(
        draws.map((row) => adsetRowOf(row)),
        audiences,
      );
      const ifa = person ? '6d92078a-8246-4ba4-ae5b-76104861e7dc' : '';
      const request = requestOf({ ...body, device: { ...device, ifa } });
      const valuation = plainValuation();
      const input = factorInputOf(requestProfileOf(request), 'Banner 320x50', NOON_MS, () => person);
      const placement = { input, predict: () => valuation.predict('Banner 320x50') };
      const values = snapshot.candidates.map((one) => valueCpmMicrosOf(one, placement, valuation, 0)!);
      const { bids } = runAuction(request, snapshot, {
        nowMs: NOON_MS,
        random: () => 0,
        newBidId: () => 'bid',
        noBidReason: () => null,
        exhausted: null,
        valuation,
        chargeOn: 'billing',
        secure: true,
      });
      expect(bids[0]?.ref.bidCpmMicros).toBe(Math.max(...values));
    }),
  );
});

test.each([
  ['a country', [{ dimension: 'country', value: 'us', factor: 1.5 }], 3],
  ['another country', [{ dimension: 'country', value: 'DE', factor: 1.5 }], 2],
  ['an exchange', [{ dimension: 'exchange', value: 'Sample', factor: 0.5 }], 1],
  ['a bundle', [{ dimension: 'bundle', value: 'com.one', factor: 2 }], 4],
  ['a format', [{ dimension: 'format', value: 'Banner', factor: 1.25 }], 2.5],
  ['the hour of the company', [{ dimension: 'hour', value: '14', factor: 2 }], 4],
  [
    'the type of a device before its group',
    [
      { dimension: 'device_type', value: 'Mobile', factor: 5 },
      { dimension: 'device_type', value: 'Phone', factor: 2 },
    ],
    4,
  ],
  [
    'all that fit',
    [
      { dimension: 'country', value: 'US', factor: 1.5 },
      { dimension: 'format', value: 'Banner', factor: 2 },
    ],
    6,
  ],
])('a bid of $2 is multiplied by %s', (_name, given, dollars) => {
  const row = adsetRowOf({ multipliers: BidMultipliersInput.parse(given), timeZone: 'Europe/Berlin' });
  const [candidate] = compileSnapshot([row]).candidates;
  const body = {
    id: 'r',
    imp: [{ id: '1', banner: { w: 320, h: 50 } }],
    app: { bundle: 'com.one' },
    device: { os: 'Android', devicetype: 4, geo: { country: 'USA' } },
  };
  const valuation = plainValuation();
  const input = factorInputOf(requestProfileOf(requestOf(body)), 'Banner 320x50', NOON_MS, noOne);
  const placement = { input, predict: () => valuation.predict('Banner 320x50') };
  expect(valueCpmMicrosOf(candidate!, placement, valuation, 0)).toBe(dollars * 1e6);
});

test('a country has bids of its own, which a bundle goes before', () => {
  const countries = [{ country: 'US', bet_cpm: 5, bet_cpi: null }];
  const row = adsetRowOf({ countries, bundleCpmMicros: { 'com.two': 3_000_000 } });
  const [candidate] = compileSnapshot([row]).candidates;
  const valuation = plainValuation();
  const valueIn = (country: string, bundle: string) => {
    const device = { os: 'Android', geo: { country } };
    const body = { id: 'r', imp: [{ id: '1' }], app: { bundle }, device };
    const input = factorInputOf(requestProfileOf(requestOf(body)), 'Banner 320x50', NOON_MS, noOne);
    return valueCpmMicrosOf(candidate!, { input, predict: () => valuation.predict('x') }, valuation, 0);
  };
  expect([valueIn('USA', 'com.one'), valueIn('DEU', 'com.one'), valueIn('USA', 'com.two')]).toEqual([
    5_000_000, 2_000_000, 3_000_000,
  ]);
});

test('a person in several audiences has the highest of their factors, and a person who cannot be looked up none', () => {
  const [first, second, third] = AUDIENCES as [string, string, string];
  const factors = bidFactorsOf(
    [
      { dimension: 'audience', value: first, factor: 0.5 },
      { dimension: 'audience', value: second, factor: 0.8 },
      { dimension: 'audience', value: third, factor: 3 },
    ],
    'company',
    'UTC',
  )!;
  const profile = requestProfileOf(requestOf({ id: 'r', imp: [{ id: '1' }], app: { bundle: 'com.one' } }));
  const of = (person: Memberships | null) =>
    factorOf(
      factors,
      factorInputOf(profile, 'Video', NOON_MS, () => person),
    );
  expect([personIn([first]), personIn([second, first]), personIn(AUDIENCES), personIn([])].map(of)).toEqual([
    0.5, 0.8, 3, 1,
  ]);
  expect([null, personIn([], AUDIENCES), personIn([first], [third])].map(of)).toEqual([1, 1, 0.5]);
});
