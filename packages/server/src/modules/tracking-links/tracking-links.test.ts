import { expect, test } from 'vitest';
import { appBody, changesOf, linkBody, make, makeAdsetParts } from '../../testing/advertising.ts';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();

test('a tracking link is created, listed and read with its app', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const body = linkBody(appUuid);
  const made = await company.call('POST', '/tracking_link', body);
  expect(made.status).toBe(201);
  expect(made.data).toMatchObject({
    ...body,
    description: '',
    app: { uuid: appUuid, mobile_measurement_partner: 'appsflyer' },
  });
  expect((await company.call('GET', '/tracking_link')).data.tracking_links).toEqual([made.data]);
  expect((await company.call('GET', '/tracking_link?end_date=2000-01-02')).data.tracking_links).toEqual([]);
  expect((await company.call('GET', `/tracking_link/${made.data.uuid}`)).data).toEqual(made.data);
});

test('an update leaves absent fields unchanged, and is logged', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const body = linkBody(appUuid, { description: 'Unchanged' });
  const uuid = await make(company, '/tracking_link', body);
  const answer = await company.call('PUT', `/tracking_link/${uuid}`, { name: 'Renamed' });
  expect(answer).toMatchObject({ status: 200, data: { ...body, name: 'Renamed' } });
  const [, update] = await changesOf(app, company, uuid);
  expect(update).toMatchObject({
    action: 'update',
    entity_type: 'tracking_link',
    fields: [{ field: 'name', before: 'Link', after: 'Renamed' }],
  });
});

test('invalid fields are named', async () => {
  const company = await app.freshCompany();
  const answer = await company.call('POST', '/tracking_link', {
    click_url: 'javascript:alert(1)',
    view_url: '',
  });
  expect(answer.status).toBe(422);
  expect(answer.errors).toEqual(
    expect.arrayContaining([
      { field: 'app_id', message: 'Required' },
      { field: 'name', message: 'Required' },
      { field: 'click_url', message: 'Enter a URL that starts with https://' },
      { field: 'view_url', message: 'Required' },
    ]),
  );
});

test('only an app of the company that is not deleted can be used', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const deleted = await make(company, '/app', appBody());
  await company.call('DELETE', '/app/batch', { uuids: [deleted] });
  for (const appUuid of [deleted, await make(stranger, '/app', appBody())]) {
    expect(await company.call('POST', '/tracking_link', linkBody(appUuid))).toMatchObject({
      status: 422,
      errors: [{ field: 'app_id', message: 'App not found' }],
    });
  }
});

test('the tracking link of another company is not found', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const uuid = await make(company, '/tracking_link', linkBody(await make(company, '/app', appBody())));
  const notFound = { status: 404, data: 'Tracking link not found' };
  expect(await stranger.call('GET', `/tracking_link/${uuid}`)).toMatchObject(notFound);
  expect(await stranger.call('PUT', `/tracking_link/${uuid}`, { name: 'Mine' })).toMatchObject(notFound);
});

test('its app can change only while no ad set uses it', async () => {
  const company = await app.freshCompany();
  const parts = await makeAdsetParts(app, company);
  const other = await make(company, '/app', appBody());
  const free = await make(company, '/tracking_link', linkBody(parts.appUuid));
  expect((await company.call('PUT', `/tracking_link/${free}`, { app_id: other })).data.app_id).toBe(other);
  await make(company, '/adset', parts.body);
  const refused = await company.call('PUT', `/tracking_link/${parts.linkUuid}`, { app_id: other });
  expect(refused).toMatchObject({ status: 409, errors: [{ field: 'app_id' }] });
});

test('an address with the postback secret, current or replaced, is rejected, since devices would see it', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const uuid = await make(company, '/tracking_link', linkBody(appUuid));
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const callback = encodeURIComponent(`https://ads.example/postback/adjust/${secret}?click_id=`);
  const holding = `https://app.adjust.com/abc?install_callback=${callback}{click_id}`;
  const answers = [
    await company.call('POST', '/tracking_link', linkBody(appUuid, { click_url: holding })),
    await company.call('PUT', `/tracking_link/${uuid}`, {
      view_url: holding.replace(secret, `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`),
    }),
  ];
  await company.call('POST', '/postbacks/secret');
  answers.push(await company.call('PUT', `/tracking_link/${uuid}`, { click_url: holding }));
  expect(answers.map(({ status, errors }) => [status, errors[0]?.field])).toEqual([
    [422, 'click_url'],
    [422, 'view_url'],
    [422, 'click_url'],
  ]);
});
