import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { FrequencyCap } from '@bidwell/contract/frequency/caps';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { plainValuation } from '@bidwell/testing/pacing/valuation';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { runAuction } from '../auction/auction.ts';
import { FrequencyCaps } from '../frequency/frequency-caps.ts';
import { requestCaps } from '../frequency/request-caps.ts';
import { createSample } from '../funnel/request-sample.ts';
import type { AdsetRow } from '../model/candidate.ts';
import { readDigest, subjectOf } from '../model/frequency.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { createPersonKeys } from '../privacy/person-key.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { SampleColumns } from './columns.ts';
import { type ForecastResult, forecast } from './forecast.ts';
import { Draws } from './ranges.ts';
import { winCurvesOf } from './win-curves.ts';

const SECRET = 'the secret of a simulated world';
const START_MS = Date.parse('2026-05-04T00:00:00Z');
const DAY_MS = 86_400_000;
const DAYS = 2;
const WON_SHARE = 0.4;

/** A request of a simulated world. */
interface WorldRequest {
  atMs: number;
  body: ReturnType<typeof bodyOf>;
}

const bodyOf = (ifa: string, country: string) => ({
  id: uuidv7(),
  at: 1,
  imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 0.5 }],
  app: { bundle: 'com.publisher' },
  device: { os: 'Android', osv: '14', ifa, geo: { country } },
});

/** People who come again: most of them seldom, some of them dozens of times a day, and one request in five without an id. */
function peopleOf(count: number, draws: Draws): { ifa: string; perDay: number; country: string }[] {
  return Array.from({ length: count }, (_unused, index) => ({
    ifa: index % 5 === 4 ? '' : uuidv7(),
    perDay: 4 * draws.factor(1.2),
    country: index % 3 === 0 ? 'DEU' : 'USA',
  }));
}

