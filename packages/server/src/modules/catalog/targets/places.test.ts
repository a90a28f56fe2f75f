import { targetMessages } from '@bidwell/contract/targets/messages';
import { emptyTargetSettings } from '@bidwell/contract/targets/schema';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { appBody, changesOf, make, targetBody } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();

async function companyWithApp() {
  const company = await app.freshCompany();
  return { company, appUuid: await make(company, '/app', appBody()) };
}

test('places, carriers, placements and the id are empty unless they are given', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data } = await company.call('POST', '/target', targetBody(appUuid));
  expect(data).toMatchObject(emptyTargetSettings);
  expect(data).toMatchObject({
    region_include: [],
    radius_exclude: [],
    placement_kinds: [],
    device_id: 'any',
  });
});

test('they are stored in one spelling, each once', async () => {
  const { company, appUuid } = await companyWithApp();
  const given = {
    region_include: ['us-ca', 'US-CA', 'JP-13'],
    city_include: ['deu:Köln', 'DE: koln ', 'us-or:Portland'],
    city_exclude: ['DE:Berlin'],
    postal_include: ['usa:900', 'US: 9-0 0', 'gb:sw1a 1', 'us:90210-1234'],
    radius_include: [{ lat: 52.52, lon: 13.405, km: 25 }],
    carrier_include: ['Verizon', 'VERIZON', '310410', '310-410'],
    placement_kinds: ['rewarded', 'rewarded'],
    device_id: 'with',
  };
  const { status, data } = await company.call('POST', '/target', targetBody(appUuid, given));
  const stored = {
    region_include: ['US-CA', 'JP-13'],
    city_include: ['DE:Köln', 'US-OR:Portland'],
    city_exclude: ['DE:Berlin'],
    postal_include: ['US:900', 'GB:SW1A1', 'US:902101234'],
    radius_include: [{ lat: 52.52, lon: 13.405, km: 25 }],
    carrier_include: ['Verizon', '310410'],
    placement_kinds: ['rewarded'],
    device_id: 'with',
  };
  expect([status, data]).toEqual([201, expect.objectContaining(stored)]);
  const copy = await company.call('POST', `/target/${data.uuid}/duplicate`);
  expect(copy.data).toMatchObject(stored);
  const changed = await company.call('PUT', `/target/${data.uuid}`, { city_exclude: ['AT:Wien'] });
  expect(changed.data).toMatchObject({ ...stored, city_exclude: ['AT:Wien'] });
  const [, change] = await changesOf(app, company, data.uuid);
  expect(change!.fields).toEqual([{ field: 'city_exclude', before: ['DE:Berlin'], after: ['AT:Wien'] }]);
});

test.each([
  [{ region_include: ['US-XX'] }, 'region_include', '“US-XX” is not in the list of regions'],
  [{ city_include: ['Berlin'] }, 'city_include', targetMessages.cityForm(['Berlin'])],
  [{ city_include: ['XX:Berlin'] }, 'city_include', '“XX” is not in the list of countries'],
  [{ city_exclude: ['US-QQ:Berlin'] }, 'city_exclude', '“US-QQ” is not in the list of regions'],
  [
    { postal_include: ['900', 'US:90', '901', '902', '903'] },
    'postal_include',
    '“900”, “901”, “902” and 1 more: write the country and the beginning of the code, such as US:900',
  ],
  [{ postal_include: ['DE:10115-10119'] }, 'postal_include', targetMessages.postalForm(['DE:10115-10119'])],
  [{ postal_include: ['US:'] }, 'postal_include', targetMessages.postalForm(['US:'])],
  [{ postal_exclude: ['ZZ:900'] }, 'postal_exclude', '“ZZ” is not in the list of countries'],
  [{ carrier_include: ['…'] }, 'carrier_include', targetMessages.carrierForm(['…'])],
  [{ radius_include: [{ lat: 91, lon: 0, km: 5 }] }, 'radius_include.0.lat', 'From -90 to 90'],
  [
    { radius_include: [{ lat: 0, lon: 0, km: 501 }] },
    'radius_include.0.km',
    'The radius is from 1 to 500 km',
  ],
  [{ radius_include: [{ lat: 0, lon: 0, km: 0 }] }, 'radius_include.0.km', 'The radius is from 1 to 500 km'],
])('%o is refused', async (settings, field, message) => {
  const { company, appUuid } = await companyWithApp();
  const response = await company.call('POST', '/target', targetBody(appUuid, settings));
  expect(response).toMatchObject({ status: 422, errors: [{ field, message }] });
});

