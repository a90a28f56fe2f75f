import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateTimeAt } from '@bidwell/contract/lib/calendar';
import { type ReportTimes, latestPeriod, nextDue } from './due-times.ts';

const times = (over: Partial<ReportTimes>): ReportTimes => ({
  frequency: 'daily',
  weekday: over.frequency === 'weekly' ? 1 : null,
  hour: 8,
  timeZone: 'UTC',
  ...over,
});

test.each<[string, string, Partial<ReportTimes>, string, string, string]>([
  ['daily', '2026-03-02T12:00:00Z', {}, '2026-03-01', '2026-03-01', '2026-03-03T08:00:00.000Z'],
  [
    'daily, before its hour',
    '2026-03-02T07:59:59Z',
    {},
    '2026-02-28',
    '2026-02-28',
    '2026-03-02T08:00:00.000Z',
  ],
  ['daily, at its hour', '2026-03-02T08:00:00Z', {}, '2026-03-01', '2026-03-01', '2026-03-03T08:00:00.000Z'],
  [
    'daily, of a zone that is a day ahead',
    '2026-03-02T20:30:00Z',
    { timeZone: 'Asia/Kolkata', hour: 2 },
    '2026-03-02',
    '2026-03-02',
    '2026-03-03T20:30:00.000Z',
  ],
  [
    'weekly, a week before Monday',
    '2026-03-04T12:00:00Z',
    { frequency: 'weekly' },
    '2026-02-23',
    '2026-03-01',
    '2026-03-09T08:00:00.000Z',
  ],
  [
    'weekly, on Sunday',
    '2026-03-01T08:00:00Z',
    { frequency: 'weekly', weekday: 7 },
    '2026-02-22',
    '2026-02-28',
    '2026-03-08T08:00:00.000Z',
  ],
  [
    'monthly',
    '2026-03-31T12:00:00Z',
    { frequency: 'monthly' },
    '2026-02-01',
    '2026-02-28',
    '2026-04-01T08:00:00.000Z',
  ],
  [
    'monthly, before the hour of the first day',
    '2026-01-01T07:00:00Z',
    { frequency: 'monthly' },
    '2025-11-01',
    '2025-11-30',
    '2026-01-01T08:00:00.000Z',
  ],
  [
    'an hour that the clocks skip',
    '2026-03-29T00:00:00Z',
    { timeZone: 'Europe/Berlin', hour: 2 },
    '2026-03-27',
    '2026-03-27',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'an hour that the clocks pass twice',
    '2026-10-25T00:15:00Z',
    { timeZone: 'Europe/Berlin', hour: 2 },
    '2026-10-24',
    '2026-10-24',
    '2026-10-26T01:00:00.000Z',
  ],
])('%s', (_what, now, over, start, end, next) => {
  expect(latestPeriod(new Date(now), times(over))).toEqual({ start, end });
  expect(nextDue(new Date(now), times(over)).toISOString()).toBe(next);
});

test('from one report to the next one there is exactly one new period, which has ended', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Apia',
    'America/Havana',
  ];
  const schedules = fc.record({
    schedule: fc.constantFrom<Pick<ReportTimes, 'frequency' | 'weekday'>>(
      { frequency: 'daily', weekday: null },
      { frequency: 'weekly', weekday: 3 },
      { frequency: 'monthly', weekday: null },
    ),
    hour: fc.integer({ min: 0, max: 23 }),
    timeZone: fc.constantFrom(...zones),
    nowMs: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) }),
  });
  fc.assert(
    fc.property(schedules, ({ schedule, hour, timeZone, nowMs }) => {
      const chosen = { ...schedule, hour, timeZone };
      const now = new Date(nowMs);
      const next = nextDue(now, chosen);
      const [before, after] = [
        latestPeriod(new Date(next.getTime() - 1), chosen),
        latestPeriod(next, chosen),
      ];
      expect(next.getTime()).toBeGreaterThan(nowMs);
      expect(latestPeriod(now, chosen)).toEqual(before);
      expect(after.start > before.start).toBe(true);
      expect(dateTimeAt(next.getTime(), timeZone).slice(0, 10) > after.end).toBe(true);
    }),
  );
});
