import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Period, type Segment, planComparison, planSegments } from './plan.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const shown = (segments: Segment[]) =>
  segments.map(({ grain, aggregate, fromMs, beforeMs, hours }) => [
    grain,
    aggregate,
    new Date(fromMs).toISOString().slice(0, 16),
    new Date(beforeMs).toISOString().slice(0, 16),
    ...(hours ? [hours.which, hours.startsMs.length] : []),
  ]);

test('days of UTC are read from the daily aggregates', () => {
  const period = { fromMs: at('2026-01-10T00:00Z'), beforeMs: at('2026-02-10T00:00Z') };
  expect(shown(planSegments(period, [], ['adset_id', 'creative_type']))).toEqual([
    ['day', 'daily_creatives', '2026-01-10T00:00', '2026-02-10T00:00'],
  ]);
  expect(shown(planSegments(period, [], ['bundle']))[0]![1]).toBe('daily_bundles');
  expect(shown(planSegments(period, [], ['adset_id', 'country', 'exchange']))[0]![1]).toBe('daily_places');
  expect(shown(planSegments(period, [], ['bundle', 'country']))[0]![0]).toBe('event');
});

test('whole months are read from the monthly aggregates, unless a bucket divides them', () => {
  const period = { fromMs: at('2026-01-30T00:00Z'), beforeMs: at('2026-04-02T00:00Z') };
  expect(shown(planSegments(period, [], ['bundle']))).toEqual([
    ['day', 'daily_bundles', '2026-01-30T00:00', '2026-02-01T00:00'],
    ['month', 'monthly_bundles', '2026-02-01T00:00', '2026-04-01T00:00'],
    ['day', 'daily_bundles', '2026-04-01T00:00', '2026-04-02T00:00'],
  ]);
  const months = [at('2026-02-01T00:00Z'), at('2026-03-01T00:00Z'), at('2026-04-01T00:00Z')];
  expect(planSegments(period, months, ['bundle']).map(({ grain }) => grain)).toEqual(['day', 'month', 'day']);
  const weeks = [at('2026-02-02T00:00Z')];
  expect(planSegments(period, weeks, ['bundle']).map(({ grain }) => grain)).toEqual(['day']);
});

test('days of another zone are read by hour, or their edges from the events', () => {
  const period = { fromMs: at('2026-01-10T05:00Z'), beforeMs: at('2026-01-20T05:00Z') };
  expect(shown(planSegments(period, [], ['campaign_id']))).toEqual([
    ['hour', 'hourly_campaigns', '2026-01-10T05:00', '2026-01-20T05:00'],
  ]);
  expect(shown(planSegments(period, [], ['bundle']))).toEqual([
    ['event', null, '2026-01-10T05:00', '2026-01-11T00:00'],
    ['day', 'daily_bundles', '2026-01-11T00:00', '2026-01-20T00:00'],
    ['event', null, '2026-01-20T00:00', '2026-01-20T05:00'],
  ]);
});

test('a month that saves little over its days is read by day, since each segment has a fixed cost', () => {
  const read = (from: string, before: string) =>
    planSegments({ fromMs: at(from), beforeMs: at(before) }, [], ['country']).map(
      ({ aggregate }) => aggregate,
    );
  expect(read('2026-01-30T00:00Z', '2026-03-02T00:00Z')).toEqual(['daily_places']);
  expect(read('2026-01-30T00:00Z', '2026-05-02T00:00Z')).toEqual([
    'daily_places',
    'monthly_places',
    'daily_places',
  ]);
});

test('adjacent periods are read together if that is cheaper', () => {
  const march = { fromMs: at('2026-03-01T00:00Z'), beforeMs: at('2026-04-01T00:00Z') };
  const before = { fromMs: at('2026-01-29T00:00Z'), beforeMs: at('2026-03-01T00:00Z') };
  const read = (...requested: Parameters<typeof planComparison>) =>
    planComparison(...requested).map(({ part, grain }) => [part, grain]);
  expect(read(march, before, [], [])).toEqual([['both', 'day']]);
  expect(read(march, undefined, [], [])).toEqual([['now', 'month']]);
  const earlier = { fromMs: at('2025-03-01T00:00Z'), beforeMs: at('2025-04-01T00:00Z') };
  expect(read(march, earlier, [], [])).toEqual([
    ['now', 'month'],
    ['before', 'month'],
  ]);
  const [year, yearBefore] = [2026, 2025].map((number) => ({
    fromMs: at(`${number}-01-01T00:00Z`),
    beforeMs: at(`${number + 1}-01-01T00:00Z`),
  })) as [Period, Period];
  expect(read(year, yearBefore, [], ['country'])).toEqual([['both', 'month']]);
});

test('for days of a zone with half hours, only the hours that they divide are read from the events', () => {
  const starts = [10, 11, 12].map((day) => at(`2026-01-${day}T00:00+05:30`));
  const period = { fromMs: starts[0]!, beforeMs: at('2026-01-13T00:00+05:30') };
  expect(shown(planSegments(period, starts, ['campaign_id']))).toEqual([
    ['event', null, '2026-01-09T18:30', '2026-01-09T19:00'],
    ['hour', 'hourly_campaigns', '2026-01-09T19:00', '2026-01-12T18:00', 'except', 2],
    ['event', null, '2026-01-09T19:00', '2026-01-12T18:00', 'only', 2],
    ['event', null, '2026-01-12T18:00', '2026-01-12T18:30'],
  ]);
});

test('every instant of a period is in exactly one segment, and no bucket divides an aggregate', () => {
  const base = at('2026-03-01T00:00Z');
  const quarter = fc.nat(4 * 24 * 40).map((quarters) => base + (quarters * HOUR) / 4);
  const columns = fc.constantFrom([], ['campaign_id'], ['bundle'], ['bundle', 'os'], ['country', 'os']);
  fc.assert(
    fc.property(
      quarter,
      quarter,
      fc.array(quarter, { maxLength: 4 }),
      columns,
      (one, other, starts, needed) => {
        const period = { fromMs: Math.min(one, other), beforeMs: Math.max(one, other) };
        const segments = planSegments(period, starts, needed);
        for (let atMs = base - HOUR; atMs < base + 41 * 24 * HOUR; atMs += 7.75 * HOUR) {
          const holding = segments.filter(({ fromMs, beforeMs, hours }) => {
            const listed = hours?.startsMs.includes(Math.floor(atMs / HOUR) * HOUR);
            return atMs >= fromMs && atMs < beforeMs && (!hours || listed === (hours.which === 'only'));
          });
          expect(holding).toHaveLength(atMs >= period.fromMs && atMs < period.beforeMs ? 1 : 0);
        }
        for (const { grain, fromMs, beforeMs, hours } of segments) {
          const step = { event: 1, hour: HOUR, day: 24 * HOUR, month: 24 * HOUR }[grain];
          expect([fromMs % step, beforeMs % step]).toEqual([0, 0]);
          const cuts = starts.filter((ms) => ms > fromMs && ms < beforeMs && ms % step !== 0);
          for (const cut of cuts) expect(hours?.startsMs).toContain(Math.floor(cut / HOUR) * HOUR);
        }
      },
    ),
  );
});
