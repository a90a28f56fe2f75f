import { expect, test } from 'vitest';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { citiesIn, citiesOf } from './cities-seen.ts';
import { SampleColumns } from './columns.ts';

test('cities are named as targets write them, the most frequent first, and rare ones not at all', () => {
  const columns = new SampleColumns(1000, true);
  const add = (geo: object, times: number, weight = 1) => {
    for (let index = 0; index < times; index += 1) {
      const body = {
        id: 'r',
        imp: [{ id: '1', banner: { w: 320, h: 50 } }],
        app: { bundle: 'com.a' },
        device: { os: 'Android', geo },
      };
      columns.add({ request: readBidRequest(body, 'sample')!, atMs: index, weight });
    }
  };
  add({ country: 'USA', region: 'CA', city: 'Los Angeles' }, 3, 10);
  add({ country: 'USA', city: 'LOS ANGELES' }, 3, 10);
  add({ country: 'DEU', city: 'Köln' }, 5, 9);
  add({ country: 'FRA', city: 'Lyon' }, 2, 100);
  add({ city: 'Nowhere' }, 5);
  add({ country: 'USA' }, 9);
  const cities = citiesIn(columns);
  expect(citiesOf(cities, undefined)).toEqual(['US:Los Angeles', 'DE:Cologne']);
  expect(citiesOf(cities, ['DE', 'FR'])).toEqual(['DE:Cologne']);
});
