import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HoursInput, WEEKDAYS, WEEK_HOURS, hoursOf, hoursText, openHours } from './hours.ts';

const anyWeek = fc.uint8Array({ min: 0, max: 1, minLength: WEEK_HOURS, maxLength: WEEK_HOURS });

test('hours keep exactly the open hours of a week', () => {
  fc.assert(
    fc.property(anyWeek, (open) => {
      const hours = hoursOf(open);
      expect(hours === null ? open.fill(1) : openHours(hours)).toEqual(open);
    }),
  );
});

test('an input may have its spans in any order, overlap, and leave out closed days', () => {
  const parsed = HoursInput.parse({
    mon: [
      [20, 24],
      [8, 12],
      [10, 14],
    ],
    sun: [[0, 24]],
  });
  expect(parsed).toEqual({
    mon: [
      [8, 14],
      [20, 24],
    ],
    tue: [],
    wed: [],
    thu: [],
    fri: [],
    sat: [],
    sun: [[0, 24]],
  });
  expect(HoursInput.parse(parsed)).toEqual(parsed);
});

test('a week that is open throughout is none', () => {
  expect(HoursInput.parse(Object.fromEntries(WEEKDAYS.map((day) => [day, [[0, 24]]])))).toBeNull();
  expect(HoursInput.parse(null)).toBeNull();
  expect(HoursInput.parse(undefined)).toBeNull();
});

test.each([
  [{}, 'Open at least one hour, or pause the ad set'],
  [{ mon: [[22, 6]] }, 'A span of hours ends after it begins'],
  [{ mon: [[8, 8]] }, 'A span of hours ends after it begins'],
  [{ monday: [[8, 22]] }, '“monday” is no day of the week: write mon, tue, wed, thu, fri, sat, sun'],
  [
    { mon: [[8, 22]], Tue: [[8, 22]] },
    '“Tue” is no day of the week: write mon, tue, wed, thu, fri, sat, sun',
  ],
  [{ mon: [[8, 25]] }, undefined],
  [{ mon: [[8.5, 9]] }, undefined],
])('%j is rejected', (hours, message) => {
  const { error } = HoursInput.safeParse(hours);
  expect(error).toBeDefined();
  if (message !== undefined) expect(error!.issues[0]!.message).toBe(message);
});

test.each([
  [
    {
      mon: [[8, 22]],
      tue: [[8, 22]],
      wed: [[8, 22]],
      sat: [
        [10, 14],
        [18, 22],
      ],
    },
    'Mon–Wed 8–22; Sat 10–14 and 18–22',
  ],
  [{ mon: [[0, 24]], wed: [[0, 24]], thu: [[0, 24]] }, 'Mon, Wed–Thu all day'],
  [{ mon: [[8, 22]], tue: [[6, 9]], wed: [[8, 22]], thu: [[6, 9]] }, 'Mon, Wed 8–22; Tue, Thu 6–9'],
  [Object.fromEntries(WEEKDAYS.map((day) => [day, [[8, 22]]])), 'every day 8–22'],
])('%j reads %s', (hours, text) => {
  expect(hoursText(HoursInput.parse(hours)!)).toBe(text);
});
