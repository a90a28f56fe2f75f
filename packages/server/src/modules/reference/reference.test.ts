import type { PhoneModel, SubRegion } from '@bidwell/contract/reference';
import { expect, test } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();
const company = await app.freshCompany();

test('sub-regions hold every country once, Taiwan too', async () => {
  const answer = await company.call('GET', '/sub_region');
  expect(answer.headers['cache-control']).toBe('private, max-age=3600');
  const regions = answer.data.sub_regions as SubRegion[];
  const of = (name: string) => regions.find((region) => region.name === name)?.countries ?? [];
  expect(of('Western Europe')).toContainEqual({ id: 276, name: 'Germany', code: 'DEU', code2: 'DE' });
  expect(of('Eastern Asia')).toContainEqual({ id: 158, name: 'Taiwan', code: 'TWN', code2: 'TW' });
  expect(of('Sub-Saharan Africa').map((country) => country.code2)).toContain('KE');
  const codes = regions.flatMap((region) => region.countries.map((country) => country.code));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toHaveLength(249);
});

test.each([
  [
    '/connection_types',
    'connection_types',
    ['Cellular', 'Celular2G', 'Celular3G', 'Celular4G', 'Ethernet', 'WiFi'],
  ],
  ['/device_types', 'device_types', ['Computer', 'Phone', 'Mobile', 'Tablet']],
  ['/languages', 'languages', ['en', 'de', 'zh']],
  ['/store_genres', 'store_genres', ['Games', 'Social Networking', 'Maps & Navigation']],
  ['/operating_systems', 'operating_systems', ['android', 'ios']],
  ['/algorithms', 'algorithms', ['Manual CPM', 'Target CPI', 'Max installs']],
])('%s lists values once, each with a name', async (path, key, some) => {
  const answer = await company.call('GET', path);
  expect(answer.status).toBe(200);
  const items = answer.data[key] as { value: string; name: string }[];
  const values = items.map((item) => item.value);
  expect(values).toEqual(expect.arrayContaining(some));
  expect(new Set(values).size).toBe(values.length);
  expect(items.every((item) => item.name !== '')).toBe(true);
});

test('operating systems name their versions', async () => {
  const [android, ios] = (await company.call('GET', '/operating_systems')).data.operating_systems;
  expect([android.versions.at(0), android.versions.at(-1)]).toEqual(['5', '16']);
  expect([ios.versions.at(0), ios.versions.at(-1)]).toEqual(['9', '26']);
});

test('phone models are at least 150, each value once whatever its case', async () => {
  const models = (await company.call('GET', '/phone_models')).data.phone_models as PhoneModel[];
  expect(models.length).toBeGreaterThanOrEqual(150);
  expect(new Set(models.map((model) => model.value.toLowerCase())).size).toBe(models.length);
  expect(models).toContainEqual({ vendor: 'Samsung', value: 'SM-S918B', name: 'Galaxy S23 Ultra' });
});

test('ssps are the active exchanges', async () => {
  await app.engines.db
    .insertInto('ssps')
    .values([
      { slug: 'on-air', name: 'On Air', charge_on: 'billing' },
      { slug: 'gone', name: 'Gone', charge_on: 'win', active: false },
    ])
    .execute();
  const { ssps } = (await company.call('GET', '/ssps')).data;
  expect(ssps).toContainEqual({ value: 'on-air', name: 'On Air' });
  expect(ssps).not.toContainEqual({ value: 'gone', name: 'Gone' });
});

test('banner sizes come by group', async () => {
  const answer = await company.call('GET', '/banner');
  expect(answer.data.default_banners).toContainEqual({ width: 320, height: 50 });
  expect(Object.keys(answer.data)).toEqual([
    'default_banners',
    'medium_banners',
    'tablet_banners',
    'full_screen_banners',
    'native_banners',
  ]);
});

test('nobody reads them without a session', async () => {
  expect((await app.http.inject({ url: '/api/internal/sub_region' })).statusCode).toBe(401);
});
