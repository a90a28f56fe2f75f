import { limits } from '@bidwell/contract/lib/limits';
import { messages } from '@bidwell/contract/text/messages';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { appBody, changesOf, make, makeAdsetParts, targetBody } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();

test('a target is created, listed and read with its app', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const settings = {
    device_os: ['android'],
    device_min_os_version: '9',
    device_max_os_version: '14',
    device_types: ['Phone'],
    device_connection_types: ['WiFi', 'Celular4G'],
    location_include: ['DE', 'FR'],
  };
  const made = await company.call('POST', '/target', targetBody(appUuid, settings));
  expect(made.status).toBe(201);
  expect(made.data).toMatchObject({
    name: 'Everyone',
    description: '',
    app: { uuid: appUuid, name: 'Puzzle Quest', os: 'android' },
    ...settings,
    genre_include: [],
  });
  expect((await company.call('GET', '/target')).data.targets).toEqual([made.data]);
  expect((await company.call('GET', '/target?end_date=2000-01-02')).data.targets).toEqual([]);
  expect((await company.call('GET', `/target/${made.data.uuid}`)).data).toEqual(made.data);
});

test('a name that reads backwards is refused; one that was stored before is shown, and other fields are changed', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const name = 'Spring \u202Egnirps';
  const rejected = await company.call('POST', '/target', { ...targetBody(appUuid), name });
  expect(rejected).toMatchObject({ status: 422, errors: [{ field: 'name', message: messages.nameHidden }] });

  const uuid = await make(company, '/target', targetBody(appUuid));
  await sql`update targets set name = ${name} where uuid = ${uuid}`.execute(app.ctx.db);
  expect((await company.call('GET', '/target')).data.targets).toMatchObject([{ uuid, name }]);
  const changed = await company.call('PUT', `/target/${uuid}`, { description: 'Changed' });
  expect(changed).toMatchObject({ status: 200, data: { name, description: 'Changed' } });
});

test('an update leaves absent fields unchanged, and is logged field by field', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const uuid = await make(
    company,
    '/target',
    targetBody(appUuid, { description: 'Unchanged', language_include: ['de'], location_include: ['DE'] }),
  );
  const response = await company.call('PUT', `/target/${uuid}`, {
    name: 'Germans',
    location_include: ['DE', 'AT'],
  });
  expect(response).toMatchObject({
    status: 200,
    data: {
      name: 'Germans',
      description: 'Unchanged',
      language_include: ['de'],
      location_include: ['DE', 'AT'],
      app: { uuid: appUuid },
    },
  });
  expect((await company.call('GET', `/target/${uuid}`)).data).toEqual(response.data);
  const [, update] = await changesOf(app, company, uuid);
  expect(update).toMatchObject({ action: 'update', entity_name: 'Germans' });
  expect(update?.fields).toEqual(
    expect.arrayContaining([
      { field: 'name', before: 'Everyone', after: 'Germans' },
      { field: 'location_include', before: ['DE'], after: ['DE', 'AT'] },
    ]),
  );
  expect(update?.fields).toHaveLength(2);
});

test('invalid fields are named', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const empty = await company.call('POST', '/target', { description: 'x'.repeat(201) });
  expect(empty.status).toBe(422);
  expect(empty.errors).toEqual(
    expect.arrayContaining([
      { field: 'app_id', message: 'Required' },
      { field: 'name', message: 'Required' },
      { field: 'description', message: 'Description cannot exceed 200 characters' },
    ]),
  );
  const versions = { device_min_os_version: '10.1', device_max_os_version: '9' };
  const upsideDown = await company.call('POST', '/target', targetBody(appUuid, versions));
  expect(upsideDown.errors).toEqual([
    { field: 'device_max_os_version', message: 'The newest version is older than the oldest' },
  ]);
  const withinOne = { device_min_os_version: '12.4', device_max_os_version: '12' };
  expect((await company.call('POST', '/target', targetBody(appUuid, withinOne))).status).toBe(201);
});

test('only an app of the company can be used', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const foreign = await make(stranger, '/app', appBody());
  expect(await company.call('POST', '/target', targetBody(foreign))).toMatchObject({
    status: 422,
    errors: [{ field: 'app_id', message: 'App not found' }],
  });
});

