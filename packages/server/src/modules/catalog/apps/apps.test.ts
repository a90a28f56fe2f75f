import { describe, expect, test } from 'vitest';
import { appBody, approveApp, changesOf, make } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';
import { notifyMissingDomains } from './service.ts';

const app = await testApp();
const unknown = '01890000-0000-7000-8000-000000000000';

test('an app is created in Moderation, listed and read', async () => {
  const company = await app.freshCompany();
  const body = appBody({ description: 'A game', rating: 4.5, size_in_kb: 120_000 });
  const made = await company.call('POST', '/app', body);
  expect(made.status).toBe(201);
  expect(made.data).toMatchObject({ ...body, status: 'Moderation', icon_link: null, rejection_reason: null });
  const list = await company.call('GET', '/app');
  expect(list.data.apps).toEqual([made.data]);
  const read = await company.call('GET', `/app/${made.data.uuid}`);
  expect(read).toMatchObject({ status: 200, data: made.data });
  expect(await changesOf(app, company, made.data.uuid)).toMatchObject([
    { action: 'create', entity_type: 'app', entity_name: 'Puzzle Quest', author: 'Test Er' },
  ]);
});

test('the list has the requested days, both included, which are written YYYY-MM-DD', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/app', appBody());
  const read = await company.call('GET', `/app/${uuid}`);
  const day = read.data.created_at.slice(0, 10);
  const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  const within = await company.call('GET', `/app?start_date=${day}&end_date=${day}`);
  expect(within.data.apps).toHaveLength(1);
  const earlier = await company.call('GET', `/app?start_date=2000-01-01&end_date=${dayBefore}`);
  expect(earlier.data.apps).toHaveLength(0);
  const absurd = await company.call('GET', '/app?start_date=0001-01-01&end_date=9999-12-31');
  expect(absurd.data.apps).toHaveLength(1);
  expect((await company.call('GET', '/app?start_date=yesterday')).status).toBe(422);
});

test('every invalid field is named with its message', async () => {
  const company = await app.freshCompany();
  const response = await company.call('POST', '/app', {
    name: 'x'.repeat(51),
    description: 'x'.repeat(201),
    os: 'windows',
    store_link: 'nonsense',
    bundle_id: '',
  });
  expect(response.status).toBe(422);
  expect(response.errors).toEqual(
    expect.arrayContaining([
      { field: 'name', message: 'Title cannot exceed 50 characters' },
      { field: 'description', message: 'Description cannot exceed 200 characters' },
      { field: 'os', message: 'Required' },
      { field: 'store_link', message: 'Enter a URL that starts with https://' },
      { field: 'bundle_id', message: 'Required' },
      { field: 'mobile_measurement_partner', message: 'MMP is required' },
      { field: 'iab_category', message: 'Required' },
    ]),
  );
});

test.each([
  ['', 'Required'],
  ['IAB99', 'Choose a category'],
  ['Games', 'Choose a category'],
])('the category "%s" is rejected', async (iab_category, message) => {
  const company = await app.freshCompany();
  const response = await company.call('POST', '/app', appBody({ iab_category }));
  expect(response.errors).toEqual([{ field: 'iab_category', message }]);
});

test('the operating system must match the store', async () => {
  const company = await app.freshCompany();
  const response = await company.call(
    'POST',
    '/app',
    appBody({ store_link: 'https://apps.apple.com/app/id123456789' }),
  );
  expect(response).toMatchObject({
    status: 422,
    errors: [{ field: 'os', message: 'The store link is of an iOS app' }],
  });
});

test('a company has one app per store link, in any spelling of the link', async () => {
  const company = await app.freshCompany();
  const first = appBody();
  await make(company, '/app', first);
  const again = await company.call('POST', '/app', { ...first, store_link: `${first.store_link}&hl=de` });
  expect(again).toMatchObject({ status: 409, data: 'An app with this store link exists already' });
  expect(again.errors).toMatchObject([{ field: 'store_link' }]);
  const elsewhere = await app.freshCompany();
  expect((await elsewhere.call('POST', '/app', first)).status).toBe(201);
});

