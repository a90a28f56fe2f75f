import type { OperatingSystem, PhoneModel, SubRegion } from '@bidwell/contract/reference/schema';
import { COUNTRY_CODES } from '@bidwell/contract/reference/country-codes';
import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const company = await app.freshCompany();

test('sub-regions contain every country once, including Taiwan', async () => {
  const response = await company.call('GET', '/sub_region');
  expect(response.headers['cache-control']).toBe('private, max-age=3600');
  const regions = response.data.sub_regions as SubRegion[];
  const of = (name: string) => regions.find((region) => region.name === name)?.countries ?? [];
  expect(of('Western Europe')).toContainEqual({ id: 276, name: 'Germany', code: 'DEU', code2: 'DE' });
  expect(of('Eastern Asia')).toContainEqual({ id: 158, name: 'Taiwan', code: 'TWN', code2: 'TW' });
  expect(of('Sub-Saharan Africa').map((country) => country.code2)).toContain('KE');
  const codes = regions.flatMap((region) => region.countries.map((country) => country.code));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toHaveLength(249);
  const short = regions.flatMap((region) => region.countries.map((country) => country.code2));
  expect(COUNTRY_CODES).toEqual(short.toSorted());
});

test.each([
  [
    '/connection_types',
    'connection_types',
    ['Cellular', 'Celular2G', 'Celular3G', 'Celular4G', 'Ethernet', 'WiFi'],
  ],
  ['/device_types', 'device_types', ['Computer', 'Phone', 'Mobile', 'Tablet', 'ConnectedTV', 'SetTopBox']],
  ['/languages', 'languages', ['en', 'de', 'zh']],
  ['/store_genres', 'store_genres', ['Games', 'Social Networking', 'Maps & Navigation']],
  ['/operating_systems', 'operating_systems', ['android', 'ios']],
  ['/algorithms', 'algorithms', ['Manual CPM', 'Target CPI', 'Max installs']],
])('%s has each value once, each with a name', async (path, key, some) => {
  const response = await company.call('GET', path);
  expect(response.status).toBe(200);
  const items = response.data[key] as { value: string; name: string }[];
  const values = items.map((item) => item.value);
  expect(values).toEqual(expect.arrayContaining(some));
  expect(new Set(values).size).toBe(values.length);
  expect(items.every((item) => item.name !== '')).toBe(true);
});

test('operating systems have their versions, oldest first', async () => {
  const systems = (await company.call('GET', '/operating_systems')).data
    .operating_systems as OperatingSystem[];
  const [android = [], ios = []] = systems.map(({ versions }) => versions);
  expect([android.at(0), android.at(-1)]).toEqual(['5.0', '17']);
  expect([ios.at(0), ios.at(-1)]).toEqual(['9.0', '27.0']);
  expect(android).toEqual(expect.arrayContaining(['7.1', '8.1', '9', '12.1', '16']));
  expect(ios).toEqual(expect.arrayContaining(['12.5', '14.8', '18.7', '26.0', '26.1']));
  expect(ios).not.toContain('19.0');
  for (const versions of [android, ios]) {
    const order = versions.map(
      (version) => Number(version.split('.')[0]) * 100 + Number(version.split('.')[1] ?? 0),
    );
    expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
  }
});

test('IAB categories are the complete taxonomy', async () => {
  const { iab_categories } = (await company.call('GET', '/iab_categories')).data;
  expect(iab_categories).toHaveLength(392);
  expect(iab_categories).toContainEqual({ value: 'IAB9-30', name: 'Video & Computer Games' });
});

test('there are many phone models, each value once ignoring case', async () => {
  const models = (await company.call('GET', '/phone_models')).data.phone_models as PhoneModel[];
  expect(models.length).toBeGreaterThanOrEqual(1000);
  expect(new Set(models.map((model) => model.value.toLowerCase())).size).toBe(models.length);
  expect(models).toContainEqual({ vendor: 'Samsung', value: 'SM-S918B', name: 'Galaxy S23 Ultra' });
  const vendors = new Set(models.map((model) => model.vendor));
  const used =
    'Apple,Samsung,Xiaomi,Huawei,Honor,OPPO,vivo,realme,OnePlus,Google,Motorola,Nokia,TECNO,Infinix,itel,Sony,LG,ASUS,ZTE';
  for (const vendor of used.split(',')) expect(vendors).toContain(vendor);
});

test('ssps are the active exchanges', async () => {
  await app.ctx.db
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

test('banner sizes are grouped', async () => {
  const response = await company.call('GET', '/banner');
  expect(response.data.default_banners).toContainEqual({ width: 320, height: 50 });
  expect(Object.keys(response.data)).toEqual([
    'default_banners',
    'medium_banners',
    'tablet_banners',
    'full_screen_banners',
    'native_banners',
  ]);
});

test('a browser caches them for an hour', async () => {
  for (const path of ['/sub_region', '/languages', '/connection_types', '/device_types', '/banner']) {
    const { headers } = await company.call('GET', path);
    expect([path, headers['cache-control']]).toEqual([path, 'private, max-age=3600']);
  }
});