/** The requests of some days, in the order of time, the first one at their beginning. */
function daysOf(people: ReturnType<typeof peopleOf>, fromMs: number, draws: Draws): WorldRequest[] {
  return people
    .flatMap(({ ifa, perDay, country }) =>
      Array.from({ length: draws.count(perDay * DAYS) }, () => ({
        atMs: Math.floor(fromMs + draws.uniform() * DAYS * DAY_MS),
        body: bodyOf(ifa, country),
      })),
    )
    .concat({ atMs: fromMs, body: bodyOf('', 'USA') })
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** The sample that one of `bidders` bidders stores of the requests, of which each bidder gets as many. */
function sampled(requests: readonly WorldRequest[], bidders: number): SampleColumns {
  let nowMs = START_MS;
  const sample = createSample({
    now: () => new Date(nowMs),
    bidders: () => bidders,
    personSecret: SECRET,
  });
  const columns = new SampleColumns(200_000, true);
  for (const { atMs, body } of requests) {
    nowMs = atMs;
    const request = readBidRequest(body, 'sample')!;
    sample.offer(request, body);
    for (const { person = '0', person_level: personLevel = 0, level = 255, weight } of sample.take())
      columns.add({
        request,
        atMs,
        weight,
        by: { person: Number(BigInt(person) >> 12n), personLevel, level },
      });
  }
  return columns;
}

function forecastOf(columns: SampleColumns, row: AdsetRow): ForecastResult {
  const prices = ['US', 'DE'].map((country) => ({
    exchange: 'sample',
    format: 'Banner 320x50',
    country,
    step: 57,
    placed: 40_000,
    won: 40_000 * WON_SHARE,
  }));
  const result = runToCompletion(
    forecast(columns, {
      nowMs: START_MS + DAYS * DAY_MS,
      adset: compileSnapshot([row]).candidates[0]!,
      rivals: [],
      limits: { dailyBudget: Infinity, totalBudget: Infinity, balance: Infinity },
      wins: runToCompletion(winCurvesOf(prices)),
      shownShareOf: () => 1,
      withCurve: true,
      installRateOf: () => 0.001,
      rateEvidence: [10],
      installMicrosOf: () => 1,
      meanInstallMicros: null,
      valueError: null,
      rivalValueOf: (adset) => adset.cpmMicros,
      shade: (_market, _floor, value) => value,
      firstInstallMicrosOf: () => 1_000_000,
    }),
  );
  if (!('impressions' in result)) throw new Error('too little');
  return result;
}

/** The impressions a day that a bidder's auctions bring the ad set. */
function delivered(requests: readonly WorldRequest[], row: AdsetRow, draws: Draws): number {
  const snapshot = compileSnapshot([row]);
  const frequency = new FrequencyCaps(2 ** 26);
  frequency.setCandidates(snapshot.candidates);
  const personKeys = createPersonKeys(SECRET);
  let impressions = 0;
  for (const { atMs, body } of requests) {
    const request = readBidRequest(body, 'sample')!;
    const { bids } = runAuction(request, snapshot, {
      nowMs: atMs,
      random: () => draws.uniform(),
      newBidId: uuidv7,
      noBidReason: () => null,
      exhausted: null,
      valuation: plainValuation(),
      chargeOn: 'billing',
      secure: true,
      caps: requestCaps(request, atMs, { frequency, personKeys }),
    });
    for (const { ref, candidate } of bids) {
      const isImpression = draws.uniform() < WON_SHARE;
      if (isImpression) impressions += 1;
      const person = ref.personKey === undefined ? null : readDigest(ref.personKey);
      if (!person || !candidate.caps) continue;
      const { adsetSubject, campaignSubject } = candidate.caps;
      const bid = { bid: subjectOf(ref.bidId), person, adsetSubject, campaignSubject };
      frequency.sent(bid, candidate.caps, atMs, 60_000);
      frequency.ended({ ...bid, isImpression, atMs });
    }
  }
  return impressions / DAYS;
}

/** A world of two days, and two more with the same people. */
const draws = new Draws(20_260_504);
const people = peopleOf(1500, draws);
const firstDays = daysOf(people, START_MS, draws);
const nextDays = daysOf(people, START_MS + DAYS * DAY_MS, draws);
const wholeSample = sampled(firstDays, 1);

const cap = (impressions: number, minutes: number): FrequencyCap => ({ impressions, minutes });

test.each<[string, Partial<AdsetRow>]>([
  ['no cap', {}],
  ['a cap of a day', { caps: [cap(1, 1440)] }],
  ['two caps', { caps: [cap(1, 60), cap(3, 1440)] }],
  ['a cap of its campaign', { campaignCaps: [cap(2, 2 * 1440)] }],
  ['people without an id skipped', { caps: [cap(2, 1440)], peopleWithoutId: 'skip' }],
])('an ad set with %s gets what is forecast, within 10 %%', (_what, changes) => {
  const row = adsetRowOf({ ...changes, cpmMicros: 2_400_000 });
  const { impressions, cappedShare, countsCaps } = forecastOf(wholeSample, row);
  const came = delivered(nextDays, row, draws);
  expect(impressions.about / came).toBeGreaterThan(0.9);
  expect(impressions.about / came).toBeLessThan(1.1);
  const isCapped = row.caps !== undefined || row.campaignCaps !== undefined;
  expect(countsCaps).toBe(isCapped ? true : null);
  if (isCapped) expect(cappedShare).toBeGreaterThan(0.1);
});

test('caps are forecast from one person in some as from all', () => {
  const row = adsetRowOf({ cpmMicros: 2_400_000, caps: [cap(1, 1440)] });
  const some = sampled(firstDays, 6);
  expect(some.size).toBeLessThan(wholeSample.size / 2);
  const ratio = forecastOf(some, row).impressions.about / forecastOf(wholeSample, row).impressions.about;
  expect(ratio).toBeGreaterThan(0.85);
  expect(ratio).toBeLessThan(1.15);
});

test('caps are not counted where the sample does not know people, as that of earlier releases', () => {
  const columns = new SampleColumns(200_000, true);
  for (const { atMs, body } of firstDays.slice(0, 1000))
    columns.add({ request: readBidRequest(body, 'sample')!, atMs, weight: 1 });
  const result = forecastOf(columns, adsetRowOf({ cpmMicros: 2_400_000, caps: [cap(1, 1440)] }));
  const plain = forecastOf(columns, adsetRowOf({ cpmMicros: 2_400_000 }));
  expect([result.countsCaps, result.impressions]).toEqual([false, plain.impressions]);
});

test('a sample of earlier requests and of people counts the caps of the people for all', () => {
  const half = firstDays.length / 2;
  const columns = sampled(firstDays.slice(half), 1);
  const row = adsetRowOf({ cpmMicros: 2_400_000, caps: [cap(1, 1440)] });
  for (const { atMs, body } of firstDays.slice(0, half))
    columns.add({ request: readBidRequest(body, 'sample')!, atMs, weight: 1 });
  const [mixed, all] = [forecastOf(columns, row), forecastOf(wholeSample, row)];
  expect(mixed.matching.about / all.matching.about).toBeCloseTo(1, 2);
  expect(mixed.impressions.about / all.impressions.about).toBeGreaterThan(0.85);
  expect(mixed.impressions.about / all.impressions.about).toBeLessThan(1.15);
});

test('a higher cap never gets fewer impressions, nor a higher bid with the same cap', () => {
  let before = 0;
  for (const impressions of [1, 5, 1000]) {
    const row = adsetRowOf({ caps: [cap(impressions, 1440)] });
    const { impressions: range, curve } = forecastOf(wholeSample, row);
    expect(range.about).toBeGreaterThanOrEqual(before);
    before = range.about;
    for (const [index, point] of curve.entries())
      expect(point.impressions).toBeGreaterThanOrEqual((curve[index - 1]?.impressions ?? 0) * 0.98);
  }
});
