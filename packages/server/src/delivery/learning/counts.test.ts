import fc from 'fast-check';
import { runs } from '@bidwell/testing/whole-run';
import { describe, expect, test } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { sampleRef } from '../trackers/sample-ref.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { decodeCounts, encodeCounts } from './feed.ts';
import { type LearningCounts, LearningSums } from './counts.ts';
import { Learning } from './learning.ts';

const NOW_MS = Date.parse('2026-05-04T12:00:00Z');
const base = sampleRef();
const creatives = ['creative-a', 'creative-b'];

const refs = fc
  .record({
    adset: fc.constantFrom(['one', 'a'], ['one', 'b'], ['two', 'c']),
    creativeId: fc.constantFrom(...creatives),
    bundle: fc.constantFrom('com.one', 'com.two', 'app with spaces'),
    country: fc.constantFrom('US', 'DE', ''),
    size: fc.constantFrom([320, 50], [300, 250]),
    bidCpmMicros: fc.integer({ min: 1, max: 20_000_000 }),
    test: fc.boolean(),
  })
  .map(({ adset: [companyId, adsetId], size: [width, height], ...rest }): BidRef => ({
    ...base,
    companyId: companyId!,
    adsetId: adsetId!,
    width: width!,
    height: height!,
    ...rest,
    test: rest.test && rest.bidCpmMicros % 4 === 0,
  }));
const events = fc
  .record({
    ref: refs,
    kind: fc.constantFrom(
      'win',
      'impression',
      'impression',
      'impression',
      'click',
      'install',
      'billing',
      'loss',
    ),
    spendMicros: fc.integer({ min: 1, max: 9000 }),
    mark: fc.constantFrom('', '', '', '', 'bot'),
    untrained: fc.constantFrom(undefined, undefined, undefined, 'too_fast'),
  })
  .map(({ spendMicros, kind, mark, untrained, ref }) => ({
    kind,
    ref,
    atMs: NOW_MS,
    spendMicros: kind === 'billing' ? spendMicros : 0,
    lossReason: 0,
    mark,
    ...(kind === 'install' && untrained && { untrained }),
  })) as fc.Arbitrary<DeliveryEvent>;
/** Events and sent bids, in order, and the places where the order is cut into batches. */
const histories = fc.record({
  steps: fc.array(fc.oneof({ weight: 4, arbitrary: events }, refs), { minLength: 1, maxLength: 400 }),
  cuts: fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 12 }),
});
type Step = DeliveryEvent | BidRef;

function sumsOf(steps: readonly Step[]): LearningCounts {
  const sums = new LearningSums();
  for (const step of steps)
    if ('kind' in step) sums.addEvent(step);
    else sums.addBid(step);
  return sums.take();
}

function split<Item>(items: readonly Item[], cuts: readonly number[]): Item[][] {
  const ends = [...cuts.map((cut) => cut % items.length), items.length].sort((a, b) => a - b);
  return ends.map((end, index) => items.slice(ends[index - 1] ?? 0, end));
}

function learnt(batches: readonly LearningCounts[]): Learning {
  const learning = new Learning();
  for (const counts of batches) learning.learn(counts, NOW_MS, () => 1_000_000);
  return learning;
}

const byKey = (counts: LearningCounts) => ({
  rates: [...counts.rates].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  prices: [...counts.prices].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
});

const placements = [
  { companyId: 'one', adsetId: 'a' },
  { companyId: 'one', adsetId: 'b' },
  { companyId: 'two', adsetId: 'c' },
].flatMap((adset) =>
  ['com.one', 'com.two', 'com.three'].map((bundle) => ({
    adset,
    placement: { bundle, country: 'US', format: 'Banner 320x50' },
    offer: { exchange: 'sample', country: 'US', format: 'Banner 320x50', floorCpmMicros: 100_000 },
  })),
);

/** Bids and their events with these click rates, a quarter of which is won. */
function weekOf(seed: number, clickRate: number): Step[] {
  const random = numbers(seed);
  return Array.from({ length: 3000 }).flatMap(() => {
    const { adset, placement } = placements[Math.floor(random() * placements.length)]!;
    const { bundle, country } = placement;
    const ref = {
      ...base,
      ...adset,
      bundle,
      country,
      creativeId: creatives[random() < 0.5 ? 0 : 1]!,
      bidCpmMicros: Math.round(500_000 + random() * 9_000_000),
    };
    if (random() > 0.25) return [ref];
    const at = (kind: DeliveryEvent['kind'], spendMicros = 0) =>
      deliveryEvent(ref, kind, { atMs: NOW_MS, spendMicros });
    const steps: Step[] = [ref, at('billing', 2000), at('impression')];
    if (random() < clickRate * (bundle === 'com.one' ? 3 : 1)) {
      steps.push(at('click'));
      if (random() < 0.1) steps.push(at('install'));
    }
    return steps;
  });
}

/** Deterministic numbers between 0 and 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 0x7fff_ffff) / 0x7fff_ffff;
}

describe('events that are added up in any parts', () => {
  test('have the same sums, also by way of messages', () => {
    fc.assert(
      fc.property(histories, ({ steps, cuts }) => {
        const merged = new LearningSums();
        for (const part of split(steps, cuts))
          for (const message of encodeCounts(sumsOf(part))) merged.merge(decodeCounts(message)!);
        expect(byKey(merged.take())).toEqual(byKey(sumsOf(steps)));
      }),
    );
  });

  test('lead to the same bids and creatives, and to nearly the same rates, as each event by itself', () => {
    const streams = fc.record({
      seed: fc.integer({ min: 1, max: 1e6 }),
      clickRate: fc.double({ min: 0.002, max: 0.05, noNaN: true }),
      batch: fc.oneof(fc.integer({ min: 2, max: 50 }), fc.integer({ min: 51, max: 1000 })),
    });
    fc.assert(
      fc.property(streams, ({ seed, clickRate, batch }) => {
        const steps = weekOf(seed, clickRate);
        const batches = Array.from({ length: Math.ceil(steps.length / batch) }, (_, index) =>
          sumsOf(steps.slice(index * batch, (index + 1) * batch)),
        );
        const models = [learnt(batches), learnt(steps.map((step) => sumsOf([step])))];
        for (const { placement, adset, offer } of placements) {
          const [bid, expected] = models.map(({ wins }) => wins.shadedCpmMicros(offer, 9_000_000, () => 0.5));
          expect(bid).toBe(expected);
          const uuids = creatives.map((uuid) => ({ uuid }));
          const [chosen, other] = models.map((learning) =>
            learning.creatives.choose(adset.adsetId, uuids, numbers(seed)),
          );
          expect(chosen).toBe(other);
          const [rate, single] = models.map((learning) => learning.predict(placement).rateOf(adset));
          const difference = Math.abs(Math.log(rate! / single!));
          // A batch is rarely more than a hundredth of the known counts; the largest here are a fifth.
          expect(difference).toBeLessThan(batch <= 50 ? 0.15 : 0.3);
        }
      }),
      runs(20),
    );
  });
});
