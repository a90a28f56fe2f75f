import { expect, test } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { LearningSums } from './counts.ts';
import { formatKeyOf } from '../model/candidate.ts';
import { Learning } from './learning.ts';

/** Learns from one event alone. */
function observe(learning: Learning, event: DeliveryEvent): void {
  const sums = new LearningSums();
  sums.addEvent(event);
  learning.learn(sums.take(), event.atMs, () => null);
}

/** Predicted installs per impression of an ad set, for the features of `ref`. */
function rateOf(learning: Learning, ref: BidRef): number {
  const { creativeType: type, width, height, bundle, country } = ref;
  return learning.predict({ format: formatKeyOf({ type, width, height }), bundle, country }).rateOf(ref);
}

/** Trains an ad set with typical rates. */
function experienced(learning: Learning): BidRef {
  const ref = sampleRef();
  for (let count = 0; count < 3000; count += 1) {
    observe(learning, deliveryEvent(ref, 'impression'));
    if (count % 100 === 0) observe(learning, deliveryEvent(ref, 'click'));
    if (count % 1000 === 0) observe(learning, deliveryEvent(ref, 'install'));
  }
  return ref;
}

test('60 forged installs of one company change the bids of others by a factor of two at most', () => {
  const learning = new Learning();
  const [victim, newcomer] = [experienced(learning), sampleRef()];
  const before = [rateOf(learning, victim), rateOf(learning, newcomer)];
  const forger = sampleRef();
  for (let count = 0; count < 60; count += 1) observe(learning, deliveryEvent(forger, 'install'));
  expect(rateOf(learning, victim) / before[0]!).toBeLessThanOrEqual(2);
  expect(rateOf(learning, newcomer) / before[1]!).toBeLessThanOrEqual(2);
});

test.each([
  ['invalid traffic', { mark: 'bot' }],
  ['not plausible', { untrained: 'too_fast' }],
  ['too many for their clicks', { untrained: 'rate' }],
] as const)('60 installs that are %s change no bid', (_what, more) => {
  const learning = new Learning();
  const ref = experienced(learning);
  const before = rateOf(learning, ref);
  for (let count = 0; count < 60; count += 1) observe(learning, deliveryEvent(ref, 'install', more));
  expect(rateOf(learning, ref)).toBe(before);
});

test('reversed installs leave bids unchanged', () => {
  const learning = new Learning();
  const ref = experienced(learning);
  const before = rateOf(learning, ref);
  for (let count = 0; count < 20; count += 1) observe(learning, deliveryEvent(ref, 'install'));
  expect(rateOf(learning, ref)).toBeGreaterThan(before);
  for (let count = 0; count < 20; count += 1) observe(learning, deliveryEvent(ref, 'install_rejected'));
  expect(rateOf(learning, ref)).toBeCloseTo(before, 10);
});
