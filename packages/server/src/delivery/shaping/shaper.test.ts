import { seededRandom } from '@bidwell/exchange/random';
import { runs } from '@bidwell/testing/whole-run';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RequestSegment, UNKNOWN_SEGMENT } from './request-values.ts';
import { TrafficShaper } from './shaper.ts';

const segmentOf = (bundle: number, format = 'banner 320x50'): RequestSegment => ({
  country: 'US',
  os: 'android',
  format: { label: format, hash: format.length },
  floorStep: 3,
  bundle,
});

const exchange = (requestsPerSecond: number) => ({ slug: 'adx', requestsPerSecond });

interface World {
  limit: number;
  /** Requests a second, and the seconds. */
  offered: number;
  seconds: number;
  bundles: number;
  /** The value of a request of a bundle, in micros. */
  valueOf: (bundle: number, second: number) => number;
  seed?: number;
}

/** Offers requests of equally frequent bundles at random times, and learns from those that are read. */
function simulate({ limit, offered, seconds, bundles, valueOf, seed = 1 }: World) {
  const random = seededRandom(seed);
  const shaper = new TrafficShaper({ bidders: () => 1, random });
  const ssp = exchange(limit);
  const read: { atMs: number; by: string; weight: number; value: number }[] = [];
  const all = { requests: 0, value: 0 };
  for (let atMs = 0; atMs < seconds * 1000; atMs += (-Math.log(1 - random()) * 1000) / offered) {
    const bundle = 1 + Math.floor(random() * bundles);
    const value = valueOf(bundle, atMs / 1000);
    if (!shaper.admits(ssp, atMs)) continue;
    all.requests += 1;
    all.value += value;
    const segment = segmentOf(bundle);
    const choice = shaper.choose(ssp, segment, atMs);
    if (choice.by === 'skipped') continue;
    shaper.learn(ssp, segment, choice, value, atMs);
    read.push({ atMs, ...choice, value });
  }
  return { read, all };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const worlds = fc.record({
  limit: fc.integer({ min: 1, max: 200 }),
  times: fc.double({ min: 0.2, max: 12, noNaN: true }),
  bundles: fc.integer({ min: 1, max: 30 }),
  spread: fc.integer({ min: 0, max: 3 }),
  seed: fc.nat(),
});
const worldOf = ({
  limit,
  times,
  bundles,
  spread,
  seed,
}: {
  limit: number;
  times: number;
  bundles: number;
  spread: number;
  seed: number;
}): World => ({
  limit,
  offered: limit * times,
  seconds: 20,
  bundles,
  valueOf: (bundle) => bundle ** spread,
  seed,
});

test('no more requests are read in any time than the limit allows, and as many where enough are offered', () => {
  fc.assert(
    fc.property(worlds, (generated) => {
      const world = worldOf(generated);
      const { read } = simulate(world);
      const { limit, seconds } = world;
      for (let from = 0; from < read.length; from += 7) {
        const until = Math.min(read.length - 1, from + limit * 3);
        const elapsed = (read[until]!.atMs - read[from]!.atMs) / 1000;
        expect(until - from + 1).toBeLessThanOrEqual(limit + limit * elapsed + 1e-6);
      }
      if (generated.times > 1.5 && limit >= 10) expect(read.length).toBeGreaterThan(limit * seconds * 0.93);
    }),
    runs(60),
  );
});

test.each<[string, World['valueOf']]>([
  [
    'of one value that is learned from few bids',
    (_bundle, second) => (Math.floor(second * 977) % 10 < 3 ? 3000 : 0),
  ],
  ['whose value falls', (_bundle, second) => 3000 / (1 + second)],
])('the limit is used for requests %s', (_name, valueOf) => {
  for (const limit of [10, 100])
    for (const times of [8, 40]) {
      const { read } = simulate({ limit, offered: limit * times, seconds: 30, bundles: 1, valueOf });
      expect(read.length).toBeGreaterThan(limit * 30 * 0.85);
    }
});

test('the best requests are read at changing rates, whatever other requests come between them', () => {
  const random = seededRandom(5);
  const shaper = new TrafficShaper({ bidders: () => 1, random });
  const ssp = exchange(20);
  const high = { value: 0, all: 0 };
  for (let atMs = 0; atMs < 600_000;) {
    const isHigh = Math.floor(atMs / 10_000) % 2 === 1;
    const [biddable, others] = isHigh ? [80, 80] : [10, 60];
    atMs += (-Math.log(1 - random()) * 1000) / (biddable + others);
    // Of the others, their outlines say that they get no bid.
    if (!shaper.admits(ssp, atMs) || random() < others / (biddable + others)) continue;
    const bundle = 1 + Math.floor(random() * 5);
    const value = bundle === 1 ? 500 : 20;
    if (isHigh && atMs > 60_000) high.all += value;
    const choice = shaper.choose(ssp, segmentOf(bundle), atMs);
    if (choice.by === 'skipped') continue;
    shaper.learn(ssp, segmentOf(bundle), choice, value, atMs);
    if (isHigh && atMs > 60_000) high.value += value;
  }
  expect(high.value / high.all).toBeGreaterThan(0.65);
});

test('within its limit every request of an exchange is read, and stands for itself', () => {
  const { read, all } = simulate({ limit: 100, offered: 60, seconds: 30, bundles: 5, valueOf: () => 1 });
  expect(read).toHaveLength(all.requests);
  expect(new Set(read.map(({ weight }) => weight))).toEqual(new Set([1]));
});

test('a tenth of the limit is read regardless of value, and the weights sum to what was offered', () => {
  fc.assert(
    fc.property(worlds, (generated) => {
      const { read, all } = simulate({
        ...worldOf({ ...generated, times: 2 + generated.times / 2 }),
        seconds: 60,
      });
      const atRandom = read.filter(({ by }) => by === 'random').length;
      // A share of a few a second leaves some of them out, since they come at random times.
      const leastShare = generated.limit < 5 ? 0.2 : 0.4;
      expect(atRandom).toBeGreaterThan(60 * Math.max(1, generated.limit / 10) * leastShare - 3);
      const represented = sum(read.map(({ weight }) => weight)) / all.requests;
      expect(Math.abs(represented - 1)).toBeLessThan(2.5 / Math.sqrt(atRandom) + 0.02);
    }),
    runs(30),
  );
});

test('requests of each kind are represented, in whatever order and bursts an exchange sends them', () => {
  const kinds = { common: segmentOf(1, 'banner 320x50'), valuable: segmentOf(2, 'video') };
  for (const [limit, offered, everyMs, spreadMs] of [
    [10, 80, 1000, 20],
    [10, 50, 1000, 1000],
    [20, 40, 200, 5],
    [100, 800, 1000, 20],
    [100, 20, 100, 5],
  ] as const) {
    const shaper = new TrafficShaper({ bidders: () => 1, random: seededRandom(limit + offered) });
    const ssp = exchange(limit);
    const seen = { common: { weight: 0, read: 0 }, valuable: { weight: 0, read: 0 } };
    const bursts = 600_000 / everyMs;
    for (let burst = 0; burst < bursts; burst += 1)
      for (let request = 0; request < offered; request += 1) {
        const atMs = burst * everyMs + (request * spreadMs) / offered;
        if (!shaper.admits(ssp, atMs)) continue;
        // The valuable ones come last.
        const kind = request < offered / 2 ? 'common' : 'valuable';
        const choice = shaper.choose(ssp, kinds[kind], atMs);
        seen[kind].weight += choice.weight;
        if (choice.by === 'skipped') continue;
        seen[kind].read += 1;
        shaper.learn(ssp, kinds[kind], choice, kind === 'common' ? 100 : 1000, atMs);
      }
    const each = (bursts * offered) / 2;
    expect(seen.common.weight / each).toBeCloseTo(1, 0.7);
    expect(seen.valuable.weight / each).toBeCloseTo(1, 0.7);
    expect(seen.valuable.read).toBeGreaterThan(4 * seen.common.read);
  }
});

test('a request also stands for requests beyond ten times the limit, which are refused unread', () => {
  for (const [limit, offered, bidders] of [
    [10, 1000, 1],
    [100, 3000, 1],
    [10, 60, 4],
  ] as const) {
    const random = seededRandom(offered);
    const shaper = new TrafficShaper({ bidders: () => bidders, random });
    const ssp = exchange(limit);
    const weights: [number, number] = [0, 0];
    const all: [number, number] = [0, 0];
    for (let atMs = 0; atMs < 300_000; atMs += 1000 / offered) {
      // Of each ten requests, the first three are of one kind.
      const kind = Math.round((atMs * offered) / 1000) % 10 < 3 ? 0 : 1;
      all[kind] += 1;
      if (!shaper.admits(ssp, atMs)) continue;
      weights[kind] += shaper.choose(ssp, segmentOf(kind + 1), atMs).weight * shaper.standsFor(ssp);
    }
    expect((weights[0] + weights[1]) / (all[0] + all[1])).toBeCloseTo(1, 0.6);
    expect(weights[0] / (weights[0] + weights[1])).toBeCloseTo(0.3, 0.8);
  }
  const within = new TrafficShaper({ bidders: () => 1, random: () => 0.5 });
  for (let atMs = 0; atMs < 10_000; atMs += 25) within.admits(exchange(10), atMs);
  expect(within.standsFor(exchange(10))).toBe(1);
});

test('a clock that is set back does not stop the reading', () => {
  const shaper = new TrafficShaper({ bidders: () => 1, random: seededRandom(1) });
  let read = 0;
  for (let ms = 0; ms < 40_000; ms += 20) {
    const atMs = ms < 30_000 ? ms : ms - 9000;
    if (!shaper.admits(exchange(10), atMs)) continue;
    if (shaper.choose(exchange(10), segmentOf(1), atMs).by !== 'skipped' && ms >= 30_000) read += 1;
  }
  expect(read).toBeGreaterThan(80);
});

test('of five times the limit, the requests of the most value are read, and the weighted value is that of all', () => {
  const kept: number[] = [];
  const totals: number[] = [];
  for (let seed = 1; seed <= 10; seed += 1) {
    const { read, all } = simulate({
      limit: 100,
      offered: 500,
      seconds: 120,
      bundles: 20,
      valueOf: (bundle) => (bundle % 5 === 0 ? 500 : 20 * (bundle % 3)),
      seed,
    });
    kept.push(sum(read.map(({ value }) => value)) / all.value);
    totals.push(sum(read.map(({ value, weight }) => value * weight)) / all.value);
  }
  // A fifth of the bundles has 0.87 of the value, of which a tenth of the reads is not.
  expect(Math.min(...kept)).toBeGreaterThan(0.72);
  expect(sum(totals) / totals.length).toBeCloseTo(1, 1);
});

test('when campaigns end and others begin, the requests that are read follow within minutes', () => {
  const { read } = simulate({
    limit: 50,
    offered: 250,
    seconds: 360,
    bundles: 10,
    valueOf: (bundle, second) => ((second < 120 ? bundle <= 2 : bundle >= 9) ? 500 : 0),
  });
  const share = (from: number, until: number): number => {
    const then = read.filter(({ atMs }) => atMs >= from * 1000 && atMs < until * 1000);
    return then.filter(({ value }) => value > 0).length / then.length;
  };
  expect(share(60, 120)).toBeGreaterThan(0.75);
  expect(share(300, 360)).toBeGreaterThan(0.75);
});

test('requests of which nothing is known are read as often as others of the value that they had', () => {
  const random = seededRandom(3);
  const shaper = new TrafficShaper({ bidders: () => 1, random });
  const counts = { unknown: 0, known: 0 };
  for (let atMs = 0; atMs < 60_000; atMs += 4) {
    const isUnknown = (atMs / 4) % 4 === 0;
    const segment = isUnknown ? UNKNOWN_SEGMENT : segmentOf(1);
    const choice = shaper.choose(exchange(50), segment, atMs);
    if (choice.by === 'skipped') continue;
    shaper.learn(exchange(50), segment, choice, isUnknown ? 100 : 1, atMs);
    if (atMs > 30_000) counts[isUnknown ? 'unknown' : 'known'] += 1;
  }
  expect(counts.unknown).toBeGreaterThan(counts.known * 4);
});

test.each([1, 3, 8])("an exchange's limit applies to %i bidders together", (bidders) => {
  const random = seededRandom(1);
  const shapers = Array.from(
    { length: bidders },
    () => new TrafficShaper({ bidders: () => bidders, random }),
  );
  const counts = { outlines: 0, read: 0 };
  for (let ms = 0; ms < 10_000; ms += 1) {
    for (let request = 0; request < 4; request += 1) {
      const shaper = shapers[(ms + request) % bidders]!;
      if (!shaper.admits(exchange(100), ms)) continue;
      counts.outlines += 1;
      if (shaper.choose(exchange(100), segmentOf(request), ms).by !== 'skipped') counts.read += 1;
    }
  }
  // Ten seconds, plus the second with which the buckets start; of ten times as many the outlines.
  expect(counts.read).toBeGreaterThan(980);
  expect(counts.read).toBeLessThanOrEqual(1100);
  expect(counts.outlines).toBeGreaterThan(9800);
  expect(counts.outlines).toBeLessThanOrEqual(11_000);
});

test('a limit below the number of bidders still admits some requests', () => {
  const shaper = new TrafficShaper({ bidders: () => 10, random: () => 0.5 });
  const read = Array.from({ length: 60 }, (_, second) =>
    shaper.choose(exchange(2), segmentOf(1), second * 1000),
  ).filter(({ by }) => by !== 'skipped');
  expect(read.length).toBeGreaterThanOrEqual(11);
  expect(read.length).toBeLessThanOrEqual(13);
});