describe('an update', () => {
  test('changes only its fields and does not affect the review', async () => {
    const company = await app.freshCompany();
    const body = appBody({ description: 'Unchanged', rating: 4 });
    const uuid = await make(company, '/app', body);
    await approveApp(app, uuid);
    const response = await company.call('PUT', `/app/${uuid}`, { iab_category: 'IAB1' });
    expect(response.status).toBe(200);
    expect(response.data).toMatchObject({ ...body, iab_category: 'IAB1', status: 'Approved' });
    const changes = await changesOf(app, company, uuid);
    expect(changes[1]).toMatchObject({
      action: 'update',
      fields: [{ field: 'iab_category', before: 'IAB9-30', after: 'IAB1' }],
    });
  });

  test.each([
    ['name', 'Another name'],
    ['bundle_id', 'com.example.other'],
    ['store_link', 'https://play.google.com/store/apps/details?id=com.example.other'],
  ])('of %s returns the app to Moderation', async (field, value) => {
    const company = await app.freshCompany();
    const uuid = await make(company, '/app', appBody());
    await approveApp(app, uuid);
    const response = await company.call('PUT', `/app/${uuid}`, { [field]: value });
    expect(response.data).toMatchObject({ [field]: value, status: 'Moderation' });
  });

  test('without changes is not logged', async () => {
    const company = await app.freshCompany();
    const body = appBody();
    const uuid = await make(company, '/app', body);
    expect((await company.call('PUT', `/app/${uuid}`, body)).status).toBe(200);
    expect(await changesOf(app, company, uuid)).toHaveLength(1);
  });
});

test('the app of another company is not found', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const uuid = await make(company, '/app', appBody());
  const notFound = { status: 404, data: 'App not found' };
  expect(await stranger.call('GET', `/app/${uuid}`)).toMatchObject(notFound);
  expect(await stranger.call('PUT', `/app/${uuid}`, { name: 'Mine' })).toMatchObject(notFound);
  expect(await stranger.call('DELETE', '/app/batch', { uuids: [uuid] })).toMatchObject(notFound);
  expect((await stranger.call('GET', '/app')).data.apps).toEqual([]);
  expect((await company.call('GET', `/app/${uuid}`)).data.name).toBe('Puzzle Quest');
});

describe('deleting', () => {
  test('removes apps from the list and frees their store links', async () => {
    const company = await app.freshCompany();
    const body = appBody();
    const uuids = [await make(company, '/app', body), await make(company, '/app', appBody())];
    const response = await company.call('DELETE', '/app/batch', { uuids });
    expect(response).toMatchObject({ status: 200, data: { uuids } });
    expect((await company.call('GET', '/app')).data.apps).toEqual([]);
    expect((await company.call('GET', `/app/${uuids[0]}`)).status).toBe(404);
    expect((await changesOf(app, company, uuids[0]!)).map((change) => change.action)).toEqual([
      'create',
      'delete',
    ]);
    expect((await company.call('POST', '/app', body)).status).toBe(201);
  });

  test('deletes nothing if one of them is unknown', async () => {
    const company = await app.freshCompany();
    const uuid = await make(company, '/app', appBody());
    const response = await company.call('DELETE', '/app/batch', { uuids: [uuid, unknown] });
    expect(response.status).toBe(404);
    expect((await company.call('GET', '/app')).data.apps).toHaveLength(1);
  });

  test('is rejected, naming the campaigns, while an Active one uses the app', async () => {
    const company = await app.freshCompany();
    const uuid = await make(company, '/app', appBody());
    const campaign = await make(company, '/campaign', { name: 'Launch', app_uuid: uuid });
    await app.ctx.db
      .updateTable('campaigns')
      .set({ status: 'Active' })
      .where('uuid', '=', campaign)
      .execute();
    const response = await company.call('DELETE', '/app/batch', { uuids: [uuid] });
    expect(response).toMatchObject({
      status: 409,
      data: 'Pause the campaigns that use the app first: “Launch”',
    });
    await company.call('POST', `/campaign/${campaign}/pause`);
    expect((await company.call('DELETE', '/app/batch', { uuids: [uuid] })).status).toBe(200);
  });
});

