import { Temporal } from '@js-temporal/polyfill';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  dateAt,
  dateTimeAt,
  daysBetween,
  hourOfWeekAt,
  hourOfWeekBy,
  isoWeekOf,
  mondayOf,
  startOfDayMs,
} from './calendar.ts';

/** Zones of all kinds of offsets, and all whose clocks changed at midnight since 2015. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Havana',
  'America/Santiago',
  'America/Asuncion',
  'America/Sao_Paulo',
  'Atlantic/Azores',
  'Africa/Cairo',
  'Asia/Amman',
  'Asia/Beirut',
  'Asia/Damascus',
  'Asia/Gaza',
  'Asia/Tehran',
];

const anyZone = fc.constantFrom(...ZONES);
const anyInstant = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2037, 0, 1) });
const anyDate = anyInstant.map((atMs) => new Date(atMs).toISOString().slice(0, 10));

const startOf = (date: string, timeZone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime({ timeZone }).epochMilliseconds;

test('the date and time at an instant equal the results of Temporal', () => {
  fc.assert(
    fc.property(anyInstant, anyZone, (atMs, timeZone) => {
      const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDateTime();
      expect(dateAt(atMs, timeZone)).toBe(at.toPlainDate().toString());
      expect(dateTimeAt(atMs, timeZone)).toBe(at.toString({ smallestUnit: 'minute' }).replace('T', ' '));
    }),
    { numRuns: 500 },
  );
});

test('the hour of the week equals that of Temporal, by the zone and by its offset', () => {
  fc.assert(
    fc.property(anyInstant, anyZone, (atMs, timeZone) => {
      const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
      const hour = (at.dayOfWeek - 1) * 24 + at.hour;
      expect(hourOfWeekAt(atMs, timeZone)).toBe(hour);
      expect(hourOfWeekBy(atMs, at.offsetNanoseconds / 60e9)).toBe(hour);
    }),
    { numRuns: 500 },
  );
});

test('a day begins at the instant that Temporal gives', () => {
  fc.assert(
    fc.property(anyDate, anyZone, (date, timeZone) => {
      expect([date, timeZone, startOfDayMs(date, timeZone)]).toEqual([
        date,
        timeZone,
        startOf(date, timeZone),
      ]);
    }),
    { numRuns: 500 },
  );
});

test.each(ZONES)(
  'in %s, days around every clock change begin at the instant that Temporal gives',
  (timeZone) => {
    let changes = 0;
    let next = Temporal.Instant.from('2015-01-01T00:00Z')
      .toZonedDateTimeISO(timeZone)
      .getTimeZoneTransition('next');
    for (; next && next.year < 2030; next = next.getTimeZoneTransition('next')) {
      changes += 1;
      for (const days of [-1, 0, 1]) {
        const date = next.toPlainDate().add({ days }).toString();
        expect([date, startOfDayMs(date, timeZone)]).toEqual([date, startOf(date, timeZone)]);
      }
    }
    expect(changes).toBeLessThan(60);
  },
);

test('days and weeks are counted as Temporal counts them', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -5000, max: 5000 }), (date, days) => {
      const day = Temporal.PlainDate.from(date);
      const other = day.add({ days });
      expect(addDays(date, days)).toBe(other.toString());
      expect(daysBetween(date, other.toString())).toBe(days);
      expect(mondayOf(date)).toBe(day.subtract({ days: day.dayOfWeek - 1 }).toString());
      expect(isoWeekOf(date)).toEqual({ week: day.weekOfYear, year: day.yearOfWeek });
    }),
    { numRuns: 500 },
  );
});