test('places that cannot match together are refused, also one list after another', async () => {
  const { company, appUuid } = await companyWithApp();
  const given = {
    region_include: ['MX-BCN'],
    city_include: ['US:Los Angeles', 'US:Köln'],
    postal_include: ['US:900'],
  };
  const message = expect.stringContaining('no country is in all of them');
  const refused = await company.call(
    'POST',
    '/target',
    targetBody(appUuid, { ...given, location_include: [] }),
  );
  expect([refused.status, refused.errors]).toEqual([422, [{ field: 'city_include', message }]]);
  const { data } = await company.call('POST', '/target', targetBody(appUuid, { location_include: ['mx'] }));
  const set = async (body: object) => {
    const { status, errors } = await company.call('PUT', `/target/${data.uuid}`, body);
    return [status, errors];
  };
  expect(await set({ postal_include: ['usa:900'] })).toEqual([422, [{ field: 'postal_include', message }]]);
  expect(await set({ region_include: ['MX-BCN'] })).toEqual([200, []]);
  expect((await set({ location_include: ['US'] }))[0]).toBe(422);
  expect((await set({ location_include: ['US', 'MX'] }))[0]).toBe(200);
  // What an earlier release stored can be changed in other fields.
  await app.ctx.db
    .updateTable('targets')
    .set({ settings: JSON.stringify({ ...emptyTargetSettings, ...given }) })
    .where('uuid', '=', data.uuid)
    .execute();
  expect((await set({ name: 'Renamed' }))[0]).toBe(200);
});

test('a target that an earlier release stored has no places, and gets those of a change', async () => {
  const { company, appUuid } = await companyWithApp();
  const uuid = await make(company, '/target', targetBody(appUuid, { location_include: ['DE'] }));
  await sql`update targets set settings = settings - array['region_include', 'city_include', 'radius_include', 'device_id']
    where uuid = ${uuid}`.execute(app.ctx.db);
  expect((await company.call('GET', `/target/${uuid}`)).data).toMatchObject({
    location_include: ['DE'],
    region_include: [],
    radius_include: [],
    device_id: 'any',
  });
  const changed = await company.call('PUT', `/target/${uuid}`, { region_include: ['DE-BE'] });
  expect(changed.data).toMatchObject({ region_include: ['DE-BE'], city_include: [], device_id: 'any' });
});

test('regions of countries are listed by name', async () => {
  const { company } = await companyWithApp();
  const { data } = await company.call('GET', '/regions?countries=us,JP');
  expect(data.regions).toHaveLength(57 + 47);
  expect(data.regions[0]).toEqual({ value: 'US-AL', name: 'Alabama', country: 'US', parent: null });
  expect(data.regions).toContainEqual({ value: 'JP-13', name: 'Tôkyô', country: 'JP', parent: null });
  expect((await company.call('GET', '/regions?countries=DE')).data.regions).toContainEqual({
    value: 'DE-BY',
    name: 'Bayern',
    english: 'Bavaria',
    country: 'DE',
    parent: null,
  });
  const all = (await company.call('GET', '/regions')).data.regions as {
    value: string;
    parent: string | null;
  }[];
  expect(all.length).toBeGreaterThan(5000);
  expect(all).toContainEqual({
    value: 'IT-MI',
    name: 'Milano',
    english: 'Milan',
    country: 'IT',
    parent: 'IT-25',
  });
  expect((await company.call('GET', '/regions?countries=USA')).status).toBe(422);
});

test.each([
  ['california', ['MX-BCN', 'MX-BCS', 'US-CA']],
  ['sao paulo', ['BR-SP']],
  ['germany ber', ['DE-BE', 'DE-BW']],
  ['bavaria', ['DE-BY']],
  ['bayern', ['DE-BY']],
  ['fukuoka', ['JP-40']],
  ['makkah', ['SA-02']],
  ['nowhere at all', []],
])('a search for “%s” finds regions by the words of their names and codes', async (search, found) => {
  const { company } = await companyWithApp();
  const { data } = await company.call('GET', `/regions?search=${encodeURIComponent(search)}`);
  expect(data.regions.map(({ value }: { value: string }) => value).sort()).toEqual(found);
});

test('a search for regions finds a hundred at most, in the countries alone, and takes a hundred characters', async () => {
  const { company } = await companyWithApp();
  const regionsOf = async (query: string) => (await company.call('GET', `/regions?${query}`)).data.regions;
  expect(await regionsOf('search=a')).toHaveLength(100);
  expect(await regionsOf('search=california&countries=US')).toMatchObject([{ value: 'US-CA' }]);
  expect((await regionsOf('search=us-ca'))[0]).toMatchObject({ value: 'US-CA' });
  expect((await company.call('GET', `/regions?search=${'a'.repeat(101)}`)).status).toBe(422);
});