describe('a store link', () => {
  test('gives os, bundle and sometimes the name', async () => {
    const company = await app.freshCompany();
    const link = 'https://apps.apple.com/us/app/puzzle-quest/id123456789?pt=1';
    expect(await company.call('POST', '/app/parse', { link })).toMatchObject({
      status: 200,
      data: {
        os: 'ios',
        bundle_id: '123456789',
        store_link: 'https://apps.apple.com/us/app/id123456789',
        name: 'Puzzle Quest',
        icon_link: null,
        rating: null,
        missing: [
          'description',
          'icon_link',
          'iab_category',
          'rating',
          'size_in_kb',
          'advertiser_domain',
          'mobile_measurement_partner',
        ],
      },
    });
    const google = await company.call('POST', '/app/parse', {
      link: 'https://play.google.com/store/apps/details?id=com.example.game',
    });
    expect(google.data).toMatchObject({ os: 'android', bundle_id: 'com.example.game', name: null });
    expect(google.data.missing).toContain('name');
  });

  test('for no store is an error of the field', async () => {
    const company = await app.freshCompany();
    const response = await company.call('POST', '/app/parse', { link: 'https://example.com/app' });
    const message = 'Enter the link of an app in the App Store or Google Play';
    expect(response).toMatchObject({ status: 422, data: message, errors: [{ field: 'link', message }] });
  });
});

describe('the advertiser domain', () => {
  test('is reduced to the domain, and is optional', async () => {
    const company = await app.freshCompany();
    const typed = appBody({ advertiser_domain: 'https://www.Example.com/games' });
    const uuid = await make(company, '/app', typed);
    expect((await company.call('GET', `/app/${uuid}`)).data.advertiser_domain).toBe('example.com');
    const { advertiser_domain: _domain, ...without } = appBody();
    expect((await company.call('POST', '/app', without)).data.advertiser_domain).toBeNull();
  });

  test.each([
    ['apps.apple.com', 'Enter the developer’s own domain, not the app store’s'],
    ['not a domain', 'Enter a domain such as example.com'],
  ])('%s is rejected', async (advertiser_domain, message) => {
    const company = await app.freshCompany();
    expect(await company.call('POST', '/app', appBody({ advertiser_domain }))).toMatchObject({
      status: 422,
      errors: [{ field: 'advertiser_domain', message }],
    });
  });

  test('is requested once if campaigns run without it', async () => {
    const company = await app.freshCompany();
    const uuid = await make(company, '/app', appBody({ advertiser_domain: null }));
    await make(company, '/app', appBody({ advertiser_domain: null, name: 'Idle' }));
    const campaign = await make(company, '/campaign', { name: 'Running', app_uuid: uuid });
    await app.ctx.db
      .updateTable('campaigns')
      .set({ status: 'Active' })
      .where('uuid', '=', campaign)
      .execute();
    await notifyMissingDomains(app.ctx);
    await notifyMissingDomains(app.ctx);
    const { data } = await company.call('GET', '/notifications');
    expect(data).toMatchObject([
      { kind: 'app', title: 'Advertiser domain missing', entity_type: 'app', entity_uuid: uuid },
    ]);
    expect(data[0].text).toContain('“Puzzle Quest”');
    expect((await company.call('GET', `/campaign/${campaign}`)).data.status).toBe('Active');
  });
});

test('a missing operating system is read from the store link', async () => {
  const company = await app.freshCompany();
  const { os: _os, ...android } = appBody();
  expect((await company.call('POST', '/app', android)).data.os).toBe('android');
  const ios = { ...android, store_link: 'https://apps.apple.com/us/app/puzzle/id123456789' };
  expect((await company.call('POST', '/app', ios)).data.os).toBe('ios');
});
