import sharp from 'sharp';
import { expect, test } from 'vitest';
import { appBody, linkBody, make, targetBody } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();

const today = () => app.clock.now.toISOString().slice(0, 10);

/** Creates everything from the app to the running campaign through the API; returns the uuids. */
async function launch(company: TestCompany) {
  const appUuid = await make(company, '/app', appBody());
  const png = await sharp({ create: { width: 320, height: 50, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  const form = {
    name: 'Leaderboard',
    type: 'Banner',
    app_id: appUuid,
    banner: { name: 'b.png', content: png },
  };
  const uploaded = await company.upload('POST', '/v2/internal_creative', form);
  expect(uploaded.status).toBe(201);
  const creativeUuid: string = uploaded.data.uuid;
  const { click_url, view_url } = linkBody(appUuid);
  await make(company, '/creative', {
    internal_creative_uuid: uploaded.data.internal_creative.uuid,
    click_url,
    view_url,
  });
  const groupUuid = await make(company, '/creative_group', {
    name: 'Banners',
    banner_creatives: [creativeUuid],
  });
  const targetUuid = await make(company, '/target', targetBody(appUuid));
  const linkUuid = await make(company, '/tracking_link', linkBody(appUuid));
  const adsetUuid = await make(company, '/adset', {
    name: 'Everyone',
    target_id: targetUuid,
    tracking_link_id: linkUuid,
    creative_group_ids: [groupUuid],
    algo: 'Manual CPM',
    bet_cpm: 4,
  });
  const campaign = { name: 'Launch', app_uuid: appUuid, adset_uuids: [adsetUuid] };
  const campaignUuid = await make(company, '/campaign', campaign);
  expect(await app.operator('POST', `/apps/${appUuid}/decision`, { status: 'Approved' })).toMatchObject({
    status: 200,
  });
  expect(
    await app.operator('POST', `/creatives/${creativeUuid}/decision`, { status: 'Approved' }),
  ).toMatchObject({ status: 200 });
  await app.operator('POST', `/companies/${company.companyId}/credit`, { amount: 10, reason: 'Trial' });
  expect(await company.call('POST', `/campaign/${campaignUuid}/start`)).toMatchObject({
    status: 200,
    data: { status: 'Active' },
  });
  return { appUuid, adsetUuid, campaignUuid, creativeUuid };
}

/** Calls a URL of this server, as an exchange or a device would. */
async function visit(url: string) {
  return app.http.inject({
    url: url.replace('http://bidwell.test', ''),
    headers: { 'user-agent': 'Phone/1.0' },
  });
}

test('an advertiser buys an install and sees what it cost', async () => {
  const company = await app.freshCompany();
  const settings = { name: 'Test exchange', charge_on: 'billing' };
  const { data: exchange } = await app.operator('PUT', '/ssps/testex', settings);
  const { adsetUuid, campaignUuid } = await launch(company);
  await app.settled();

  const request = {
    id: 'auction-1',
    at: 2,
    imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 1 }],
    app: { bundle: 'com.publisher.game' },
    device: { os: 'Android', osv: '14', devicetype: 4, geo: { country: 'DEU' } },
  };
  const response = await app.http.inject({ method: 'POST', url: exchange.path, payload: request });
  expect(response.statusCode).toBe(200);
  const [bid] = response.json().seatbid[0].bid;
  expect(bid).toMatchObject({ impid: '1', price: 4, w: 320, h: 50, cid: campaignUuid });

  expect((await visit(bid.nurl.replace('${AUCTION_PRICE}', '2.5'))).statusCode).toBe(200);
  expect((await visit(bid.burl.replace('${AUCTION_PRICE}', '2.5'))).statusCode).toBe(200);
  const [, image] = /<img src="([^"]+)" width="320"/.exec(bid.adm)!;
  expect((await visit(image!)).headers['content-type']).toBe('image/png');
  const [, pixel] = /<img src="([^"]+\/t\/impression[^"]+)"/.exec(bid.adm)!;
  expect((await visit(pixel!)).statusCode).toBe(200);
  const [, click] = /<a href="([^"]+)"/.exec(bid.adm)!;
  const redirect = await visit(click!);
  expect(redirect.statusCode).toBe(302);
  const location = new URL(String(redirect.headers['location']));
  expect(location.origin).toBe('https://app.appsflyer.com');
  const clickId = location.searchParams.get('clickid');
  const { data: operatorView } = await app.operator('GET', `/companies/${company.companyId}`);
  const postback = `/postback/appsflyer/${operatorView.postback_secret}?clickid=${clickId}`;
  const waiting = { url: postback, headers: { prefer: 'wait=3' } };
  expect((await app.http.inject(waiting)).json()).toEqual({ data: { outcome: 'stored' } });
  expect((await app.http.inject(waiting)).json()).toEqual({ data: { outcome: 'duplicate' } });

  await app.settled();
  const { data: highlights } = await company.call(
    'GET',
    `/v2/analytics/highlight?start_date=${today()}&end_date=${today()}`,
  );
  expect(highlights).toMatchObject({
    impressions: { total: 1, series: [{ bucket: today(), value: 1 }] },
    clicks: { total: 1 },
    installs: { total: 1 },
    spend: { total: 0.0025 },
    cpm: { total: 2.5 },
    cpi: { total: 0.0025 },
  });
  const range = { start_date: today(), end_date: today() };
  const { data: report } = await company.call('POST', '/analytics/level', {
    ...range,
    levels: { adset: '', creative_type: '' },
  });
  expect(report.rows).toMatchObject([
    { value: adsetUuid, name: 'Everyone', spends: 0.0025, children: [{ value: 'Banner', installs: 1 }] },
  ]);
  expect((await company.call('GET', '/finance/balance')).data).toMatchObject({
    balance: 9.9975,
    spent_today: 0.0025,
  });
});
