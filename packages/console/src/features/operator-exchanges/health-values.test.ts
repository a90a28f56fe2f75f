import type { ExchangeHealth } from '@bidwell/contract/operator/exchange-health';
import { expect, test } from 'vitest';
import { shedPercent, withoutWin } from './health-values.ts';

/** Health with these figures over the time. */
const healthOf = (total: object, charged_without_win: number | null) =>
  ({ total: { wins: 0, charged: 0, ...total }, charged_without_win }) as ExchangeHealth;

test('charges without a win notice are counted of an exchange that sends win notices', () => {
  expect(withoutWin(healthOf({ wins: 90, charged: 80 }, 3)).value).toBe('3');
  expect(withoutWin(healthOf({}, 0)).value).toBe('0');
});

test('of an exchange that sends no win notices, charges without one are no fault', () => {
  const { value, note } = withoutWin(healthOf({ charged: 80 }, 80));
  expect(value).toBe('-');
  expect(note).toMatch(/^No win notice came at all/);
});

test('charges without a win notice are not known while the event database is unavailable', () => {
  expect(withoutWin(healthOf({ wins: 90, charged: 80 }, null))).toEqual({
    value: '-',
    note: 'The event database does not answer.',
  });
});

/** Health by the minute, with this number of requests and of shed requests in the last minutes. */
const shedding = (...minutes: readonly (readonly [requests: number, shed: number])[]) => {
  const steps = minutes.map(([requests, shed]) => ({ requests, shed, complete: true }));
  const present = { requests: 1, shed: 0, complete: false };
  return {
    last_minute: steps.at(-1),
    series: [...steps, present],
    step_minutes: 1,
  } as unknown as ExchangeHealth;
};

test('a single shed request in a minute calls for no bidder', () => {
  expect(shedPercent(shedding([0, 0], [0, 0], [0, 0], [0, 0], [89, 1]))).toBeNull();
});

test('a hundred shed requests in a minute call for one, unless they are few of all', () => {
  expect(shedPercent(shedding([2000, 100]))).toBe(5);
  expect(shedPercent(shedding([20_000, 100]))).toBeNull();
});

test('a hundred shed requests of the present minute call for one before it ends', () => {
  const health = shedding([2000, 0]);
  const present = { requests: 1000, shed: 200, complete: false };
  const series = [...health.series.slice(0, -1), present] as ExchangeHealth['series'];
  expect(shedPercent({ ...health, series })).toBe(20);
});

test('few shed requests call for one when it goes on for five minutes', () => {
  const minute = [100, 2] as const;
  expect(shedPercent(shedding(minute, minute, minute, minute, minute))).toBe(2);
  expect(shedPercent(shedding(minute, [100, 0], minute, minute, minute))).toBeNull();
});
