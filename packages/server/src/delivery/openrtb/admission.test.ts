import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Admission, ShedShare } from './admission.ts';

/** An admission that has learnt a time limit of 100 ms and that a request takes 0.1 ms; and the time since, ms. */
function warmed({ limitMs = 100 } = {}) {
  const admission = new Admission();
  for (let times = 0; times < 500; times += 1) admission.observeLimit('exchange', limitMs);
  for (let times = 0; times < 100; times += 1) {
    enter(admission);
    admission.served(1, 0.1, 0);
  }
  for (let times = 0; times < 200; times += 1) {
    for (let count = 0; count < 30; count += 1) enter(admission);
    admission.served(30, 3, 0);
  }
  return {
    admission,
    /** Number of `requests` that are admitted at a time. */
    admitted(requests: number, at: Parameters<typeof enter>[1] = {}) {
      let count = 0;
      for (let index = 0; index < requests; index += 1) if (enter(admission, at)) count += 1;
      return count;
    },
  };
}

/** Whether a request is admitted, whose body arrives at once unless it is `slow`. */
function enter(
  admission: Admission,
  { waitedMs = 0, nowMs = 0, exchange = 'exchange', slow = false } = {},
): boolean {
  if (!admission.admits(exchange, waitedMs, nowMs)) return false;
  if (!slow) admission.arrived(exchange, nowMs);
  return true;
}

test('a request that waited for most of its time limit is shed', () => {
  const { admitted } = warmed();
  expect(admitted(1, { waitedMs: 55 })).toBe(1);
  expect(admitted(1, { waitedMs: 65 })).toBe(0);
});

test('a burst is admitted as far as its work fits into the time limit', () => {
  const { admitted } = warmed();
  const count = admitted(2000);
  expect(count).toBeGreaterThan(500);
  expect(count).toBeLessThan(700);
});

test('a queue that does not get empty is shortened, and full length is allowed again once it was', () => {
  const { admission, admitted } = warmed();
  let pending = admitted(500);
  admission.served(100, 10, 150);
  pending -= 100;
  expect(admitted(1, { nowMs: 151 })).toBe(0);
  admission.served(pending, pending / 10, 190);
  expect(admitted(500, { nowMs: 191 })).toBe(500);
});

test('the limits of an exchange are learnt, and count only for it', () => {
  const { admission, admitted } = warmed();
  for (let times = 0; times < 20; times += 1) admission.observeLimit('exchange', 40);
  for (let times = 0; times < 500; times += 1) admission.observeLimit('patient', Infinity);
  expect(admitted(1, { waitedMs: 30 })).toBe(0);
  expect(admitted(1, { waitedMs: 200, exchange: 'patient' })).toBe(1);
});

test('one request with an odd limit does not shed those after it', () => {
  const { admission, admitted } = warmed();
  admission.observeLimit('exchange', 1);
  expect(admitted(1, { waitedMs: 40 })).toBe(1);
});

test('clients that send their bodies slowly cannot fill the memory, nor keep out clients of other exchanges', () => {
  const { admission, admitted } = warmed();
  expect(admitted(100_000, { slow: true })).toBeLessThanOrEqual(1024);
  expect(admitted(100, { exchange: 'another', slow: true })).toBe(100);
  for (const exchange of ['a', 'b', 'c', 'd']) admitted(100_000, { exchange, slow: true });
  expect(admitted(1, { exchange: 'another', slow: true })).toBe(0);
  admission.left('exchange');
  expect(admitted(1, { exchange: 'last', slow: true })).toBe(1);
});

test('a body that has not arrived keeps no request waiting', () => {
  const { admitted } = warmed();
  admitted(500, { slow: true });
  expect(admitted(1, { waitedMs: 30, nowMs: 200, exchange: 'exchange' })).toBe(1);
});

test('a request is always admitted once all before it are done, unless it waited too long', () => {
  const step = fc.record({
    waitedMs: fc.double({ min: 0, max: 500, noNaN: true }),
    requests: fc.integer({ min: 1, max: 50 }),
    tookMs: fc.double({ min: 0.01, max: 400, noNaN: true }),
    stays: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const admission = new Admission();
      admission.observeLimit('exchange', 100);
      let nowMs = 0;
      let pending = 0;
      for (const { waitedMs, requests, tookMs, stays } of steps) {
        for (let count = 0; count < requests; count += 1)
          if (enter(admission, { waitedMs, nowMs })) pending += 1;
        nowMs += tookMs;
        if (stays || pending === 0) continue;
        admission.served(pending, tookMs, nowMs);
        pending = 0;
      }
      if (pending > 0) admission.served(pending, 1, nowMs);
      expect(admission.admits('exchange', 0, nowMs)).toBe(true);
    }),
  );
});

/** Counts this number of requests at an instant, some of them shed. */
function countShed(share: ShedShare, requests: number, shed: number, nowMs: number): void {
  for (let index = 0; index < requests; index += 1) share.count(index < shed, nowMs);
}

test('a hundred shed requests of many are a part to tell of', () => {
  const share = new ShedShare();
  countShed(share, 2000, 100, 0);
  expect(share.percent(1000)).toBe(5);
});

test('a single shed request of a hundred is none, nor are a hundred of very many', () => {
  const few = new ShedShare();
  countShed(few, 100, 1, 0);
  expect(few.percent(1000)).toBeNull();
  const many = new ShedShare();
  countShed(many, 20_000, 100, 0);
  expect(many.percent(1000)).toBeNull();
});

test('few shed requests are reported after five minutes in a row, until they end', () => {
  const share = new ShedShare();
  for (let slot = 0; slot <= 9; slot += 1) countShed(share, 100, 5, slot * 30_000);
  expect(share.percent(9 * 30_000 + 1)).toBeNull();
  countShed(share, 100, 5, 300_000);
  expect(share.percent(300_001)).toBe(5);
  countShed(share, 100, 0, 330_000);
  countShed(share, 100, 0, 360_000);
  expect(share.percent(360_001)).toBeNull();
});
