import { dateTimeAt } from '@bidwell/contract/lib/calendar';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MailTimes, mailDueAt } from './mail-times.ts';

const times = (over: Partial<MailTimes>): MailTimes => ({
  frequency: 'at_once',
  dailyHour: 9,
  quiet: null,
  timeZone: 'UTC',
  ...over,
});
const due = (now: string, over: Partial<MailTimes>) => mailDueAt(new Date(now), times(over))?.toISOString();

test.each<[string, string, Partial<MailTimes>, string | undefined]>([
  ['at once', '2026-03-01T12:34:56.000Z', {}, '2026-03-01T12:34:56.000Z'],
  ['never', '2026-03-01T12:34:56.000Z', { frequency: 'off' }, undefined],
  ['hourly', '2026-03-01T12:34:56.000Z', { frequency: 'hourly' }, '2026-03-01T13:00:00.000Z'],
  [
    'hourly, of a zone with half an hour',
    '2026-03-01T12:34:56.000Z',
    { frequency: 'hourly', timeZone: 'Asia/Kolkata' },
    '2026-03-01T13:30:00.000Z',
  ],
  ['daily, later today', '2026-03-01T06:00:00.000Z', { frequency: 'daily' }, '2026-03-01T09:00:00.000Z'],
  [
    'daily, at the hour itself tomorrow',
    '2026-03-01T09:00:00.000Z',
    { frequency: 'daily' },
    '2026-03-02T09:00:00.000Z',
  ],
  [
    'daily, of a zone',
    '2026-03-01T06:00:00.000Z',
    { frequency: 'daily', timeZone: 'America/New_York' },
    '2026-03-01T14:00:00.000Z',
  ],
  [
    'at once, in quiet hours over midnight',
    '2026-03-01T23:10:00.000Z',
    { quiet: { from: 22, until: 7 } },
    '2026-03-02T07:00:00.000Z',
  ],
  [
    'at once, at the end of quiet hours',
    '2026-03-01T07:00:00.000Z',
    { quiet: { from: 22, until: 7 } },
    '2026-03-01T07:00:00.000Z',
  ],
  [
    'hourly, in quiet hours by day',
    '2026-03-01T11:30:00.000Z',
    { frequency: 'hourly', quiet: { from: 12, until: 14 } },
    '2026-03-01T14:00:00.000Z',
  ],
  [
    'quiet hours on the day on which the clock goes forward',
    '2026-03-08T06:30:00.000Z',
    { quiet: { from: 22, until: 7 }, timeZone: 'America/New_York' },
    '2026-03-08T11:00:00.000Z',
  ],
])('%s', (_what, now, over, expected) => {
  expect(due(now, over)).toBe(expected);
});

test('in any time zone a mail is due within two days, never before now, and never in quiet hours', () => {
  const hour = fc.integer({ min: 0, max: 23 });
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
      fc.constantFrom(
        'UTC',
        'Asia/Kolkata',
        'Asia/Kathmandu',
        'America/New_York',
        'Australia/Lord_Howe',
        'Pacific/Apia',
      ),
      fc.constantFrom('at_once' as const, 'hourly' as const),
      fc.tuple(hour, hour).filter(([from, until]) => from !== until),
      (now, timeZone, frequency, [from, until]) => {
        const at = mailDueAt(now, times({ timeZone, frequency, quiet: { from, until } }))!;
        expect(at.getTime()).toBeGreaterThanOrEqual(now.getTime());
        expect(at.getTime() - now.getTime()).toBeLessThan(48 * 3_600_000);
        const local = Number(dateTimeAt(at.getTime(), timeZone).slice(11, 13));
        const isQuiet = from < until ? local >= from && local < until : local >= from || local < until;
        expect(isQuiet).toBe(false);
      },
    ),
  );
});
