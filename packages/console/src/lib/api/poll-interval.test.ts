import { expect, test } from 'vitest';
import { pollInterval } from './poll-interval.ts';

const waiting = { status: 'waiting', attempts: 0, error: null };

test('a new delivery is polled every two seconds until its first try has ended', () => {
  expect(pollInterval([waiting])).toBe(2000);
  expect(pollInterval([{ ...waiting, attempts: 1 }])).toBe(2000);
});

test('a failed delivery that waits for a retry is polled every half minute', () => {
  expect(pollInterval([{ ...waiting, attempts: 1, error: 'The mail server does not respond.' }])).toBe(
    30_000,
  );
  expect(pollInterval([{ ...waiting, attempts: 2 }])).toBe(30_000);
  expect(pollInterval([{ ...waiting, attempts: 2 }, waiting])).toBe(2000);
});

test('polling stops once all deliveries are sent or given up', () => {
  expect(pollInterval([])).toBe(false);
  expect(
    pollInterval([
      { status: 'sent', attempts: 1, error: null },
      { status: 'failed', attempts: 12, error: 'The mail server does not respond.' },
    ]),
  ).toBe(false);
});
