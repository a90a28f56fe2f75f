/**
 * What an exchange's limit costs: requests of the sample exchange at five times its limit, of a thousand publishers' apps of unequal
 * traffic and value; ad sets with varied targeting, formats and goals; rivals at market prices. The charges for the requests that the bidder
 * chooses to read, compared with those for all requests and for as many read at random; the same after a third of the ad sets ended and
 * others began. And the CPU time of a request that is skipped, compared with one that is read.
 *
 * npm run bench -- shaping [--limit 100] [--adsets 80] [--seed 7]
 */
import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import { holdAuction, rivalBids } from '@bidwell/exchange/auction';
import { type Random, integerBetween, logNormal, pick, seededRandom } from '@bidwell/exchange/random';
import { createTraffic } from '@bidwell/exchange/traffic/generate';
import { runAuction } from '@bidwell/server/delivery/auction/auction';
import { pricePointOf } from '@bidwell/server/delivery/learning/counts';
import { expectedChargeMicros } from '@bidwell/server/delivery/learning/expected-charge';
import { WinRates } from '@bidwell/server/delivery/learning/win-rates';
import { DOLLARS_ONLY } from '@bidwell/server/delivery/model/bid-request';
import type { BidRef } from '@bidwell/server/delivery/model/event';
import type { AdsetRow } from '@bidwell/server/delivery/model/candidate';
import { EarlyNoBids } from '@bidwell/server/delivery/openrtb/early-no-bid';
import { outlinedSegment } from '@bidwell/server/delivery/openrtb/outlined-segment';
import { Outline } from '@bidwell/server/delivery/openrtb/read/outline';
import { parseRequest } from '@bidwell/server/delivery/openrtb/read/read-body';
import { readOutlinedDevice } from '@bidwell/server/delivery/openrtb/read/read-device';
import { readBidRequest } from '@bidwell/server/delivery/openrtb/read/read-request';
import { READ, TrafficShaper } from '@bidwell/server/delivery/shaping/shaper';
import { compileSnapshot } from '@bidwell/server/delivery/snapshot/compile';
import type { Snapshot } from '@bidwell/server/delivery/snapshot/snapshot';
import { adsetRowOf, bannerOf, nativeOf, playableOf, videoOf } from '@bidwell/testing/pacing/candidates';
import { DEFAULT_INSTALL_RATE, plainValuation } from '@bidwell/testing/pacing/valuation';
import { COUNTRIES, SIZES } from './load/variety.ts';

const { values: options } = parseArgs({
  options: {
    limit: { type: 'string', default: '100' },
    adsets: { type: 'string', default: '80' },
    seed: { type: 'string', default: '7' },
  },
});
const LIMIT = Number(options.limit);
const ADSETS = Number(options.adsets);
const random = seededRandom(Number(options.seed));
/** Requests that are offered in a second, in multiples of the limit. */
const TIMES = 5;
const ssp = { slug: 'sample', requestsPerSecond: LIMIT, rules: rulesOf('openrtb') };
const START_MS = Date.parse('2026-05-04T12:00:00Z');
const MINUTES = 10;
const CHANGE_MINUTE = 5;
const APPS = 1000;

/** An ad set with a target, a format and a price at random. */
function inventedAdset(): AdsetRow {
  const usual = adsetRowOf();
  const from = integerBetween(random, 0, COUNTRIES.length - 1);
  const countries = random() < 0.2 ? [] : COUNTRIES.slice(from, from + integerBetween(random, 1, 4));
  const [width, height] = pick(random, SIZES);
  const creative = pick(random, [
    () => bannerOf(width, height),
    () => bannerOf(width, height),
    () => videoOf(720, 1280, pick(random, [6, 15, 30])),
    () => nativeOf(1200, 627),
    () => playableOf(),
  ]);
  return adsetRowOf({
    app: { ...usual.app, uuid: uuidv7(), os: random() < 0.5 ? 'ios' : 'android' },
    creatives: [creative()],
    ...(random() < 0.4
      ? { cpmMicros: Math.round(logNormal(random, 1.2, 0.8) * 1e6) }
      : {
          algorithm: 'Target CPI' as const,
          cpmMicros: 30_000_000,
          cpiMicros: Math.round(logNormal(random, 2, 0.6) * 1e6),
        }),
    target: {
      location_include: countries,
      device_connection_types: random() < 0.2 ? ['WiFi'] : [],
      device_min_os_version: random() < 0.3 ? pick(random, ['9', '12', '13.1', '15']) : null,
    },
  });
}

