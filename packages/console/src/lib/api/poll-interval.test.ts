import { expect, test } from 'vitest';
import { pollInterval } from './poll-interval.ts';

const waiting = { status: 'waiting', attempts: 0, error: null };

test('what was just sent is read again every two seconds until its first try has ended', () => {
  expect(pollInterval([waiting])).toBe(2000);
  expect(pollInterval([{ ...waiting, attempts: 1 }])).toBe(2000);
});

test('what failed and waits for a retry is read again every half minute', () => {
  expect(pollInterval([{ ...waiting, attempts: 1, error: 'The mail server does not respond.' }])).toBe(
    30_000,
  );
  expect(pollInterval([{ ...waiting, attempts: 2 }])).toBe(30_000);
  expect(pollInterval([{ ...waiting, attempts: 2 }, waiting])).toBe(2000);
});

test('nothing is read again once all is sent or given up', () => {
  expect(pollInterval([])).toBe(false);
  expect(
    pollInterval([
      { status: 'sent', attempts: 1, error: null },
      { status: 'failed', attempts: 12, error: 'The mail server does not respond.' },
    ]),
  ).toBe(false);
});
