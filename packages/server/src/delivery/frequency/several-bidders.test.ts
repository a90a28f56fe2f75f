import fc from 'fast-check';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { compileCaps, subjectOf } from '../model/frequency.ts';
import { type CappedBid, FrequencyCaps } from './frequency-caps.ts';
import { BidsToOnePerson, HighestOfMinute, overshootMax } from './overshoot.ts';

const START_MS = Date.UTC(2026, 4, 4, 12);
const caps = compileCaps({
  adsetId: uuidv4(),
  campaignId: uuidv4(),
  caps: [
    { impressions: 2, minutes: 1 },
    { impressions: 5, minutes: 10 },
  ],
})!;
const { adsetSubject, campaignSubject } = caps;

/** Deterministic pseudo-random numbers between 0 and 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Settings {
  bidders: number;
  /** Share of the notices that come after the time for which a bid counts. */
  late: number;
  /** Longest delay of messages between bidders, ms; Infinity where none arrives. */
  lagMs: number;
  people?: number;
  /** Mean time between two requests of a person, and for how long they come, ms. */
  everyMs?: number;
  runMs?: number;
  seed?: number;
}

/**
 * Simulates people who ask for an ad again and again, at any bidder; returns the impressions, those beyond a cap of any period, the most by
 * which a person exceeded one, and the most bids of a bidder to one person within a second.
 */
function simulate(settings: Settings) {
  const { bidders, late, lagMs, people = 150, everyMs = 4000, runMs = 30 * 60_000, seed = 7 } = settings;
  const random = randomOf(seed);
  const rates = Array.from({ length: bidders }, () => new BidsToOnePerson());
  let bidsPerSecond = 0;
  const HOLD_MS = 20_000;
  const all = Array.from({ length: bidders }, () => new FrequencyCaps(4 * 1024 ** 2));
  const queue: { atMs: number; run: (nowMs: number) => void }[] = [];
  const at = (atMs: number, run: (nowMs: number) => void): void => {
    let low = 0;
    let high = queue.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (queue[middle]!.atMs >= atMs) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, { atMs, run });
  };
  const shown = new Map<number, number[]>();
  const ask = (person: number) => (nowMs: number) => {
    if (nowMs < START_MS + runMs) at(nowMs - Math.log(1 - random()) * everyMs, ask(person));
    const own = Math.floor(random() * bidders);
    const key = { high: person, low: person };
    if (all[own]!.noBidReason(caps, key, nowMs, 0) !== null) return;
    const bid: CappedBid = { bid: subjectOf(uuidv7()), person: key, adsetSubject, campaignSubject };
    all[own]!.sent(bid, caps, nowMs, HOLD_MS);
    rates[own]!.add(person, nowMs);
    bidsPerSecond = Math.max(bidsPerSecond, rates[own]!.perSecond(nowMs));
    for (const other of all)
      if (other !== all[own] && lagMs < Infinity)
        at(nowMs + random() * lagMs, (later) => other.sentElsewhere(bid, later, HOLD_MS));
    if (random() < 0.3) return;
    const isImpression = random() < 0.6;
    const delayMs = random() < late ? HOLD_MS + random() * 60_000 : random() * HOLD_MS * 0.9;
    if (isImpression) {
      const times = shown.get(person) ?? [];
      shown.set(person, times);
      at(nowMs + delayMs, (later) => void times.push(later));
    }
    for (const one of lagMs < Infinity ? all : [all[own]!])
      at(nowMs + delayMs + (one === all[own] ? 0 : random() * lagMs), (later) =>
        one.ended({ ...bid, isImpression, atMs: later }),
      );
  };
  for (let person = 0; person < people; person += 1) at(START_MS + random() * everyMs, ask(person));
  for (let next = queue.pop(); next; next = queue.pop()) next.run(next.atMs);
  let impressions = 0;
  let beyond = 0;
  let mostBeyond = 0;
  for (const times of shown.values())
    for (const [index, time] of times.entries()) {
      impressions += 1;
      const excess = caps.adset.map(
        ({ impressions: most, minutes }) =>
          times.slice(0, index + 1).filter((other) => other > time - minutes * 60_000).length - most,
      );
      if (Math.max(...excess) > 0) beyond += 1;
      mostBeyond = Math.max(mostBeyond, ...excess);
    }
  return { impressions, beyond, mostBeyond, bidsPerSecond };
}

describe('impressions beyond a cap', () => {
  test.each<[string, Settings, number]>([
    ['none with one bidder and notices in time', { bidders: 1, late: 0, lagMs: 0 }, 0],
    ['at most 1% with one bidder and late notices', { bidders: 1, late: 0.01, lagMs: 0 }, 0.01],
    ['at most 3% with four bidders', { bidders: 4, late: 0.01, lagMs: 100 }, 0.03],
  ])('are %s', (_name, settings, most) => {
    const { impressions, beyond } = simulate(settings);
    expect(impressions).toBeGreaterThan(1500);
    expect(beyond / impressions).toBeLessThanOrEqual(most);
  });

  test('are many with four bidders that do not hear of each other', () => {
    const { impressions, beyond } = simulate({ bidders: 4, late: 0, lagMs: Infinity });
    expect(beyond / impressions).toBeGreaterThan(0.2);
  });
});

test('no person exceeds a cap by more than the bound of the metrics', () => {
  const settings = fc.record({
    bidders: fc.integer({ min: 2, max: 5 }),
    lagMs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 3000 })),
    everyMs: fc.integer({ min: 20, max: 1000 }),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(settings, (chosen) => {
      const { mostBeyond, bidsPerSecond } = simulate({ ...chosen, late: 0, people: 10, runMs: 90_000 });
      const { bidders, lagMs } = chosen;
      expect(mostBeyond).toBeLessThanOrEqual(overshootMax({ bidders, bidsPerSecond, lagMs: lagMs + 1 }));
    }),
    { numRuns: 60 },
  );
});

test('the highest figures are of the last minute', () => {
  const lags = new HighestOfMinute();
  lags.add(50, START_MS);
  lags.add(20, START_MS + 30_000);
  expect([0, 59_000, 60_000, 91_000].map((ms) => lags.at(START_MS + ms))).toEqual([50, 50, 20, 0]);
  const bids = new BidsToOnePerson();
  for (const person of [1, 2, 1, 1]) bids.add(person, START_MS);
  bids.add(1, START_MS + 1000);
  expect(bids.perSecond(START_MS + 2000)).toBe(3);
  const acrossSeconds = new BidsToOnePerson();
  for (const ms of [900, 1100, 1899, 2200]) acrossSeconds.add(1, START_MS + ms);
  expect(acrossSeconds.perSecond(START_MS + 3000)).toBe(3);
});
