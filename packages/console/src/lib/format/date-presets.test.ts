import { addDays, daysBetween } from '@bidwell/contract/lib/calendar';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  PRESETS,
  type StoredRange,
  parseTypedDate,
  presetOf,
  presetRange,
  rangeOf,
  readStoredRange,
  storedPreset,
  typedDate,
} from './date-presets.ts';

const presets = (today: string) =>
  Object.fromEntries(
    PRESETS.map((preset) => {
      const { start, end } = presetRange(preset, today);
      return [preset, `${start} ${end}`];
    }),
  );

test('every preset on a Wednesday in May', () => {
  expect(presets('2026-05-06')).toEqual({
    Today: '2026-05-06 2026-05-06',
    Yesterday: '2026-05-05 2026-05-05',
    'This Week': '2026-05-04 2026-05-06',
    'Last Week': '2026-04-27 2026-05-03',
    'This Month': '2026-05-01 2026-05-06',
    'Last Month': '2026-04-01 2026-04-30',
    'Last 7 Days': '2026-04-30 2026-05-06',
    'Last 14 Days': '2026-04-23 2026-05-06',
    'Last 30 Days': '2026-04-07 2026-05-06',
  });
});

test('a week begins on Monday, on a Sunday too, and a month may end on the 29th of February', () => {
  expect(presets('2028-03-05')).toMatchObject({
    'This Week': '2028-02-28 2028-03-05',
    'Last Week': '2028-02-21 2028-02-27',
    'Last Month': '2028-02-01 2028-02-29',
  });
});

test('weeks and months reach over the turn of the year', () => {
  expect(presets('2027-01-01')).toMatchObject({
    Yesterday: '2026-12-31 2026-12-31',
    'This Week': '2026-12-28 2027-01-01',
    'Last Week': '2026-12-21 2026-12-27',
    'This Month': '2027-01-01 2027-01-01',
    'Last Month': '2026-12-01 2026-12-31',
    'Last 30 Days': '2026-12-03 2027-01-01',
  });
});

test('the last month of the 31st has its own end', () => {
  expect(presets('2026-03-31')['Last Month']).toBe('2026-02-01 2026-02-28');
  expect(presets('2026-07-31')['Last Month']).toBe('2026-06-01 2026-06-30');
});

test('no day is lost or doubled where clocks change', () => {
  expect(presets('2026-03-30')).toMatchObject({
    Yesterday: '2026-03-29 2026-03-29',
    'Last 7 Days': '2026-03-24 2026-03-30',
  });
  expect(presets('2026-10-26')).toMatchObject({
    Yesterday: '2026-10-25 2026-10-25',
    'Last Week': '2026-10-19 2026-10-25',
  });
});

const someDay = fc.integer({ min: 60, max: 36_000 }).map((days) => addDays('2000-01-01', days));

test('on every day: weeks are whole, months are whole, counts are right', () => {
  fc.assert(
    fc.property(someDay, (today) => {
      const days = (preset: (typeof PRESETS)[number]) => {
        const { start, end } = presetRange(preset, today);
        return daysBetween(start, end) + 1;
      };
      expect([days('Last 7 Days'), days('Last 14 Days'), days('Last 30 Days')]).toEqual([7, 14, 30]);
      expect(days('Last Week')).toBe(7);
      expect(days('This Week')).toBeLessThanOrEqual(7);
      const lastMonth = presetRange('Last Month', today);
      expect(lastMonth.start).toMatch(/-01$/);
      expect(addDays(lastMonth.end, 1)).toBe(presetRange('This Month', today).start);
      expect(addDays(presetRange('Last Week', today).end, 1)).toBe(presetRange('This Week', today).start);
    }),
  );
});

test('a range is called by its preset; the one that was chosen where two are the same days', () => {
  expect(presetOf({ start: '2026-05-01', end: '2026-05-03' }, '2026-05-06')).toBe('Custom');
  expect(presetOf({ start: '2026-04-30', end: '2026-05-06' }, '2026-05-06')).toBe('Last 7 Days');
  const monday = { start: '2026-05-04', end: '2026-05-04' };
  expect(presetOf(monday, '2026-05-04')).toBe('Today');
  expect(presetOf(monday, '2026-05-04', 'This Week')).toBe('This Week');
  expect(presetOf({ start: '2026-05-01', end: '2026-05-03' }, '2026-05-06', 'This Week')).toBe('Custom');
});

test('an unchosen range is called the last 7 days, also on a Sunday, when it is this week', () => {
  const called = (stored: StoredRange | null) =>
    presetOf(rangeOf(stored, '2026-05-10'), '2026-05-10', storedPreset(stored));
  expect(called(null)).toBe('Last 7 Days');
  expect(called({ preset: 'This Week' })).toBe('This Week');
  expect(called({ start: '2026-05-04', end: '2026-05-10' })).toBe('This Week');
  expect(called({ start: '2026-05-05', end: '2026-05-10' })).toBe('Custom');
});

test('a stored preset moves with the days, stored days stay, and anything else is the last 7 days', () => {
  const read = (raw: unknown) => rangeOf(readStoredRange(raw), '2026-05-06');
  expect(read({ preset: 'Yesterday' })).toEqual({ start: '2026-05-05', end: '2026-05-05' });
  expect(read({ start: '2026-01-01', end: '2026-01-31' })).toEqual({
    start: '2026-01-01',
    end: '2026-01-31',
  });
  const usual = { start: '2026-04-30', end: '2026-05-06' };
  for (const raw of [
    null,
    7,
    'Today',
    {},
    { preset: 'Tomorrow' },
    { start: '2026-02-01', end: '2026-01-01' },
    { start: '2026-02-30', end: '2026-03-01' },
    { start: 1, end: 2 },
  ]) {
    expect(read(raw)).toEqual(usual);
  }
});

test.each([
  ['05/06/2026', '2026-05-06'],
  [' 5/6/2026 ', '2026-05-06'],
  ['02/29/2028', '2028-02-29'],
  ['01/01/2000', '2000-01-01'],
  ['12/31/3000', '3000-12-31'],
  ['02/29/2026', null],
  ['02/30/2028', null],
  ['13/01/2026', null],
  ['00/10/2026', null],
  ['10/00/2026', null],
  ['06/31/2026', null],
  ['12/31/1999', null],
  ['01/01/3001', null],
  ['05/06/26', null],
  ['2026-05-06', null],
  ['05.06.2026', null],
  ['today', null],
  ['', null],
  ['05/06/2026; DROP', null],
])('typed %s is %s', (text, date) => {
  expect(parseTypedDate(text)).toBe(date);
});

test('a day is read back as it is written, and nothing typed breaks the reading', () => {
  fc.assert(
    fc.property(someDay, (day) => {
      expect(parseTypedDate(typedDate(day))).toBe(day);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789/ -ax'.split('')) }), (text) => {
      const date = parseTypedDate(text);
      if (date !== null) expect(parseTypedDate(typedDate(date))).toBe(date);
    }),
  );
});
