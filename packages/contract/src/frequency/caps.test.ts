import { expect, test } from 'vitest';
import { capMinutes, capTime, capsField, capsText } from './caps.ts';

const DAY = 1440;

test.each([
  [[{ impressions: 3, minutes: DAY }], 'at most 3 in any 24 hours'],
  [
    [
      { impressions: 1, minutes: 60 },
      { impressions: 3, minutes: DAY },
      { impressions: 1000, minutes: 7 * DAY },
    ],
    'at most 1 in any hour, 3 in any 24 hours and 1\u00a0000 in any 7 days',
  ],
  [[{ impressions: 2, minutes: 720 }], 'at most 2 in any 12 hours'],
  [[{ impressions: 2, minutes: 1 }], 'at most 2 in any minute'],
  [[{ impressions: 2, minutes: 90 }], 'at most 2 in any 90 minutes'],
  [[{ impressions: 9, minutes: 30 * DAY }], 'at most 9 in any 30 days'],
  [[], ''],
])('%j is read as "%s"', (caps, text) => {
  expect(capsText(caps)).toBe(text);
});

test.each([1, 59, 60, 61, 90, DAY, 3 * DAY, 43_200])(
  '%i minutes are the same in their largest unit',
  (minutes) => {
    const { count, unit } = capTime(minutes);
    expect(capMinutes(count, unit)).toBe(minutes);
  },
);

test('caps are sorted by their time', () => {
  const caps = [
    { impressions: 10, minutes: 7 * DAY },
    { impressions: 3, minutes: DAY },
  ];
  expect(capsField.input.parse(caps)).toEqual(caps.toReversed());
  expect([null, undefined, []].map((none) => capsField.input.parse(none))).toEqual([[], [], []]);
});
