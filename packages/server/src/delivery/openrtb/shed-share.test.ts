import { expect, test } from 'vitest';
import { ShedShare } from './admission.ts';

/** Counts this number of requests at an instant, some of them shed. */
function count(share: ShedShare, requests: number, shed: number, nowMs: number): void {
  for (let index = 0; index < requests; index += 1) share.count(index < shed, nowMs);
}

test('a hundred shed requests of many are a part to tell of', () => {
  const share = new ShedShare();
  count(share, 2000, 100, 0);
  expect(share.percent(1000)).toBe(5);
});

test('a single shed request of a hundred is none, nor are a hundred of very many', () => {
  const few = new ShedShare();
  count(few, 100, 1, 0);
  expect(few.percent(1000)).toBeNull();
  const many = new ShedShare();
  count(many, 20_000, 100, 0);
  expect(many.percent(1000)).toBeNull();
});

test('few shed requests are reported after five minutes in a row, until they end', () => {
  const share = new ShedShare();
  for (let slot = 0; slot <= 9; slot += 1) count(share, 100, 5, slot * 30_000);
  expect(share.percent(9 * 30_000 + 1)).toBeNull();
  count(share, 100, 5, 300_000);
  expect(share.percent(300_001)).toBe(5);
  count(share, 100, 0, 330_000);
  count(share, 100, 0, 360_000);
  expect(share.percent(360_001)).toBeNull();
});
