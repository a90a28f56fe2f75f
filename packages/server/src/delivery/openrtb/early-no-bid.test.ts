import { createTraffic } from '@bidwell/exchange/traffic/generate';
import { seededRandom } from '@bidwell/exchange/random';
import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import { NO_BID_REASONS, type NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { adsetRowOf, bannerOf, nativeOf, playableOf, videoOf } from '@bidwell/testing/pacing/candidates';
import { plainValuation } from '@bidwell/testing/pacing/valuation';
import { runs } from '@bidwell/testing/whole-run';
import { runAuction } from '../auction/auction.ts';
import type { CurrencyRates } from '../model/bid-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { EarlyNoBids } from './early-no-bid.ts';
import { Outline } from './read/outline.ts';
import { parseRequest } from './read/read-body.ts';
import { readOutlinedDevice } from './read/read-device.ts';
import { readBidRequest } from './read/read-request.ts';

const SSP = { slug: 'sample', rules: rulesOf('openrtb') };
const RATES: CurrencyRates = new Map([
  ['USD', 1],
  ['EUR', 1.1],
]);
const outline = new Outline();
const early = new EarlyNoBids();

/** Why a request gets no bid by its outline; null if that does not say. */
function reasonOf(body: Buffer, snapshot: Snapshot): NoBidReason | null {
  if (!outline.take(body)) return null;
  const device = readOutlinedDevice(outline);
  return device && early.reasonOf(outline, device, SSP, snapshot, RATES);
}

/** What a request that is read as a whole gets; throws for one that is no bid request. */
function outcomeOf(body: Buffer, snapshot: Snapshot) {
  const request = readBidRequest(parseRequest(body.toString('utf8')), SSP.slug, { rates: RATES });
  if (!request) throw new TypeError('This is no bid request');
  return runAuction(request, snapshot, {
    nowMs: Date.parse('2026-05-04T12:00:00Z'),
    random: () => 0.5,
    newBidId: uuidv7,
    noBidReason: () => null,
    exhausted: null,
    valuation: plainValuation(() => 0),
    chargeOn: 'billing',
    secure: true,
  });
}

const rank = (reason: NoBidReason): number => NO_BID_REASONS.indexOf(reason);

/** Asserts that a request which its outline refuses gets no bid, for a reason that is no later than that of the outline. */
function check(body: Buffer, snapshot: Snapshot): NoBidReason | null {
  const reason = reasonOf(body, snapshot);
  if (reason === null) return null;
  const outcome = outcomeOf(body, snapshot);
  expect(outcome.bids).toEqual([]);
  expect(rank(outcome.reason!)).toBeLessThanOrEqual(rank(reason));
  return reason;
}

/** Most ad sets leave most properties open. */
const seldom = <Value>(values: readonly Value[], maxLength: number): fc.Arbitrary<Value[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Value[]>([]) },
    { weight: 1, arbitrary: fc.subarray([...values], { maxLength }) },
  );
const countries = seldom(['US', 'DE', 'BR', 'JP', 'IN', 'GB'], 3);
const creative = fc.constantFrom(
  () => bannerOf(320, 50),
  () => bannerOf(300, 250),
  () => bannerOf(728, 90),
  () => bannerOf(320, 480),
  () => nativeOf(1200, 627),
  () => videoOf(720, 1280, 15),
  () => videoOf(1280, 720, 30),
  () => playableOf(),
);
const row = fc
  .record({
    os: fc.constantFrom('ios', 'android'),
    creatives: fc.array(creative, { minLength: 1, maxLength: 3 }),
    cpm: fc.integer({ min: 1, max: 400 }),
    where: fc.record({ location_include: countries, location_exclude: countries }),
    device_types: seldom(['Phone', 'Tablet', 'Mobile'], 2),
    device_connection_types: seldom(['WiFi', 'Cellular', 'Celular4G'], 2),
    language_include: seldom(['en', 'de', 'pt'], 1),
    exchange_include: seldom(['sample', 'other'], 1),
    bundle: fc.option(fc.constantFrom('com.pineconearcade.marblealley', '1000001')),
    multiplier: fc.option(fc.constantFrom(0.5, 3)),
  })
  .map(({ os, creatives, cpm, where, bundle, multiplier, ...target }) => {
    const usual = adsetRowOf();
    return adsetRowOf({
      app: { ...usual.app, os: os as 'ios' | 'android' },
      creatives: creatives.map((make) => make()),
      cpmMicros: cpm * 10_000,
      bundleCpmMicros: bundle === null ? {} : { [bundle]: cpm * 25_000 },
      countries: [{ country: 'DE', bet_cpm: cpm / 50, bet_cpi: null }],
      multipliers: multiplier === null ? [] : [{ dimension: 'country', value: 'US', factor: multiplier }],
      target: { ...(where as object), ...(target as object) },
    });
  });
