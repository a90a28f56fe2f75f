import { expect, test } from 'vitest';
import { asSuggested, coordinatesText, parseCoordinates, splitEntries, withCountry } from './place-values.ts';

test.each([
  ['52.52, 13.40', 52.52, 13.4],
  ['52.52,13.40', 52.52, 13.4],
  ['(-33.86°; 151.21°)', -33.86, 151.21],
  [' 0 0 ', 0, 0],
  ['52.52', null, null],
  ['52.52, 13.40, 5', null, null],
  ['north, east', null, null],
  ['', null, null],
])('the coordinates in “%s”', (text, lat, lon) => {
  expect(parseCoordinates(text)).toEqual({ lat, lon });
});

test('coordinates are shown as they are pasted', () => {
  expect(coordinatesText({ lat: 52.52, lon: -13.4, km: 25 })).toBe('52.52, -13.4');
  expect(coordinatesText({ lat: null, lon: null, km: 25 })).toBe('');
});

test('the one country of a target is added to places without one', () => {
  expect(withCountry(['900', 'DE:10'], ['US'])).toEqual(['US:900', 'DE:10']);
  expect(withCountry(['900'], ['US', 'CA'])).toEqual(['900']);
  expect(withCountry(['900'], [])).toEqual(['900']);
});

test('places of a list have the country that its first one names', () => {
  expect(withCountry(['US:900', '901', '902'], ['US', 'CA'])).toEqual(['US:900', 'US:901', 'US:902']);
  expect(withCountry(['US-OR:Portland', 'Salem'], [])).toEqual(['US-OR:Portland', 'US-OR:Salem']);
  expect(withCountry(['US:900', 'CA:H3', '901'], [])).toEqual(['US:900', 'CA:H3', '901']);
});

test('a list in one entry is split, and entries that are known stay whole', () => {
  expect(splitEntries(['US:1', 'US:900, 901;902'], ['US:1'])).toEqual(['US:1', 'US:900', '901', '902']);
  expect(splitEntries(['900\r\n901\n\n902\t903 '], [])).toEqual(['900', '901', '902', '903']);
  expect(splitEntries(['900,900', '900'], [])).toEqual(['900']);
  expect(splitEntries(['US:Washington, D.C.'], ['US:Washington, D.C.'])).toEqual(['US:Washington, D.C.']);
});

test('a name of a city without a country is the only suggestion that has it', () => {
  const suggestions = ['US:Los Angeles', 'US:Portland', 'GB:Portland', 'DE:Köln'];
  expect(asSuggested(['Los Angeles', 'koln', 'los ang', 'Portland', 'US:Reno'], suggestions)).toEqual([
    'US:Los Angeles',
    'DE:Köln',
    'US:Los Angeles',
    'Portland',
    'US:Reno',
  ]);
});
