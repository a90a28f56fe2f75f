import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apartPlaces } from './apart-places.ts';

const none = {
  location_include: [],
  location_exclude: [],
  region_include: [],
  city_include: [],
  postal_include: [],
};

test.each([
  [
    'regions and cities',
    { region_include: ['MX-BCN'], city_include: ['US:Los Angeles', 'US:San Diego'] },
    'city_include',
    'The cities are of “US”, and the regions of “MX”. A place has to be in every list, and no country is in all of them',
  ],
  [
    'countries and postal codes',
    { location_include: ['DE', 'AT'], postal_include: ['US:900'] },
    'postal_include',
    'The postal codes are of “US”, and the countries of “DE”, “AT”. A place has to be in every list, and no country is in all of them',
  ],
  [
    'countries that are excluded',
    { location_exclude: ['US'], region_include: ['US-CA'] },
    'region_include',
    'The regions are of “US”, which the target excludes: no place can match',
  ],
  [
    'three lists, of which each two overlap',
    {
      location_include: ['DE', 'AT'],
      region_include: ['AT-9', 'CH-ZH'],
      city_include: ['DE:Berlin', 'CH-ZH:Zürich'],
    },
    'city_include',
    'The cities are of “DE”, “CH”. A place has to be in every list, and no country is in all of them',
  ],
])('%s cannot match together', (_name, lists, field, message) => {
  expect(apartPlaces({ ...none, ...lists })).toEqual({ field, message });
});

test.each([
  [{}],
  [{ location_include: ['DE'], location_exclude: ['DE'] }],
  [{ region_include: ['US-CA', 'MX-BCN'], city_include: ['US:San Diego'], postal_include: ['US:900'] }],
  [{ location_exclude: ['DE'], city_include: ['DE:Berlin', 'AT:Wien'] }],
])('%j can match', (lists) => {
  expect(apartPlaces({ ...none, ...lists })).toBeNull();
});

test('lists are apart exactly if no country is in all of them', () => {
  const countries = fc.subarray(['DE', 'AT', 'US']);
  fc.assert(
    fc.property(countries, countries, countries, (location, region, city) => {
      const lists = [location, region, city].filter(({ length }) => length > 0);
      const isApart =
        lists.length > 1 && !['DE', 'AT', 'US'].some((one) => lists.every((list) => list.includes(one)));
      const found = apartPlaces({
        ...none,
        location_include: location,
        region_include: region.map((one) => `${one}-1`),
        city_include: city.map((one) => `${one}:Town`),
      });
      expect(found !== null).toBe(isApart);
    }),
  );
});
