import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { SeenWindow, uuidTimeMs } from './seen-window.ts';

const DAY_MS = 86_400_000;

test('a pair is new once, whatever else was added or taken back', () => {
  const bids = Array.from({ length: 60 }, () => uuidv7());
  const step = fc.record({ add: fc.boolean(), bid: fc.nat(59), kind: fc.nat(15) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const window = new SeenWindow(7);
      const model = new Set<string>();
      for (const { add, bid, kind } of steps) {
        const key = `${bid} ${kind}`;
        if (add) expect(window.add(bids[bid]!, kind)).toBe(!model.has(key));
        else window.remove(bids[bid]!, kind);
        if (add) model.add(key);
        else model.delete(key);
      }
      for (const [bid, uuid] of bids.entries()) expect(window.add(uuid, 3)).toBe(!model.has(`${bid} 3`));
    }),
  );
});

test('many pairs are all remembered', () => {
  const window = new SeenWindow(7);
  const bids = Array.from({ length: 20_000 }, () => uuidv7());
  expect(bids.every((bid) => window.add(bid, 1))).toBe(true);
  expect(bids.some((bid) => window.add(bid, 1))).toBe(false);
});

test('a bid outside its days is expired', () => {
  const window = new SeenWindow(7);
  const bid = uuidv7();
  const madeMs = uuidTimeMs(bid);
  expect(window.expired(bid, madeMs + 7 * DAY_MS)).toBe(false);
  expect(window.expired(bid, madeMs + 7 * DAY_MS + 1)).toBe(true);
  expect(window.expired(bid, madeMs - 2 * DAY_MS)).toBe(true);
});
