import { addDays, daysBetween, isoWeekOf } from '@bidwell/contract/lib/calendar';
import dayjs from 'dayjs';
import isoWeek from 'dayjs/plugin/isoWeek';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chartGroup, bucketLabel, bucketState, bucketsOf, hoursOf, isHourly, labelInRange } from './dates.ts';

dayjs.extend(isoWeek);

test.each([
  ['2026-05-04', 'W19 2026'],
  ['2026-12-28', 'W53 2026'],
  ['2027-01-03', 'W53 2026'],
  ['2024-12-30', 'W1 2025'],
  ['2021-01-01', 'W53 2020'],
  ['2020-02-29', 'W9 2020'],
])('the week of %s is called %s', (day, label) => {
  expect(bucketLabel(day, 'week', 'UTC')).toBe(label);
});

test('days, months and years by their names', () => {
  expect(bucketLabel('2026-03-01', 'day', 'UTC')).toBe('Mar 01');
  expect(bucketLabel('2026-03-01', 'month', 'UTC')).toBe('Mar 2026');
  expect(bucketLabel('2026-01-01', 'year', 'UTC')).toBe('2026');
});

test.each([
  ['2026-03-02', 'week', '2026-03-02', '2026-03-08', 'W10 2026'],
  ['2026-03-02', 'week', '2026-03-03', '2026-03-20', 'W10 2026, from Mar 03'],
  ['2026-03-02', 'week', '2026-02-01', '2026-03-07', 'W10 2026, to Mar 07'],
  ['2026-03-02', 'week', '2026-03-03', '2026-03-05', 'W10 2026, Mar 03 to Mar 05'],
  ['2026-03-02', 'week', '2026-03-04', '2026-03-04', 'W10 2026, Mar 04'],
  ['2026-02-01', 'month', '2026-02-10', '2026-02-28', 'Feb 2026, from Feb 10'],
  ['2026-02-01', 'month', '2026-02-01', '2026-02-28', 'Feb 2026'],
  ['2026-03-04', 'day', '2026-03-04', '2026-03-04', 'Mar 04'],
  ['2026-03-02', 'week', '2026-04-01', '2026-04-30', 'W10 2026'],
] as const)('the %s by %s in %s to %s is labelled “%5$s”', (bucket, group, start, end, label) => {
  expect(labelInRange(bucket, group, { start, end })).toBe(label);
});

test('a range that cuts weeks and months keeps only its own days', () => {
  expect(bucketsOf({ start: '2026-02-26', end: '2026-03-02' }, 'month')).toEqual([
    { bucket: '2026-02-01', start: '2026-02-26', end: '2026-02-28' },
    { bucket: '2026-03-01', start: '2026-03-01', end: '2026-03-02' },
  ]);
  expect(bucketsOf({ start: '2026-12-31', end: '2027-01-04' }, 'week')).toEqual([
    { bucket: '2026-12-28', start: '2026-12-31', end: '2027-01-03' },
    { bucket: '2027-01-04', start: '2027-01-04', end: '2027-01-04' },
  ]);
});

test('the days on which clocks change are one bucket each', () => {
  const days = bucketsOf({ start: '2026-03-28', end: '2026-03-30' }, 'day').map(({ bucket }) => bucket);
  expect(days).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
  expect(bucketsOf({ start: '2026-10-24', end: '2026-10-26' }, 'day')).toHaveLength(3);
});

const someDay = fc.integer({ min: 0, max: 36_000 }).map((days) => addDays('2000-01-01', days));

test('every day of a range lies in exactly one bucket, whatever the group', () => {
  fc.assert(
    fc.property(
      someDay,
      fc.nat(800),
      fc.constantFrom('day', 'week', 'month', 'year'),
      (start, length, group) => {
        const end = addDays(start, length);
        const buckets = bucketsOf({ start, end }, group);
        expect(buckets[0]!.start).toBe(start);
        expect(buckets.at(-1)!.end).toBe(end);
        for (const [index, { start: from }] of buckets.entries()) {
          if (index > 0) expect(daysBetween(buckets[index - 1]!.end, from)).toBe(1);
        }
      },
    ),
  );
});

test('week numbers agree with another implementation', () => {
  fc.assert(
    fc.property(someDay, (day) => {
      expect(isoWeekOf(day)).toEqual({ week: dayjs(day).isoWeek(), year: dayjs(day).isoWeekYear() });
    }),
  );
});

test('hours are counted from midnight of the time zone, 23 of the day on which the clocks go forward', () => {
  const hours = hoursOf({ start: '2026-03-29', end: '2026-03-29' }, 'Europe/Berlin');
  expect(hours).toHaveLength(23);
  expect(hours[0]).toBe('2026-03-28T23:00Z');
  expect(bucketLabel(hours[2]!, 'hour', 'Europe/Berlin')).toBe('Mar 29 03:00');
});

test('a range of up to three days may have a point for each hour', () => {
  expect(isHourly({ start: '2026-05-01', end: '2026-05-03' })).toBe(true);
  expect(isHourly({ start: '2026-05-01', end: '2026-05-04' })).toBe(false);
});

test('one day has a point for each hour unless another size is chosen, more days one for each day', () => {
  const day = { start: '2026-05-04', end: '2026-05-04' };
  const week = { start: '2026-05-04', end: '2026-05-10' };
  expect(chartGroup(day, undefined)).toBe('hour');
  expect(chartGroup(day, 'day')).toBe('day');
  expect(chartGroup(week, undefined)).toBe('day');
  expect(chartGroup(week, 'hour')).toBe('day');
  expect(chartGroup(week, 'month')).toBe('month');
});

test.each([
  ['2026-05-04', 'day', { part: 'so far' }],
  ['2026-05-03', 'day', 'whole'],
  ['2026-05-05', 'day', 'future'],
  ['2026-05-04', 'week', { part: 'so far' }],
  ['2026-04-27', 'week', 'whole'],
  ['2026-04-20', 'week', { part: 'from Apr 22' }],
  ['2026-05-01', 'month', { part: 'so far' }],
  ['2026-06-01', 'month', 'future'],
  ['2026-05-04T09:00Z', 'hour', 'whole'],
  ['2026-05-04T10:00Z', 'hour', { part: 'so far' }],
  ['2026-05-04T11:00Z', 'hour', 'future'],
] as const)('at 10:15 on May 04, %s as a %s is %o', (bucket, group, state) => {
  const present = { today: '2026-05-04', nowMs: Date.parse('2026-05-04T10:15Z') };
  expect(bucketState(bucket, group, { start: '2026-04-22', end: '2026-05-05' }, present)).toEqual(state);
});

test('a bucket that ended after its range has the days of the range', () => {
  const present = { today: '2026-05-04', nowMs: Date.parse('2026-05-04T10:15Z') };
  expect(bucketState('2026-05-01', 'month', { start: '2026-05-01', end: '2026-05-03' }, present)).toEqual({
    part: 'to May 03',
  });
});
