import { expect, test } from 'vitest';
import { addToSum } from '../group-by.ts';
import { latencyBucketOf, latencyQuantileMs } from './latency-buckets.ts';

const histogramOf = (latenciesMs: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const ms of latenciesMs) addToSum(counts, latencyBucketOf(ms), 1);
  return counts;
};

test('quantiles of any latencies are off by at most 8 %', () => {
  const latencies = Array.from({ length: 5000 }, (_, n) => 0.02 * 1.0025 ** n);
  const counts = histogramOf(latencies);
  for (const part of [0.01, 0.5, 0.9, 0.99]) {
    const exact = latencies[Math.ceil(part * latencies.length) - 1]!;
    expect(Math.abs(latencyQuantileMs(counts, part)! / exact - 1)).toBeLessThan(0.08);
  }
});

test('latencies outside the bounds are counted in the outermost buckets', () => {
  expect(latencyQuantileMs(histogramOf([0.000_001]), 0.5)).toBe(0.01);
  expect(latencyQuantileMs(histogramOf([60_000]), 0.5)).toBe(10_000);
  expect(latencyQuantileMs(new Map(), 0.5)).toBeNull();
});