const snapshots = fc.array(row, { minLength: 0, maxLength: 5 }).map((rows) => compileSnapshot(rows));

/** A generator of requests as exchanges send them. */
const requests = fc
  .record({ seed: fc.nat(), hour: fc.nat(23), domain: fc.option(fc.constant('sample.example')) })
  .map(({ seed, hour, domain }) => {
    const traffic = createTraffic({
      random: seededRandom(seed),
      worldSeed: seed % 7,
      secure: false,
      domain: domain ?? undefined,
    });
    return traffic.next(Date.parse('2026-05-04T00:00:00Z') + hour * 3_600_000).request as unknown as Json;
  });

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Values that replace others: numbers as texts, nulls, other types, and what exchanges send in fact. */
const values = fc.constantFrom<Json>(
  null, true, false, '', 0, 1, 2, -1, 50, 0.01, 1e30, '1', '0.5', '320', 'Tizen', 'iOS', 'iPhone OS', 'Windows Phone', '2', '13',
  'USA', 'DEU', 'de', 'UK', 'XX', 840, '276', '076', 'Brazil', 'EUR', 'usd', 'GBP', [], {}, [1], ['USD'], [{ w: 320, h: 50 }], { w: 160, h: 600 },
  { w: 320, h: 50, mimes: ['image/gif'] }, { mimes: ['video/mp4'], protocols: [2], durfloors: [{ mindur: 1, maxdur: 60, bidfloor: 0.01 }] },
  { request: '{"assets":[{"id":1,"required":1,"title":{"len":90}}]}' }, { country: 'USA' }, { format: [{ wratio: 6, hratio: 1, wmin: 300 }] },
); // prettier-ignore

const NAMES = [
  'os', 'country', 'geo', 'devicetype', 'connectiontype', 'language', 'langb', 'w', 'h', 'instl', 'bidfloor', 'bidfloorcur', 'banner',
  'video', 'native', 'imp', 'app', 'device', 'user', 'id', 'tmax', 'ua', 'model', 'ip', 'ifa', 'test', 'ext', 'nbr', 'rwdd', 'secure',
]; // prettier-ignore

