import { dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { runs } from '@bidwell/testing/whole-run';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { carriedDay } from './time-zone.ts';

const ZONES = [
  'Etc/GMT+12',
  'Pacific/Honolulu',
  'America/New_York',
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BUDGET = 100;

test('for any sequence of time zones, no 23 hours from the beginning of a day hold more than the daily budget', () => {
  const step = fc.record({
    minutes: fc.oneof(fc.nat(90), fc.nat(26 * 60)),
    zone: fc.option(fc.constantFrom(...ZONES)),
  });
  // With both changes of the clocks of New York, Berlin and Chatham.
  const start = fc.integer({ min: Date.UTC(2026, 1, 1), max: Date.UTC(2026, 10, 20) });
  fc.assert(
    fc.property(start, fc.array(step, { minLength: 5, maxLength: 60 }), (startMs, steps) => {
      let nowMs = startMs;
      let zone = 'UTC';
      let account = { day: '2000-01-01', micros: 0 };
      const spends: { atMs: number; amount: number }[] = [];
      const beginnings: number[] = [];
      for (const { minutes, zone: to } of steps) {
        nowMs += minutes * MINUTE_MS;
        if (to !== null && to !== zone) {
          account = carriedDay(account, { from: zone, to, nowMs });
          zone = to;
        }
        // As bookings do: everything that is left of the budget, in the day of the time zone.
        const today = dateAt(nowMs, zone);
        if (account.day < today) {
          beginnings.push(startOfDayMs(today, zone));
          account = { day: today, micros: 0 };
        }
        spends.push({ atMs: nowMs, amount: BUDGET - account.micros });
        account = { ...account, micros: BUDGET };
      }
      for (const fromMs of beginnings) {
        const within = spends.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + 23 * HOUR_MS);
        expect(within.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(BUDGET);
      }
      // A budget does not wait for long either: a day after three days is another one.
      expect(startOfDayMs(account.day, zone)).toBeLessThanOrEqual(nowMs + 72 * HOUR_MS);
    }),
    runs(500),
  );
});