/** A publisher's app: how many installs its impressions bring, and how much rivals pay for it, relative to the median app. */
const apps = Array.from({ length: APPS }, (_, index) => ({
  bundle: `com.example.app${index}`,
  installs: logNormal(random, 1, 1),
  price: logNormal(random, 1, 0.5),
}));
type App = (typeof apps)[number];

/** Traffic falls with the rank of an app. */
const nextApp = (): App => apps[Math.min(APPS - 1, Math.floor(APPS ** random()))]!;

const traffic = createTraffic({ random, worldSeed: 1, secure: false });

/** A request, and the highest rival bids for its imps. */
function nextOffer(nowMs: number) {
  const { request, person, slots } = traffic.next(nowMs);
  const app = nextApp();
  request.app = { ...request.app, bundle: app.bundle };
  const level = person.country.priceLevel * app.price;
  const rivals = slots.map((slot) => rivalBids(random, slot.typicalCpmDollars * level));
  return { body: Buffer.from(JSON.stringify(request)), request, rivals, app };
}
type Offer = ReturnType<typeof nextOffer>;

const plain = plainValuation(random);
const wins = new WinRates();

/** The bids on a request with what each is charged, in micros; 0 for one that loses. */
function auctionOf({ body, request, rivals, app }: Offer, snapshot: Snapshot, nowMs: number) {
  const parsed = readBidRequest(parseRequest(body.toString('utf8')), ssp.slug, { rates: DOLLARS_ONLY })!;
  const rateOf = (): number => DEFAULT_INSTALL_RATE * app.installs;
  const { bids } = runAuction(parsed, snapshot, {
    nowMs,
    random,
    newBidId: uuidv7,
    noBidReason: () => null,
    exhausted: null,
    valuation: { ...plain, predict: () => ({ rateOf, rateAtMost: rateOf }) },
    chargeOn: 'billing',
    secure: true,
  });
  return bids.map(({ imp, ref }): { ref: BidRef; micros: number } => {
    const place = request.imp.findIndex(({ id }) => id === imp.id);
    const { bidCpmMicros } = ref;
    const result = holdAuction({
      type: request.at,
      floorCpmMicros: imp.floorCpmMicros,
      bidCpmMicros,
      rivalsCpmMicros: rivals[place]!,
    });
    return { ref, micros: result.won ? result.clearingCpmMicros / 1000 : 0 };
  });
}

const outline = new Outline();
const early = new EarlyNoBids();

/** The segment of a request; null if its outline says that it gets no bid. */
function segmentIn(body: Buffer, snapshot: Snapshot) {
  if (!outline.take(body)) throw new Error('A request of the sample exchange has no outline');
  const device = readOutlinedDevice(outline);
  if (device !== null && early.reasonOf(outline, device, ssp, snapshot, DOLLARS_ONLY) !== null) return null;
  return outlinedSegment(outline, device, DOLLARS_ONLY);
}

const exponential = (source: Random): number => -Math.log(1 - source());

interface Sums {
  requests: number;
  /** Without those that their outlines refuse. */
  open: number;
  read: number;
  atRandom: number;
  all: number;
  kept: number;
  weighted: number;
  byChance: number;
}

/** The sums of each minute. */
function simulate(): Sums[] {
  const shaper = new TrafficShaper({ bidders: () => 1, random });
  let rows = Array.from({ length: ADSETS }, inventedAdset);
  let snapshot = compileSnapshot(rows);
  const minutes = Array.from({ length: MINUTES }, (): Sums => ({
    requests: 0,
    open: 0,
    read: 0,
    atRandom: 0,
    all: 0,
    kept: 0,
    weighted: 0,
    byChance: 0,
  }));
  let elapsedMs = 0;
  let hasChanged = false;
  for (;;) {
    elapsedMs += (exponential(random) * 1000) / (LIMIT * TIMES);
    const minute = Math.floor(elapsedMs / 60_000);
    if (minute >= MINUTES) return minutes;
    if (minute === CHANGE_MINUTE && !hasChanged) {
      hasChanged = true;
      const ended = Math.floor(ADSETS / 3);
      rows = [...rows.slice(ended), ...Array.from({ length: ended }, inventedAdset)];
      snapshot = compileSnapshot(rows);
    }
    const nowMs = START_MS + elapsedMs;
    const offer = nextOffer(nowMs);
    const segment = segmentIn(offer.body, snapshot);
    const sums = minutes[minute]!;
    sums.requests += 1;
    if (!shaper.admits(ssp, nowMs) || segment === null) continue;
    sums.open += 1;
    const bids = auctionOf(offer, snapshot, nowMs);
    const charged = bids.reduce((sum, { micros }) => sum + micros, 0);
    sums.all += charged;
    if (random() < 1 / TIMES) sums.byChance += charged;
    const choice = shaper.choose(ssp, segment, nowMs);
    if (choice.by === 'skipped') continue;
    sums.read += 1;
    sums.kept += charged;
    sums.weighted += charged * choice.weight;
    if (choice.by === 'random') sums.atRandom += 1;
    let expected = 0;
    for (const { ref, micros } of bids) {
      expected += expectedChargeMicros(ref, wins);
      wins.add({ ...pricePointOf(ref), placed: 1, won: micros > 0 ? 1 : 0 });
    }
    shaper.learn(ssp, segment, choice, expected, nowMs);
  }
}

