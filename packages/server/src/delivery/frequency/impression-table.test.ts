import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupBy } from '../../platform/group-by.ts';
import type { Digest } from '../model/frequency.ts';
import { ImpressionTable } from './impression-table.ts';

/** Memory for this many impressions. */
const bytesFor = (impressions: number): number => impressions * 48;
const counterOf = (number: number): Digest => ({ high: number * 1024, low: number % 2 });
const seconds = (time: number): number => time * 1000;

const cap = (impressions: number, minutes: number) => [{ impressions, minutes }];

const actions = fc.array(
  fc.record({
    kind: fc.constantFrom('add', 'add', 'add', 'hold', 'release'),
    counter: fc.nat(5),
    bid: fc.nat(30),
    wait: fc.nat(50),
    late: fc.oneof(fc.constant(0), fc.nat(300)),
  }),
  { maxLength: 200 },
);

interface Added {
  counter: number;
  bid: number;
  at: number;
}

/** Each counter has its impressions in the order of their times, and the places that it has. */
function inOrder(added: readonly Added[]): Added[] {
  const sorted = groupBy(
    added.toSorted((x, y) => x.at - y.at),
    ({ counter }) => counter,
  );
  return added.map(({ counter }) => sorted.get(counter)!.shift()!);
}

test('it has the latest impressions and the open bids, whatever happens', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), actions, (size, all) => {
      const table = new ImpressionTable(bytesFor(size));
      expect(table.impressionsMax).toBe(size);
      let now = 1000;
      let added: Added[] = [];
      const held: { counter: number; slot: number }[] = [];
      for (const { kind, counter, bid, wait, late } of all) {
        now += wait;
        if (kind === 'hold') held.push({ counter, slot: table.hold(counterOf(counter)) });
        else if (kind === 'release') {
          const index = held.findIndex((one) => one.counter === counter);
          if (index >= 0) table.release(held.splice(index, 1)[0]!.slot);
        } else {
          const at = now - late;
          table.add(counterOf(counter), bid, seconds(at));
          const isKnown = added.some((one) => one.counter === counter && one.bid === bid);
          if (!isKnown) added = inOrder([...added, { counter, bid, at }].slice(-size));
        }
        const openOf = (of: number) => held.filter((one) => one.counter === of).length;
        for (let of = 0; of < 6; of += 1) {
          const recent = added.filter((one) => one.counter === of && one.at >= now - 120).length + openOf(of);
          expect(table.isReached(counterOf(of), cap(Math.max(1, recent), 2), seconds(now), 0)).toBe(
            recent > 0,
          );
          expect(table.isReached(counterOf(of), cap(recent + 1, 2), seconds(now), 0)).toBe(false);
        }
        const counters = new Set([...added, ...held].map((one) => one.counter));
        expect([table.size, table.counters]).toEqual([added.length, counters.size]);
      }
      expect([...table.stored(20_000)]).toEqual(
        added.map(({ counter, bid, at }) => ({ counter: counterOf(counter), bid, at })),
      );
    }),
  );
});

test('what is stored while it changes has each impression once', () => {
  const table = new ImpressionTable(bytesFor(4));
  for (let bid = 0; bid < 4; bid += 1) table.add(counterOf(bid), bid, seconds(1000 + bid));
  const stored = table.stored(1000);
  expect(stored.next().value?.bid).toBe(0);
  for (let bid = 4; bid < 6; bid += 1) table.add(counterOf(bid), bid, seconds(1000 + bid));
  expect([...stored].map(({ bid }) => bid)).toEqual([2, 3]);
});

test('only impressions that a cap may need count as forgotten', () => {
  const table = new ImpressionTable(bytesFor(1));
  table.setNeeded(60);
  table.add(counterOf(1), 1, seconds(1000));
  table.add(counterOf(2), 2, seconds(1030));
  expect(table.forgotten).toBe(1);
  table.add(counterOf(3), 3, seconds(2000));
  expect(table.forgotten).toBe(1);
});

test('many counters take the memory that is stated, and no more', () => {
  const impressions = 300_000;
  const table = new ImpressionTable(bytesFor(impressions));
  const words = new Uint32Array(randomBytes(impressions * 1.2 * 8).buffer);
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < words.length / 2; index += 1)
    table.add({ high: words[index * 2]!, low: words[index * 2 + 1]! }, index, seconds(index / 1000));
  expect(table.counters).toBe(impressions);
  const bytes = process.memoryUsage().arrayBuffers - before;
  // The look-ups that were outgrown, a quarter of it, are still there until the next garbage collection.
  expect(bytes).toBeLessThan(bytesFor(impressions) * 1.3);
});
