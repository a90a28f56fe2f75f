import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { compileCaps, subjectOf } from '../model/frequency.ts';
import { type CappedBid, FrequencyCaps } from './frequency-caps.ts';
import { BidsToOnePerson, HighestOfMinute } from './overshoot.ts';

const START_MS = Date.UTC(2026, 4, 4, 12);
const RUN_MS = 30 * 60_000;
const PEOPLE = 150;
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
}

/**
 * Simulates people who ask for an ad every few seconds, at any bidder; returns the impressions, and those beyond a cap of any period.
 */
function simulate({ bidders, late, lagMs }: Settings): { impressions: number; beyond: number } {
  const random = randomOf(7);
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
    if (nowMs < START_MS + RUN_MS) at(nowMs - Math.log(1 - random()) * 4000, ask(person));
    const own = Math.floor(random() * bidders);
    const key = { high: person, low: person };
    if (all[own]!.noBidReason(caps, key, nowMs, 0) !== null) return;
    const bid: CappedBid = { bid: subjectOf(uuidv7()), person: key, adsetSubject, campaignSubject };
    all[own]!.sent(bid, caps, nowMs, HOLD_MS);
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
  for (let person = 0; person < PEOPLE; person += 1) at(START_MS + random() * 4000, ask(person));
  for (let next = queue.pop(); next; next = queue.pop()) next.run(next.atMs);
  let impressions = 0;
  let beyond = 0;
  for (const times of shown.values())
    for (const [index, time] of times.entries()) {
      impressions += 1;
      const isBeyond = caps.adset.some(
        ({ impressions: most, minutes }) =>
          times.slice(0, index).filter((other) => other > time - minutes * 60_000).length >= most,
      );
      if (isBeyond) beyond += 1;
    }
  return { impressions, beyond };
}

describe('impressions beyond a cap', () => {
  test.each<[string, Settings, number]>([
    ['none with one bidder and notices in time', { bidders: 1, late: 0, lagMs: 0 }, 0],
    ['at most 1% with one bidder and late notices', { bidders: 1, late: 0.01, lagMs: 0 }, 0.01],
    ['at most 3% with four bidders', { bidders: 4, late: 0.01, lagMs: 100 }, 0.03],
  ])('are %s', (_name, settings, most) => {
    const { impressions, beyond } = simulate(settings);
    expect(impressions).toBeGreaterThan(PEOPLE * 10);
    expect(beyond / impressions).toBeLessThanOrEqual(most);
  });

  test('are many with four bidders that do not hear of each other', () => {
    const { impressions, beyond } = simulate({ bidders: 4, late: 0, lagMs: Infinity });
    expect(beyond / impressions).toBeGreaterThan(0.2);
  });
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
});