/** CPU time of a request that is skipped, and of one that is read and auctioned, in microseconds. */
function measureCpu() {
  const snapshot = compileSnapshot(Array.from({ length: ADSETS }, inventedAdset));
  const offers: Offer[] = [];
  while (offers.length < 2000) {
    const offer = nextOffer(START_MS);
    if (segmentIn(offer.body, snapshot) !== null) offers.push(offer);
  }
  const shaper = new TrafficShaper({ bidders: () => 1, random });
  for (const [index, { body }] of offers.entries())
    shaper.learn(ssp, segmentIn(body, snapshot)!, READ, index % 100, START_MS);
  let skipped = 0;
  const skip = ({ body }: Offer): void => {
    const segment = segmentIn(body, snapshot);
    if (
      segment !== null &&
      shaper.choose({ ...ssp, requestsPerSecond: 1 }, segment, START_MS).by === 'skipped'
    )
      skipped += 1;
  };
  const read = (offer: Offer): void => {
    segmentIn(offer.body, snapshot);
    auctionOf(offer, snapshot, START_MS);
  };
  const microsOf = (work: (offer: Offer) => void): number => {
    const rounds: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const before = process.cpuUsage();
      for (const offer of offers) work(offer);
      const { user, system } = process.cpuUsage(before);
      rounds.push((user + system) / offers.length);
    }
    return rounds.toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  };
  const cpu = { skip: microsOf(skip), read: microsOf(read) };
  if (skipped < offers.length * 14) throw new Error('Requests that should be skipped were read');
  return cpu;
}

const minutes = simulate();
const sumsOf = (from: number, until: number) => {
  const part = minutes.slice(from, until);
  const sum = (field: keyof Sums) => part.reduce((total, one) => total + one[field], 0);
  return {
    kept: sum('kept') / sum('all'),
    byChance: sum('byChance') / sum('all'),
    weighted: sum('weighted') / sum('all'),
    read: sum('read') / sum('requests'),
    readOfOpen: sum('read') / sum('open'),
    atRandom: sum('atRandom') / sum('requests'),
  };
};
const first = sumsOf(0, 1);
const settled = sumsOf(2, CHANGE_MINUTE);
const changed = sumsOf(CHANGE_MINUTE, CHANGE_MINUTE + 1);
const later = sumsOf(CHANGE_MINUTE + 2, MINUTES);
const cpu = measureCpu();
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
for (const [name, sums] of [
  ['first minute', first],
  ['minutes 3 to 5', settled],
  ['a third of the ad sets is new, first minute', changed],
  ['minutes 3 to 5 after that', later],
] as const)
  console.log(
    `${name.padEnd(44)} ${percent(sums.kept)} of the charges from ${percent(sums.read)} of the requests (${percent(sums.atRandom)} at random), ${percent(sums.readOfOpen)} of those that their outlines do not refuse; by chance ${percent(sums.byChance)}; by weights ${percent(sums.weighted)} of all`,
  );
console.log(
  `CPU time ${cpu.skip.toFixed(1)} µs for a request that is skipped, ${cpu.read.toFixed(1)} µs for one that is read`,
);
const rounded = (value: number): number => Number(value.toFixed(3));
console.log(
  JSON.stringify({
    bench: 'shaping',
    ratio: rounded(settled.kept),
    afterChange: rounded(changed.kept),
    laterAfterChange: rounded(later.kept),
    readOfOpen: rounded(settled.readOfOpen),
    byChance: rounded(settled.byChance),
    weighted: rounded(settled.weighted),
    skipMicros: rounded(cpu.skip),
    readMicros: rounded(cpu.read),
  }),
);
