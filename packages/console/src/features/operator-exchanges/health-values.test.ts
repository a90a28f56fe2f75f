import type { ExchangeHealth } from '@bidwell/contract/operator/exchange-health';
import { expect, test } from 'vitest';
import { withoutWin } from './health-values.ts';

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

test('charges without a win notice are not known while the event database does not answer', () => {
  expect(withoutWin(healthOf({ wins: 90, charged: 80 }, null))).toEqual({
    value: '-',
    note: 'The event database does not answer.',
  });
});
