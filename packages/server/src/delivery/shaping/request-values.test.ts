import { expect, test } from 'vitest';
import { type RequestSegment, RequestValues } from './request-values.ts';

const segmentOf = (over: Partial<RequestSegment> = {}): RequestSegment => ({
  country: 'US',
  os: 'android',
  format: { label: 'banner 320x50', hash: 7 },
  floorStep: 3,
  bundle: 1,
  ...over,
});

/** Learns the same value several times. */
function learn(
  values: RequestValues,
  segment: RequestSegment,
  micros: number,
  times: number,
  nowMs = 0,
): void {
  for (let time = 0; time < times; time += 1) values.learn(segment, micros, 1, nowMs);
}

test('without reads every request is worth nothing', () => {
  expect(new RequestValues().estimate(segmentOf())).toBe(0);
});

test('the fewer reads a segment has, the nearer its value is to that of the coarser segment', () => {
  const values = new RequestValues();
  learn(values, segmentOf(), 100, 150);
  const few = segmentOf({ bundle: 2 });
  expect(values.estimate(few)).toBeCloseTo(values.estimate(segmentOf({ bundle: 3 })), 5);
  const estimates = [values.estimate(few)];
  for (const times of [1, 5, 100]) {
    learn(values, few, 0, times);
    estimates.push(values.estimate(few));
  }
  expect(estimates).toEqual(estimates.toSorted((a, b) => b - a));
  expect(estimates[0]).toBeGreaterThan(90);
  expect(estimates.at(-1)).toBeLessThan(10);
  expect(values.estimate(segmentOf())).toBeGreaterThan(90);
});

test('segments of another country, system, format or floor have values of their own', () => {
  const values = new RequestValues();
  const others = [
    segmentOf({ country: 'DE' }),
    segmentOf({ os: 'ios' }),
    segmentOf({ format: { label: 'video', hash: 8 } }),
    segmentOf({ floorStep: 4 }),
  ];
  learn(values, segmentOf(), 100, 200);
  for (const other of others) learn(values, other, 0, 200);
  expect(values.estimate(segmentOf())).toBeGreaterThan(80);
  for (const other of others) expect(values.estimate(other)).toBeLessThan(25);
});

test('the coarser segment of requests chosen by value has the mean of all requests, by their weights', () => {
  const values = new RequestValues();
  for (let time = 0; time < 100; time += 1) {
    values.learn(segmentOf({ bundle: 1 }), 90, 1, 0);
    if (time % 10 === 0) values.learn(segmentOf({ bundle: 2 }), 0, 80, 0);
  }
  // One request in nine is of the first bundle.
  expect(values.estimate(segmentOf({ bundle: 3 }))).toBeCloseTo(10, 0);
});

test('a segment follows a change within as many reads as count, and old reads fade within hours', () => {
  const values = new RequestValues();
  learn(values, segmentOf(), 100, 1000);
  learn(values, segmentOf(), 0, 1000);
  expect(values.estimate(segmentOf())).toBeLessThan(20);
  const aged = new RequestValues();
  learn(aged, segmentOf(), 100, 200);
  learn(aged, segmentOf(), 0, 20, 5 * 3_600_000);
  expect(aged.estimate(segmentOf())).toBeLessThan(30);
  // Past the pass over all counts.
  learn(aged, segmentOf(), 50, 200, 30 * 3_600_000);
  expect(aged.estimate(segmentOf())).toBeCloseTo(50, 0);
});

test('any number of bundles leaves the coarser segments as they are', () => {
  const values = new RequestValues();
  for (let bundle = 1; bundle <= 200_000; bundle += 1) values.learn(segmentOf({ bundle }), 100, 1, bundle);
  expect(values.reads).toBeGreaterThan(190);
  expect(values.estimate(segmentOf({ bundle: 300_000 }))).toBeCloseTo(100, 0);
});