/** Changes that keep a request a JSON object: members set, renamed and removed. */
const change = fc.record({
  how: fc.constantFrom('set', 'remove', 'rename'),
  name: fc.constantFrom(...NAMES),
  nth: fc.nat(3),
  value: values,
  other: fc.constantFrom(...NAMES),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** Applies a change to the nth object that has a member of this name, or to any object. */
function changed(request: Json, { how, name, nth, value, other }: Change): Json {
  const holders: { [name: string]: Json }[] = [];
  const all: { [name: string]: Json }[] = [];
  const visit = (json: Json): void => {
    if (typeof json !== 'object' || json === null) return;
    if (!Array.isArray(json)) {
      all.push(json);
      if (name in json) holders.push(json);
    }
    for (const member of Object.values(json)) visit(member as Json);
  };
  const copy = structuredClone(request);
  visit(copy);
  const holder = (holders.length > 0 ? holders : all).at(nth % Math.max(1, holders.length || all.length))!;
  const before = holder[name];
  if (how === 'remove' || how === 'rename') delete holder[name];
  if (how === 'rename' && before !== undefined) holder[other] = before;
  if (how === 'set') holder[name] = value;
  return copy;
}

/** Ways to write the same JSON, or JSON with members twice. */
const writing = fc.record({
  spaces: fc.constantFrom('', ' ', '\n\t', '\r\n  '),
  escape: fc.option(fc.constantFrom(...NAMES)),
  twice: fc.option(fc.record({ name: fc.constantFrom(...NAMES), value: values, isFirst: fc.boolean() })),
  isReversed: fc.boolean(),
});
type Writing = typeof writing extends fc.Arbitrary<infer Value> ? Value : never;

function written(request: Json, { spaces, escape, twice, isReversed }: Writing): string {
  const name = (text: string): string =>
    text === escape
      ? `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}"`
      : JSON.stringify(text);
  const write = (json: Json): string => {
    if (typeof json !== 'object' || json === null) return JSON.stringify(json);
    if (Array.isArray(json)) return `[${spaces}${json.map(write).join(`${spaces},${spaces}`)}${spaces}]`;
    const members = Object.entries(json).map(([key, value]) => {
      const own = `${name(key)}${spaces}:${spaces}${write(value)}`;
      if (key !== twice?.name) return own;
      const second = `${name(key)}:${JSON.stringify(twice.value)}`;
      return twice.isFirst ? `${second},${own}` : `${own},${second}`;
    });
    return `{${spaces}${(isReversed ? members.toReversed() : members).join(`${spaces},${spaces}`)}${spaces}}`;
  };
  return `${spaces}${write(request)}${spaces}`;
}

/** Changes of bytes, after which a request may be no JSON. */
const damage = fc.array(
  fc.record({
    position: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    bytes: fc.oneof(
      fc.constantFrom('"', '{', '}', '[', ']', ',', ':', '0', '-', 'e', '.', '\\', 'n', ' ', '\u0000', '\\u0041', 'null', ',"os":"Tizen"').map((text) => Buffer.from(text)), // prettier-ignore
      fc.nat(255).map((byte) => Buffer.of(byte)),
    ),
    removed: fc.nat(2),
  }),
  { maxLength: 2 },
);

/** What exchanges do to the places of ads, and what decides whether an ad set fits there. */
const placing = fc.record({
  size: fc.constantFrom(null, [320, 50], [320, 480], [768, 1024], [300, 250], [1024, 768]),
  screen: fc.constantFrom([320, 480], [390, 844], [300, 250], [1024, 768]),
  instl: fc.constantFrom(0, 1),
  floor: fc.constantFrom(0.01, 2, 50),
  durfloors: fc.option(fc.constant([{ mindur: 1, maxdur: 60, bidfloor: 0.01 }])),
});
type Placing = typeof placing extends fc.Arbitrary<infer Value> ? Value : never;

function placed(request: Json, { size, screen, instl, floor, durfloors }: Placing): Json {
  const copy = structuredClone(request) as {
    imp: { [name: string]: Json }[];
    device: { [name: string]: Json };
  };
  Object.assign(copy.device, { w: screen[0], h: screen[1] });
  for (const imp of copy.imp) {
    Object.assign(imp, { instl, bidfloor: floor });
    if (imp['banner']) imp['banner'] = size ? { w: size[0]!, h: size[1]!, api: [5] } : {};
    if (imp['video'] && durfloors) Object.assign(imp['video'], { durfloors });
  }
  return copy;
}

const variant = fc.record({
  placing: fc.option(placing),
  changes: fc.array(change, { maxLength: 2 }),
  writing,
  damage: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: damage }),
});
type Variant = typeof variant extends fc.Arbitrary<infer Value> ? Value : never;

function bodyOf(request: Json, { placing: place, changes, writing: way, damage: places }: Variant): Buffer {
  const base = place ? placed(request, place) : request;
  let bytes = Buffer.from(written(changes.reduce(changed, base), way));
  for (const { position, bytes: inserted, removed } of places) {
    const at = Math.floor(position * bytes.length);
    bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
  }
  return bytes;
}

/** Requests of one person in one app, written in several ways. */
const bodies = fc
  .record({ request: requests, variants: fc.array(variant, { minLength: 1, maxLength: 20 }) })
  .map(({ request, variants }) => variants.map((one) => bodyOf(request, one)));

test('a request that is refused by its outline gets no bid when it is read as a whole, however it is written', () => {
  fc.assert(
    fc.property(bodies, snapshots, (all, snapshot) => {
      for (const body of all) check(body, snapshot);
    }),
    runs(5000),
  );
});

test('most requests without a bid are refused by their outline', () => {
  const traffic = createTraffic({ random: seededRandom(1), worldSeed: 1, secure: false });
  const snapshot = compileSnapshot([
    adsetRowOf({ creatives: [bannerOf(320, 50)], target: { location_include: ['US', 'DE'] } }),
    adsetRowOf({ creatives: [videoOf(720, 1280, 15)], target: { location_include: ['BR'] } }),
  ]);
  let [unwanted, refused] = [0, 0];
  for (let index = 0; index < 500; index += 1) {
    const body = Buffer.from(JSON.stringify(traffic.next(index * 60_000).request));
    if (outcomeOf(body, snapshot).bids.length === 0) unwanted += 1;
    if (check(body, snapshot) !== null) refused += 1;
  }
  expect(unwanted).toBeGreaterThan(300);
  expect(refused / unwanted).toBeGreaterThan(0.9);
});
