import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { BUCKET_MS, DeduplicationWindow, WINDOW_MS } from './deduplication-window.ts';

const NOW_MS = Date.UTC(2026, 4, 1, 12);
const bidAt = (msecs: number) => uuidv7({ msecs });

test('a pair is new once, with any other additions and removals', () => {
  // Bids on both sides of the two hours, and in several buckets of the window.
  const bids = Array.from({ length: 60 }, (_, index) => bidAt(NOW_MS - index * 4 * 60_000));
  const step = fc.record({ add: fc.boolean(), bid: fc.nat(59), kind: fc.nat(17) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const window = new DeduplicationWindow(NOW_MS);
      const model = new Set<string>();
      for (const { add, bid, kind } of steps) {
        const key = `${bid} ${kind}`;
        expect(window.has(bids[bid]!, kind)).toBe(model.has(key));
        if (add) expect(window.add(bids[bid]!, kind)).toBe(!model.has(key));
        else window.remove(bids[bid]!, kind);
        if (add) model.add(key);
        else model.delete(key);
      }
      for (const [bid, uuid] of bids.entries()) expect(window.add(uuid, 3)).toBe(!model.has(`${bid} 3`));
    }),
  );
});

test('many pairs are remembered, in about ten bytes each', () => {
  const window = new DeduplicationWindow(NOW_MS);
  const bids = Array.from({ length: 200_000 }, (_, index) => bidAt(NOW_MS - (index % 7000) * 1000));
  expect(bids.every((bid) => window.add(bid, 1))).toBe(true);
  expect(window.bytes / bids.length).toBeLessThan(12);
  expect(bids.some((bid) => window.add(bid, 1))).toBe(false);
  expect(window.size).toBe(bids.length);
});

test('an empty window covers nothing, and no window covers bids older than two hours', () => {
  const window = new DeduplicationWindow(NOW_MS);
  const [young, old] = [bidAt(NOW_MS - WINDOW_MS + BUCKET_MS), bidAt(NOW_MS - WINDOW_MS - BUCKET_MS)];
  expect(window.covers(young)).toBe(false);
  window.coverFrom(0);
  expect([window.covers(young), window.covers(old)]).toEqual([true, false]);
  window.expire(NOW_MS + 3 * BUCKET_MS);
  expect(window.covers(young)).toBe(false);
});

test('a full window drops its oldest bids, which it then does not cover', () => {
  const window = new DeduplicationWindow(NOW_MS, 1000);
  window.coverFrom(0);
  const [old, young] = [NOW_MS - 90 * 60_000, NOW_MS - 60_000].map((atMs) =>
    Array.from({ length: 600 }, () => bidAt(atMs)),
  );
  for (const bid of [...old!, ...young!]) window.add(bid, 0);
  expect(window.size).toBe(600);
  expect(young!.every((bid) => window.covers(bid) && window.has(bid, 0))).toBe(true);
  expect(old!.some((bid) => window.covers(bid))).toBe(false);
});

test('a window whose limit is lowered drops its oldest bids', () => {
  const window = new DeduplicationWindow(NOW_MS);
  window.coverFrom(0);
  const [old, young] = [bidAt(NOW_MS - 90 * 60_000), bidAt(NOW_MS - 60_000)];
  for (const bid of [old, young]) window.add(bid, 0);
  window.limit(1);
  expect([window.has(young, 0), window.covers(young), window.covers(old)]).toEqual([true, true, false]);
});
