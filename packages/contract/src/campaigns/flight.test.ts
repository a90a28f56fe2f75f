import { expect, test } from 'vitest';
import {
  type Flight,
  flightDays,
  flightErrors,
  flightMs,
  flightText,
  hasEnded,
  startsLater,
} from './flight.ts';

const flight = (over: Partial<Flight>): Flight => ({
  start_date: null,
  start_time: null,
  end_date: null,
  end_time: null,
  ...over,
});
const isoOf = (over: Partial<Flight>, timeZone: string) => {
  const { fromMs, untilMs } = flightMs(flight(over), timeZone);
  return [fromMs, untilMs].map((ms) => (Number.isFinite(ms) ? new Date(ms).toISOString() : ms));
};

test('a flight begins and ends with its days, or at its times in the time zone', () => {
  const days = { start_date: '2026-05-04', end_date: '2026-05-05' };
  expect(isoOf({}, 'UTC')).toEqual([-Infinity, Infinity]);
  expect(isoOf(days, 'Asia/Kolkata')).toEqual(['2026-05-03T18:30:00.000Z', '2026-05-05T18:30:00.000Z']);
  expect(isoOf({ ...days, start_time: '09:45', end_time: '18:10' }, 'Asia/Kolkata')).toEqual([
    '2026-05-04T04:15:00.000Z',
    '2026-05-05T12:40:00.000Z',
  ]);
});

test('a time that the clocks skip is when they change, and one that they pass twice is the first', () => {
  const at = (date: string, time: string) =>
    isoOf({ start_date: date, start_time: time }, 'Europe/Berlin')[0];
  expect(at('2026-03-29', '02:20')).toBe('2026-03-29T01:00:00.000Z');
  expect(at('2026-03-29', '03:20')).toBe('2026-03-29T01:20:00.000Z');
  expect(at('2026-10-25', '02:20')).toBe('2026-10-25T00:20:00.000Z');
  expect(at('2026-10-25', '03:00')).toBe('2026-10-25T02:00:00.000Z');
});

test('the end is after the start, and a time is of a day', () => {
  const day = { start_date: '2026-05-04', end_date: '2026-05-04' };
  const fields = (over: Partial<Flight>) => flightErrors(over).map(({ field }) => field);
  expect(fields({})).toEqual([]);
  expect(fields({ ...day, start_time: '08:00', end_time: '08:01' })).toEqual([]);
  expect(fields({ ...day, start_time: '08:00', end_time: '08:00' })).toEqual(['end_time']);
  expect(fields({ ...day, end_time: '00:00' })).toEqual(['end_time']);
  expect(fields({ ...day, end_date: '2026-05-03' })).toEqual(['end_date']);
  expect(fields({ start_time: '08:00' })).toEqual(['start_time']);
  expect(fields({ start_date: '2026-05-04', end_time: '08:00' })).toEqual(['end_time']);
});

test('by the clock of the company it has not begun, runs, or is over', () => {
  const running = flight({
    start_date: '2026-05-04',
    start_time: '09:00',
    end_date: '2026-05-04',
    end_time: '18:00',
  });
  const states = ['2026-05-04 08:59', '2026-05-04 09:00', '2026-05-04 17:59', '2026-05-04 18:00'];
  expect(states.map((now) => [startsLater(running, now), hasEnded(running, now)])).toEqual([
    [true, false],
    [false, false],
    [false, false],
    [false, true],
  ]);
  expect(hasEnded(flight({ end_date: '2026-05-04' }), '2026-05-04 23:59')).toBe(false);
  expect(hasEnded(flight({ end_date: '2026-05-04' }), '2026-05-05 00:00')).toBe(true);
});

test('its length has parts of days', () => {
  expect(flightDays(flight({ start_date: '2026-05-04', end_date: '2026-05-05' }))).toBe(2);
  expect(
    flightDays(
      flight({ start_date: '2026-05-04', start_time: '18:00', end_date: '2026-05-05', end_time: '12:00' }),
    ),
  ).toBe(0.75);
  expect(flightDays(flight({ start_date: '2026-05-04' }))).toBeNull();
});

test('its days read with their times', () => {
  expect(flightText('2026-05-04', null)).toBe('May 04 / 2026');
  expect(flightText('2026-05-04', '18:30')).toBe('May 04 / 2026, 18:30');
});
