import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { hoursOf } from '@bidwell/contract/adsets/hours';
import { adsetRowOf, bannerOf, videoOf } from '@bidwell/testing/pacing/candidates';
import { DEFAULT_INSTALL_RATE, plainValuation } from '@bidwell/testing/pacing/valuation';
import { runs } from '@bidwell/testing/whole-run';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { runAuction } from '../auction/auction.ts';
import { FrequencyCaps } from '../frequency/frequency-caps.ts';
import { requestCaps } from '../frequency/request-caps.ts';
import type { AudienceLookup, WithoutId } from '../model/audience.ts';
import type { AdsetRow, Creative } from '../model/candidate.ts';
import { readDigest, subjectOf } from '../model/frequency.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { createPersonKeys } from '../privacy/person-key.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { SampleColumns } from './columns.ts';
import { outcomeOf } from './outcome.ts';
import { replay } from './replay.ts';

const START_MS = Date.parse('2026-05-04T00:00:00Z');
const SECRET = 'the secret of a day of requests';
/** Requests of a day: weights that are powers of two tell which of them a sum has, as long as they fit in a number. */
const REQUESTS = 48;
const PEOPLE = Array.from({ length: 4 }, (_unused, index) => `0000000${index}-0000-4000-8000-0000000000ff`);
/** The audiences of a bidder, with their people. */
const AUDIENCES: Readonly<Record<string, readonly string[]>> = {
  buyers: PEOPLE.slice(0, 2),
  owners: PEOPLE.slice(1, 3),
  none: [],
};
const audiences: AudienceLookup = {
  membershipsOf: (id) => ({ of: (name) => (AUDIENCES[name]?.includes(id) ? 'in' : 'out') }),
  loaded: () => Object.keys(AUDIENCES),
};

const some = <Value>(...values: Value[]) => fc.subarray(values);
const requests = fc.record({
  second: fc.nat(86_399),
  ifa: fc.constantFrom(...PEOPLE, ''),
  /** Limited tracking forbids to look the person up. */
  lmt: fc.constantFrom(0, 0, 0, 1),
  country: fc.constantFrom('USA', 'DEU', 'FRA'),
  bundle: fc.constantFrom('com.publisher', 'com.wanted', 'com.else'),
  devicetype: fc.constantFrom(4, 5),
  place: fc.constantFrom({}, { region: 'CA', city: 'Los Angeles', zip: '900' }, { region: 'BE', zip: '101' }),
  utcoffset: fc.constantFrom(null, -480, 60, 345),
  instl: fc.constantFrom(0, 1),
  floor: fc.constantFrom(0, 0.5, 1.2, 2.5),
  formats: fc.constantFrom('banner', 'video', 'both'),
});
type RequestDraw = typeof requests extends fc.Arbitrary<infer Draw> ? Draw : never;

const caps = fc.constantFrom(
  [],
  [{ impressions: 1, minutes: 1440 }],
  [
    { impressions: 1, minutes: 60 },
    { impressions: 3, minutes: 720 },
  ],
  [{ impressions: 2, minutes: 43_200 }],
);
const factor = fc.integer({ min: 10, max: 400 }).map((hundredths) => hundredths / 100);
const multipliers = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom(
        ['country', 'US'] as const,
        ['exchange', 'sample'] as const,
        ['bundle', 'com.publisher'] as const,
        ['format', 'Banner'] as const,
        ['format', 'Video'] as const,
        ['hour', '12'] as const,
        ['device_type', 'Phone'] as const,
      ),
      factor,
    )
    .map(([[dimension, value], of]) => ({ dimension, value, factor: of })),
  { selector: ({ dimension, value }) => `${dimension} ${value}`, maxLength: 4 },
);
const audienceSettings = fc.option(
  fc.record({
    include: fc.subarray([['buyers'], ['owners', 'none']]),
    exclude: some('owners', 'none'),
    withoutId: fc.constantFrom<WithoutId>('bid', 'skip'),
    stored: fc.constant([]),
  }),
);
const adsets = fc.record({
  algorithm: fc.constantFrom('Manual CPM' as const, 'Target CPI' as const),
  cpmMicros: fc.constantFrom(800_000, 1_500_000, 3_000_000),
  cpiMicros: fc.constant(1_200_000),
  target: fc.record({
    location_include: some('US', 'DE'),
    region_exclude: some('US-CA'),
    postal_exclude: some('DE:101'),
    placement_kinds: some('interstitial' as const, 'other' as const),
    device_types: some('Phone', 'Tablet'),
    device_id: fc.constantFrom('any' as const, 'with' as const, 'without' as const),
  }),
  hours: fc.option(fc.uint8Array({ min: 0, max: 1, minLength: 168, maxLength: 168 }).map(hoursOf)),
  hoursZone: fc.constantFrom('company' as const, 'device' as const),
  timeZone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
  multipliers,
  countries: fc.subarray([
    { country: 'US', bet_cpm: 2, bet_cpi: null },
    { country: 'DE', bet_cpm: 0.4, bet_cpi: null },
  ]),
  bundleCpmMicros: fc.constantFrom<Record<string, number>>({}, { 'com.wanted': 2_200_000 }),
  blackList: some('com.else'),
  caps,
  campaignCaps: caps,
  peopleWithoutId: fc.constantFrom('bid' as const, 'skip' as const),
  audiences: audienceSettings,
  creatives: fc.constantFrom<Creative[]>([bannerOf(320, 50)], [bannerOf(320, 50), videoOf(640, 360, 15)]),
});

