import { expect, test } from 'vitest';
import { appBody, changesOf, linkBody, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

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
  const response = await company.call('PUT', `/tracking_link/${uuid}`, { name: 'Renamed' });
  expect(response).toMatchObject({ status: 200, data: { ...body, name: 'Renamed' } });
  const [, update] = await changesOf(app, company, uuid);
  expect(update).toMatchObject({
    action: 'update',
    entity_type: 'tracking_link',
    fields: [{ field: 'name', before: 'Link', after: 'Renamed' }],
  });
});

test('invalid fields are named', async () => {
  const company = await app.freshCompany();
  const response = await company.call('POST', '/tracking_link', {
    click_url: 'javascript:alert(1)',
    view_url: '',
  });
  expect(response.status).toBe(422);
  expect(response.errors).toEqual(
    expect.arrayContaining([
      { field: 'app_id', message: 'Required' },
      { field: 'name', message: 'Required' },
      { field: 'click_url', message: 'Enter a URL that starts with https://' },
      { field: 'view_url', message: 'Required' },
    ]),
  );
});

test.each([
  ['clickid=%7Bclick_id%7D', '{click_id}', '%7Bclick_id%7D'],
  ['clickid={CLICK_ID}', '{click_id}', '{CLICK_ID}'],
  ['clickid={{click_id}}', '{click_id}', '{{click_id}}'],
  ['clickid=${click_id}', '{click_id}', '${click_id}'],
  ['clickid={clickid}', '{click_id}', '{clickid}'],
  ['clickid={click_id}&c=%7Bcampaign_name%7D', '{campaign_name}', '%7Bcampaign_name%7D'],
  ['clickid={click_id}&install_callback=x%3D%257Bclick_id%257D', '{click_id}', '%257Bclick_id%257D'],
])(
  'a macro spelt as in %s is refused with the right spelling, in both URLs',
  async (query, right, written) => {
    const company = await app.freshCompany();
    const appUuid = await make(company, '/app', appBody());
    const linkUuid = await make(company, '/tracking_link', linkBody(appUuid));
    const message = `Write ${right} in place of ${written}: only that spelling is filled.`;
    for (const field of ['click_url', 'view_url']) {
      const urls = { [field]: `https://track.example/c?${query}` };
      for (const response of [
        await company.call('POST', '/tracking_link', linkBody(appUuid, urls)),
        await company.call('PUT', `/tracking_link/${linkUuid}`, urls),
      ])
        expect(response).toMatchObject({ status: 422, errors: [{ field, message }] });
    }
  },
);

test.each([
  [
    'appsflyer',
    'https://app.appsflyer.com/com.example?pid=x',
    'Add {click_id} where your measurement partner',
  ],
  [
    'appsflyer',
    'https://track.example/c#clickid={click_id}',
    'Add {click_id} where your measurement partner',
  ],
  [
    'appsflyer',
    'https://app.appsflyer.com/com.example?af_sub1={click_id}',
    'Add clickid={click_id}: AppsFlyer',
  ],
  [
    'appsflyer',
    'https://app.appsflyer.com/com.example?clickid=a{click_id}b',
    'Add clickid={click_id}: AppsFlyer',
  ],
  [
    'appsflyer',
    'https://app.appsflyer.com/com.example?clickid=x&clickid={click_id}',
    'Add clickid={click_id}: AppsFlyer',
  ],
  [
    'adjust',
    'https://app.adjust.com/abc?click_id={click_id}',
    'Add {install_token} in install_callback or label={click_id}: Adjust',
  ],
  [
    'appmetrica',
    'https://redirect.appmetrica.yandex.com/serve/1?clickid={click_id}',
    'Add click_id={click_id}: AppMetrica',
  ],
])('for %s, %s cannot bring back a click id and is refused', async (mmp, click_url, message) => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody({ mobile_measurement_partner: mmp }));
  const good = linkBody(appUuid, { click_url: 'https://track.example/c?any={click_id}' });
  const linkUuid = await make(company, '/tracking_link', good);
  for (const response of [
    await company.call('POST', '/tracking_link', { ...good, click_url }),
    await company.call('PUT', `/tracking_link/${linkUuid}`, { click_url }),
  ])
    expect(response).toMatchObject({
      status: 422,
      errors: [{ field: 'click_url', message: expect.stringContaining(message) }],
    });
});

test('a link that was saved before keeps its URL under a new name, and not for an app of another partner', async () => {
  const company = await app.freshCompany();
  const linkUuid = await make(company, '/tracking_link', linkBody(await make(company, '/app', appBody())));
  const old = 'https://app.adjust.com/abc?click_id={click_id}';
  await app.ctx.db
    .updateTable('tracking_links')
    .set({ click_url: old })
    .where('uuid', '=', linkUuid)
    .execute();
  const renamed = await company.call('PUT', `/tracking_link/${linkUuid}`, { name: 'Renamed' });
  expect(renamed).toMatchObject({ status: 200, data: { name: 'Renamed', click_url: old } });
  const measured = await make(company, '/app', appBody({ mobile_measurement_partner: 'adjust' }));
  const moved = await company.call('PUT', `/tracking_link/${linkUuid}`, { app_id: measured });
  expect(moved).toMatchObject({ status: 422, errors: [{ field: 'click_url' }] });
});

test('macros of the partner, and a view URL without a click id, are accepted', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody({ mobile_measurement_partner: 'adjust' }));
  const callback = encodeURIComponent('https://ads.example/cb?c={country}&t={tracker}&ip={ip_address}');
  const urls = {
    click_url: `https://app.adjust.com/abc?label={click_id}&event_callback_a1b2c3=${callback}&install_callback=${callback}`,
    view_url: 'https://view.adjust.com/impression/abc',
  };
  expect((await company.call('POST', '/tracking_link', linkBody(appUuid, urls))).data).toMatchObject(urls);
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
  const rejected = await company.call('PUT', `/tracking_link/${parts.linkUuid}`, { app_id: other });
  expect(rejected).toMatchObject({ status: 409, errors: [{ field: 'app_id' }] });
});

test('an address with the postback secret, current or replaced, is rejected, since devices would see it', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const uuid = await make(company, '/tracking_link', linkBody(appUuid));
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const callback = encodeURIComponent(`https://ads.example/postback/adjust/${secret}?click_id=`);
  const holding = `https://app.adjust.com/abc?install_callback=${callback}{click_id}`;
  const responses = [
    await company.call('POST', '/tracking_link', linkBody(appUuid, { click_url: holding })),
    await company.call('PUT', `/tracking_link/${uuid}`, {
      view_url: holding.replace(secret, `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`),
    }),
  ];
  await company.call('POST', '/postbacks/secret');
  responses.push(await company.call('PUT', `/tracking_link/${uuid}`, { click_url: holding }));
  expect(responses.map(({ status, errors }) => [status, errors[0]?.field])).toEqual([
    [422, 'click_url'],
    [422, 'view_url'],
    [422, 'click_url'],
  ]);
});
