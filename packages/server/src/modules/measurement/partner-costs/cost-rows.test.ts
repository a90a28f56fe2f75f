import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CostPart, costUploadOf, inUnits } from './cost-rows.ts';

const ids = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];
const head = { day: '2026-03-01', appId: 'com.example', mediaSource: 'bidwell_int', nameOf: () => 'Spring' };
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const spent = fc.array(
  fc.record({
    campaign: fc.constantFrom(...ids),
    adset: fc.constantFrom(...ids),
    creative: fc.constantFrom(...ids),
    country: fc.constantFrom('DE', 'US', ''),
    bundle: fc.constantFrom('com.a', 'com.b', 'com.example.publisher.with.a.long.name', ''),
    micros: fc.integer({ min: 1, max: 5_000_000_000 }),
  }),
  { minLength: 1, maxLength: 60 },
);
/** Sums without publishers, and sums by publisher, the most first. */
const sumsOf = (events: readonly CostPart[]) => {
  const grouped = (keyed: readonly CostPart[]) => {
    const sums = new Map<string, CostPart>();
    for (const { micros, ...keys } of keyed) {
      const key = JSON.stringify(keys);
      sums.set(key, { ...keys, micros: (sums.get(key)?.micros ?? 0) + micros });
    }
    return [...sums.values()].toSorted((a, b) => b.micros - a.micros);
  };
  return { parts: grouped(events.map((event) => ({ ...event, bundle: '' }))), ofBundles: grouped(events) };
};

test('the rows of a day sum up to its spend, rounded down once to five decimal places of dollars', () => {
  fc.assert(
    fc.property(spent, fc.constantFrom(2000, 20_000, 1_000_000), (events, bytesMax) => {
      const content = costUploadOf({ ...sumsOf(events), before: [] }, head, bytesMax);
      if (!content) return;
      const micros = sum(events.map((event) => event.micros));
      expect(content.spendMicros).toBe(micros);
      expect(micros - content.sentMicros).toBeGreaterThanOrEqual(0);
      expect(micros - content.sentMicros).toBeLessThan(10);
      expect(sum(content.rows.map(({ spend }) => Math.round(spend * 1e6)))).toBe(content.sentMicros);
      expect(Buffer.byteLength(JSON.stringify(content.rows))).toBeLessThanOrEqual(bytesMax);
      for (const { spend } of content.rows) expect(String(spend)).toMatch(/^\d+(\.\d{1,5})?$/);
    }),
  );
});

test('each amount differs from its whole units by less than a unit', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 1000 }), (amounts, unit) => {
      const units = inUnits(amounts, unit);
      expect(sum(units)).toBe(Math.floor(sum(amounts) / unit));
      for (const [index, amount] of amounts.entries())
        expect(Math.abs(units[index]! * unit - amount)).toBeLessThan(unit);
    }),
  );
});

test('a row that a day does not have any more is sent as 0, so that the sums of the partner are right', () => {
  fc.assert(
    fc.property(spent, spent, (first, second) => {
      const before = costUploadOf({ ...sumsOf(first), before: [] }, head)!;
      const after = costUploadOf({ ...sumsOf(second), before: before.rows }, head)!;
      const stored = new Map<string, number>();
      for (const { spend, ...key } of [...before.rows, ...after.rows]) stored.set(JSON.stringify(key), spend);
      const micros = [...stored.values()].map((spend) => Math.round(spend * 1e6));
      expect(sum(micros)).toBe(after.sentMicros);
    }),
  );
});

test('a day with too many rows has fewer publishers, then fewer countries and creatives, and the same sum', () => {
  const events = Array.from({ length: 50 }, (_, n) => ({
    campaign: ids[0]!,
    adset: ids[0]!,
    creative: ids[0]!,
    country: n % 2 ? 'DE' : 'US',
    bundle: `com.publisher${n}`,
    micros: 1_000_000 + n,
  }));
  const sitesWithin = (bytesMax: number) =>
    costUploadOf({ ...sumsOf(events), before: [] }, head, bytesMax)?.rows.flatMap((row) => row.site_id ?? []);
  expect(sitesWithin(1_000_000)).toHaveLength(50);
  const some = sitesWithin(8000)!.length;
  expect(some).toBeGreaterThan(5);
  expect(some).toBeLessThan(50);
  expect(costUploadOf({ ...sumsOf(events), before: [] }, head, 500)!.rows).toHaveLength(1);
  expect(costUploadOf({ ...sumsOf(events), before: [] }, head, 100)).toBeUndefined();
});