test('the target of another company is not found', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const uuid = await make(company, '/target', targetBody(await make(company, '/app', appBody())));
  const notFound = { status: 404, data: 'Target not found' };
  expect(await stranger.call('GET', `/target/${uuid}`)).toMatchObject(notFound);
  expect(await stranger.call('PUT', `/target/${uuid}`, { name: 'Mine' })).toMatchObject(notFound);
  expect((await company.call('GET', '/target/not-a-uuid')).status).toBe(404);
});

test('its app can change only while no ad set uses it', async () => {
  const company = await app.freshCompany();
  const parts = await makeAdsetParts(app, company);
  const other = await make(company, '/app', appBody({ name: 'Other' }));
  const free = await make(company, '/target', targetBody(parts.appUuid));
  const moved = await company.call('PUT', `/target/${free}`, { app_id: other });
  expect(moved.data.app).toMatchObject({ uuid: other, name: 'Other' });
  await make(company, '/adset', parts.body);
  const rejected = await company.call('PUT', `/target/${parts.targetUuid}`, { app_id: other });
  expect(rejected.status).toBe(409);
  expect(rejected.data).toContain('“First ad set”');
});

test.each([
  ['device_types', 'Toaster', 'device type'],
  ['device_connection_types', 'Celular9G', 'connection type'],
  ['device_os', 'windows', 'operating system'],
  ['device_models', 'No Such Phone', 'phone model'],
  ['language_include', 'xx', 'language'],
  ['language_exclude', 'english', 'language'],
  ['genre_include', 'Nothing', 'genre'],
  ['genre_exclude', 'IAB25', 'genre'],
  ['exchange_include', 'nobody', 'exchange'],
  ['exchange_exclude', 'nobody', 'exchange'],
])('a target with %s of %j is rejected', async (field, value, noun) => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const message = `“${value}” is not in the list of ${noun}s`;
  expect(await company.call('POST', '/target', targetBody(appUuid, { [field]: [value] }))).toMatchObject({
    status: 422,
    errors: [{ field, message }],
  });
});

test('a language is accepted by the codes of Android and of CLDR, and stored by the code of the list', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const lists = { language_include: ['in', 'fil'], language_exclude: ['iw', 'NB'] };
  const { data } = await company.call('POST', '/target', targetBody(appUuid, lists));
  expect(data).toMatchObject({ language_include: ['id', 'tl'], language_exclude: ['he', 'nb'] });
});

test('a country is accepted by both of its codes, and stored by the two-letter code', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const lists = { location_include: ['USA', 'de', 'DEU'], location_exclude: ['GBR'] };
  const { data } = await company.call('POST', '/target', targetBody(appUuid, lists));
  expect(data).toMatchObject({ location_include: ['US', 'DE'], location_exclude: ['GB'] });
  const unknown = await company.call('PUT', `/target/${data.uuid}`, { location_exclude: ['XYZ'] });
  expect(unknown.errors).toEqual([
    { field: 'location_exclude', message: '“XYZ” is not in the list of countries' },
  ]);
});

test('a target can keep an inactive exchange, and add no other one', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  for (const slug of ['used', 'inactive']) await app.operator('PUT', `/ssps/${slug}`, { name: slug });
  const uuid = await make(company, '/target', targetBody(appUuid, { exchange_include: ['Used'] }));
  for (const slug of ['used', 'inactive'])
    await app.operator('PUT', `/ssps/${slug}`, { name: slug, active: false });
  const renamed = { name: 'Renamed', exchange_include: ['used'] };
  expect((await company.call('PUT', `/target/${uuid}`, renamed)).data).toMatchObject(renamed);
  expect((await company.call('PUT', `/target/${uuid}`, { exchange_include: ['inactive'] })).status).toBe(422);
});

test('a company has a maximum number of targets', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const uuid = await make(company, '/target', targetBody(appUuid));
  await sql`
    insert into targets (uuid, company_uuid, app_uuid, name, description, settings)
    select gen_random_uuid(), company_uuid, app_uuid, name, description, settings
    from targets, generate_series(2, ${limits.targetsMax}) where uuid = ${uuid}`.execute(app.ctx.db);
  expect(await company.call('POST', '/target', targetBody(appUuid))).toMatchObject({
    status: 409,
    data: 'A company can have at most 1000 targets, archived ones included. Delete some that nothing uses.',
  });
});