const banner = { w: 320, h: 50 };
const video = {
  mimes: ['video/mp4'],
  w: 640,
  h: 360,
  protocols: [2, 3, 5, 6],
  minduration: 5,
  maxduration: 30,
};

function requestOf({
  ifa,
  lmt,
  country,
  bundle,
  devicetype,
  place,
  utcoffset,
  instl,
  floor,
  formats,
}: RequestDraw) {
  const imp = {
    id: '1',
    instl,
    bidfloor: floor,
    ...(formats !== 'video' && { banner }),
    ...(formats !== 'banner' && { video }),
  };
  const geo = { country, utcoffset, ...place };
  return readBidRequest(
    { id: 'r', at: 1, imp: [imp], app: { bundle }, device: { os: 'Android', devicetype, ifa, lmt, geo } },
    'sample',
  )!;
}

/** The requests of a draw as they come in a day. */
const dayOf = (draws: readonly RequestDraw[]) =>
  draws
    .toSorted((a, b) => a.second - b.second)
    .map((draw) => ({ atMs: START_MS + draw.second * 1000, request: requestOf(draw) }));

/** What is bid, micros per thousand, on each request: the bidder's own decisions. Every bid is shown at once. */
function decided(day: ReturnType<typeof dayOf>, row: AdsetRow): number[] {
  const snapshot = compileSnapshot([row], audiences);
  const frequency = new FrequencyCaps(2 ** 20);
  frequency.setCandidates(snapshot.candidates);
  const personKeys = createPersonKeys(SECRET);
  return day.map(({ atMs, request }) => {
    const { bids } = runAuction(request, snapshot, {
      nowMs: atMs,
      random: () => 0.5,
      newBidId: uuidv7,
      noBidReason: () => null,
      exhausted: null,
      valuation: plainValuation(() => 0),
      chargeOn: 'billing',
      secure: true,
      caps: requestCaps(request, atMs, { frequency, personKeys }),
    });
    const [bid] = bids;
    if (!bid) return 0;
    const { ref, candidate } = bid;
    const person = ref.personKey === undefined ? null : readDigest(ref.personKey);
    if (person && candidate.caps) {
      const { adsetSubject, campaignSubject } = candidate.caps;
      const sent = { bid: subjectOf(ref.bidId), person, adsetSubject, campaignSubject };
      frequency.sent(sent, candidate.caps, atMs, 1000);
      frequency.ended({ ...sent, isImpression: true, atMs });
    }
    return ref.bidCpmMicros;
  });
}

/** The sum of the weights of the requests on which the replay bids, and the sum of its bids times these weights. */
function replayed(day: ReturnType<typeof dayOf>, row: AdsetRow, weightOf: (index: number) => number) {
  const columns = new SampleColumns(1000, true);
  const personKeys = createPersonKeys(SECRET);
  for (const [index, { atMs, request }] of day.entries()) {
    const key = personKeys(request);
    const { listId } = request.device;
    columns.add({
      request,
      atMs,
      weight: weightOf(index),
      by: { person: key ? key.high * 2 ** 20 + (key.low >>> 12) : 0, personLevel: 0, level: 0 },
      memberships: {
        name: 'all',
        loaded: new Set(audiences.loaded()),
        audiences:
          listId === '' ? null : audiences.loaded().filter((name) => AUDIENCES[name]!.includes(listId)),
      },
    });
  }
  const adset = compileSnapshot([row]).candidates[0]!;
  const found = runToCompletion(
    replay(columns, {
      adset,
      rivals: [],
      installRateOf: () => DEFAULT_INSTALL_RATE,
      installMicrosOf: ({ algorithm, cpiMicros }) => (algorithm === 'Manual CPM' ? 1 : cpiMicros!),
      rivalValueOf: () => 0,
      fromMs: START_MS,
      dayStartMs: START_MS,
    }),
  );
  const alwaysWins = { winRate: () => 1, logitError: () => 0, secondPrice: (bid: number) => bid };
  return runToCompletion(
    outcomeOf(
      found.opportunities,
      found.opportunities.markets.map(() => alwaysWins),
      {
        cpmMicros: adset.cpmMicros,
        installFactor: adset.algorithm === 'Manual CPM' ? null : 1,
        shade: null,
        caps: found.countsCaps ? adset.caps : null,
      },
    ),
  );
}

test('the replay of a day decides on each request as the bidder did, with all controls of an ad set', () => {
  fc.assert(
    fc.property(fc.array(requests, { minLength: 1, maxLength: REQUESTS }), adsets, (draws, settings) => {
      const day = dayOf(draws);
      const row = adsetRowOf(settings);
      const bids = decided(day, row);
      const { bids: sum } = replayed(day, row, (index) => 2 ** index);
      const isBid = (index: number): number => Math.floor(sum / 2 ** index) % 2;
      expect(bids.map((_cpm, index) => isBid(index))).toEqual(bids.map((cpm) => (cpm > 0 ? 1 : 0)));
      // Micros per thousand.
      const { costMicros } = replayed(day, row, () => 1);
      expect(costMicros * 1000).toBeCloseTo(
        bids.reduce((all, cpm) => all + cpm, 0),
        0,
      );
    }),
    runs(1500),
  );
});
