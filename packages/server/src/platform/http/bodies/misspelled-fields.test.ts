import { expect, test } from 'vitest';
import { appBody, linkBody, make, makeAdsetParts, targetBody } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();

test('a misspelled field is refused with the name that was probably meant, and another unknown one is left out', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const given = { ...body, frequency_cap: [{ impressions: 3, minutes: 1440 }], audience_includes: [] };
  const { status, data, errors } = await company.call('POST', '/adset', given);
  const first = 'There is no field “frequency_cap”. Did you mean “frequency_caps”?';
  expect([status, data]).toEqual([422, first]);
  expect(errors).toEqual([
    { field: 'frequency_cap', message: first },
    {
      field: 'audience_includes',
      message: 'There is no field “audience_includes”. Did you mean “audience_include”?',
    },
  ]);
  expect((await company.call('GET', '/adset')).data.adsets).toEqual([]);
  const uuid = await make(company, '/adset', body);
  expect(await company.call('PUT', `/adset/${uuid}`, { bid_cpm: 9 })).toMatchObject({
    status: 422,
    data: 'There is no field “bid_cpm”. Did you mean “bet_cpm”?',
  });
  expect((await company.call('PUT', `/adset/${uuid}`, { colour: 'red' })).status).toBe(200);
  // The field that it is near to is there as well: it is something else.
  expect((await company.call('PUT', `/adset/${uuid}`, { bet_cpm: 3, bid_cpm: 9 })).status).toBe(200);
});

test('a misspelled field that is required is named, also one of four letters', async () => {
  const company = await app.freshCompany();
  expect(await company.call('POST', '/audience', { nmae: 'Payers' })).toMatchObject({
    status: 422,
    data: 'There is no field “nmae”. Did you mean “name”?',
  });
});

test('a misspelled field within another field is refused by its path', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const countries = [{ country: 'DE', bet_cpm: 2, dayly_budget: 5 }];
  expect(await company.call('POST', '/adset', { ...body, countries })).toMatchObject({
    status: 422,
    errors: [
      {
        field: 'countries.0.dayly_budget',
        message: 'There is no field “dayly_budget”. Did you mean “daily_budget”?',
      },
    ],
  });
  // The names of a map are not fields.
  const uuid = await make(company, '/adset', { ...body, bundle_bids: { 'com.example.game': 2 } });
  expect((await company.call('GET', `/adset/${uuid}`)).data.bundle_bids).toEqual({ 'com.example.game': 2 });
});

test('an entity can be sent back as it was read, and created again from what was read', async () => {
  const company = await app.freshCompany();
  const { appUuid, body, targetUuid, linkUuid, groupUuid } = await makeAdsetParts(app, company);
  const adset = await make(company, '/adset', body);
  const campaign = await make(company, '/campaign', { name: 'Campaign', app_uuid: appUuid });
  for (const path of [
    `/app/${appUuid}`,
    `/target/${targetUuid}`,
    `/tracking_link/${linkUuid}`,
    `/internal_creative_group/${groupUuid}`,
    `/adset/${adset}`,
    `/campaign/${campaign}`,
    `/audience/${await make(company, '/audience', { name: 'Payers' })}`,
  ]) {
    const { data } = await company.call('GET', path);
    const changed = await company.call('PUT', path, { ...data, name: 'Renamed' });
    expect([path, changed.status, changed.data.name ?? changed.data]).toEqual([path, 200, 'Renamed']);
    const { errors } = await company.call('POST', path.slice(0, path.lastIndexOf('/')), data);
    expect([path, errors.filter(({ message }) => message.startsWith('There is no field'))]).toEqual([
      path,
      [],
    ]);
  }
});

test('at most ten fields are named, and a long name is cut', async () => {
  const company = await app.freshCompany();
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`store_link${'_'.repeat(index + 1)}`, 1]),
  );
  const { store_link: _, ...body } = appBody() as { store_link: string };
  const named = await company.call('POST', '/app', { ...body, ...many });
  expect([named.status, named.errors?.length]).toEqual([422, 10]);
  const long = await company.call('POST', '/app', { ...body, [`store_link${'_'.repeat(5000)}`]: 1 });
  expect(String(long.data).length).toBeLessThan(120);
});

test('of a body with very many unknown fields the first fifty are compared, so that no call holds up others', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`z${index}`, 1]));
  const late = async (count: number) =>
    (await company.call('POST', '/adset', { ...body, ...many(count), frequency_cap: [] })).status;
  expect([await late(49), await late(50)]).toEqual([422, 201]);
});

test('a page of the console saves with a process of an earlier release', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const later = { ...body, frequency_cap: [] };
  expect((await company.call('POST', '/adset', later)).status).toBe(422);
  expect((await company.call('POST', '/adset', later, { 'x-tab': 'some-tab' })).status).toBe(201);
});

test('calls of targets and tracking links refuse misspelled fields as well', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  expect(
    await company.call(
      'POST',
      '/target',
      targetBody(appUuid, { regions_include: ['US-CA'], region_include: undefined }),
    ),
  ).toMatchObject({
    status: 422,
    data: 'There is no field “regions_include”. Did you mean “region_include”?',
  });
  expect(
    await company.call('POST', '/tracking_link', linkBody(appUuid, { clickurl: '', click_url: undefined })),
  ).toMatchObject({
    status: 422,
    data: 'There is no field “clickurl”. Did you mean “click_url”?',
  });
});
