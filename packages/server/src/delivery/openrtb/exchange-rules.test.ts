import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { uploadBanner } from '@bidwell/testing/bidding';
import { bannerImp, bidRequest, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';
import { eventually } from '@bidwell/testing/eventually';
import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import { readBidRequest } from './read/read-request.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { createSigner } from '../trackers/signer.ts';

const app = await testApp({ MODERATION: 'auto', PUBLIC_URL: 'https://bidwell.test' });

/** The stored events of a bid by kind. */
async function eventsOf(bidId: string) {
  await app.settled();
  return app.ctx.clickhouse.query<{ kind: string; reason: number; price: number; spend: number }>(
    `select kind, loss_reason as reason, min_to_win_cpm_micros / 1e6 as price, spend_micros as spend
     from events where bid_id = {bid:UUID} order by kind`,
    { bid: bidId },
  );
}

test('a loss code of an exchange is named in the bid log', async () => {
  const exchange = await freshExchange(app, { profile: 'unity' });
  const made = await campaignOn(app, exchange);
  const bid = await exchange.bid();
  const notice = await app.http.inject(`${new URL(bid.lurl).pathname}?reason=1003`);
  expect(notice.statusCode).toBe(200);
  expect(await eventsOf(bid.id)).toMatchObject([{ kind: 'loss', reason: 1003 }]);
  await app.settled();
  const day = (ms: number) => new Date(app.ctx.now().getTime() + ms).toISOString().slice(0, 10);
  const query = `start_date=${day(-86_400_000)}&end_date=${day(86_400_000)}`;
  await eventually(async () => {
    const { data } = await made.company.call('GET', `/analytics/bids?${query}`);
    expect(data.bids).toMatchObject([
      { loss_code: 1003, loss_reason: 'Age rating of the advertised app is too high' },
    ]);
  });
  const report = await made.company.call('GET', `/campaign/${made.campaignUuid}/delivery?${query}`);
  expect(report.data.total.losses_by_code).toMatchObject([{ code: 1003, profile: 'unity', losses: 1 }]);
});

test('a profile is found by the id of a new exchange, and stays when a change does not name it', async () => {
  const put = async (body: object) => (await app.operator('PUT', '/ssps/unity-test', body)).data;
  expect((await put({ name: 'Unity' })).profile).toBe('unity');
  expect((await put({ name: 'Unity', profile: 'openrtb' })).profile).toBe('openrtb');
  expect((await put({ name: 'Unity again' })).profile).toBe('openrtb');
  expect((await app.operator('PUT', '/ssps/unity-test', { name: 'U', profile: 'none' })).status).toBe(422);
});

test('Unity: one imp, compressed also when it is short, held for 120 minutes', async () => {
  const exchange = await freshExchange(app, { profile: 'unity' });
  await campaignOn(app, exchange);
  const imps = [
    { ...bannerImp(), exp: 9000 },
    { ...bannerImp(), id: '2' },
  ];
  const response = await exchange.send({ imp: imps }, { 'accept-encoding': 'gzip' });
  expect(response.headers['content-encoding']).toBe('gzip');
  const { seatbid } = JSON.parse(gunzipSync(response.rawPayload).toString());
  expect(seatbid[0].bid).toMatchObject([{ impid: '1', exp: 7200 }]);
  // The macro is OpenRTB's, since Unity documents none.
  expect(seatbid[0].bid[0].nurl).toContain('&mtw=${AUCTION_MIN_TO_WIN}');
});

test('Unity: every imp needs https, whatever it says', () => {
  const secureAt = (profile: 'unity' | 'openrtb') =>
    readBidRequest(bidRequest(), 'x', { rules: rulesOf(profile) })!.imps[0]!.secure;
  expect([secureAt('unity'), secureAt('openrtb')]).toEqual([true, false]);
});

test('Unity: a native ad, which has no type, is not bid', () => {
  const native = {
    ver: '1.2',
    request: JSON.stringify({ ver: '1.2', assets: [{ id: 1, title: { len: 90 } }] }),
  };
  const nativeAt = (profile: 'unity' | 'openrtb') =>
    readBidRequest(bidRequest({ imp: [{ ...bannerImp(), native }] }), 'x', { rules: rulesOf(profile) })!
      .imps[0]!;
  expect(nativeAt('openrtb').native).not.toBeNull();
  expect(nativeAt('unity')).toMatchObject({ native: null, banner: {} });
});

test.each([
  [
    [2, 3, 7, 11],
    [2, 3],
  ],
  [[], [3, 2]],
  [[7], [7]],
])('Vungle: of the VAST protocols %j it takes %j', (protocols, taken) => {
  const { banner: _, ...imp } = bannerImp();
  const request = bidRequest({ imp: [{ ...imp, video: { mimes: ['video/mp4'], protocols } }] });
  expect(readBidRequest(request, 'x', { rules: rulesOf('vungle') })!.imps[0]!.video!.protocols).toEqual(
    taken,
  );
});

test('an impression that a cached ad reports late is charged and counted', async () => {
  const exchange = await freshExchange(app, { profile: 'unity' });
  await campaignOn(app, exchange);
  const bid = await exchange.bid();
  const { pathname } = new URL(bid.burl);
  await app.http.inject(`${pathname}?price=2`);
  expect(await eventsOf(bid.id)).toMatchObject([{ kind: 'billing', spend: 2000 }]);
});

test('AppLovin: the win notice names the second bid, and is read from it', async () => {
  const exchange = await freshExchange(app, { profile: 'applovin' });
  await campaignOn(app, exchange);
  const { id, nurl, burl, lurl } = await exchange.bid();
  expect(nurl).toMatch(/\?price=\$\{AUCTION_PRICE\}&mtw=\$\{AUCTION_MINIMUM_BID_TO_WIN\}$/);
  expect(burl + lurl).not.toContain('mtw=');
  await app.http.inject(`${new URL(nurl).pathname}?price=2.5&mtw=1.25`);
  expect(await eventsOf(id)).toMatchObject([{ kind: 'win', price: 1.25, spend: 0 }]);
});

test('AppLovin: a creative that is too large is not sent, and the advertiser reads for which exchange', async () => {
  const exchange = await freshExchange(app, { profile: 'applovin', name: 'AppLovin', answer_bytes_max: 600 });
  const made = await campaignOn(app, exchange);
  expect(await exchange.bid()).toBeNull();
  await eventually(async () => {
    await app.settled();
    const day = app.ctx.now().toISOString().slice(0, 10);
    const { data } = await made.company.call('GET', `/findings/creatives?start_date=${day}&end_date=${day}`);
    expect(data.creatives[0].text).toContain('This creative is too large for AppLovin');
    const path = `/campaign/${made.campaignUuid}/delivery?start_date=${day}&end_date=${day}`;
    const { adsets } = (await made.company.call('GET', path)).data;
    expect(adsets[0].too_large).toEqual([
      { creative_uuid: made.creativeUuid, name: expect.any(String), exchanges: ['AppLovin'] },
    ]);
  });
});

test('InMobi: a response without a bid has a body with an empty list and the reason', async () => {
  const exchange = await freshExchange(app, { profile: 'inmobi' });
  const request = bidRequest({ app: undefined, site: { domain: 'example.com' } });
  const response = await exchange.post(JSON.stringify(request));
  expect([response.statusCode, response.json()]).toEqual([200, { id: request.id, seatbid: [], nbr: 0 }]);
});

test('Xandr: a bid names its creative by its code', async () => {
  const exchange = await freshExchange(app, { profile: 'xandr' });
  const { creativeUuid } = await campaignOn(app, exchange);
  const bid = await exchange.bid();
  expect(bid.adid).toBeUndefined();
  expect(bid.ext).toEqual({ appnexus: { crcode: creativeUuid } });
});

test('PubMatic: a bid states its attributes, also when it has none', async () => {
  const exchange = await freshExchange(app, { profile: 'pubmatic' });
  await campaignOn(app, exchange);
  expect((await exchange.bid()).attr).toEqual([]);
});

const billed = (...ids: string[]) => ({ imp: [{ ...bannerImp(), ext: { billing_id: ids } }] });
const reasonOf = async (response: Promise<{ json(): { ext: { reason: string } } }>) =>
  (await response).json().ext.reason;

test('Google: a bid names a billing id of the request that is the company’s', async () => {
  const exchange = await freshExchange(app, { profile: 'google' });
  const made = await campaignOn(app, exchange);
  // No company has any: the only one of the request.
  const [first] = [await exchange.bid(billed('41'))];
  expect([first.cid, first.ext.billing_id]).toEqual(['41', '41']);
  expect(await reasonOf(exchange.send({ ...billed('41', '42'), ext: { nbr: 1 } }))).toBe('billing_id');
  const path = `/ssps/${exchange.slug}/billing-ids/${made.company.companyId}`;
  const saved = await app.operator('PUT', path, { billing_ids: ['43', '42', '43'] });
  expect(saved.data.billing_ids).toEqual(['42', '43']);
  await app.settled();
  expect((await exchange.bid(billed('41', '43', '42'))).cid).toBe('43');
  expect((await exchange.bid(billed('42'))).cid).toBe('42');
  expect(await reasonOf(exchange.send({ ...billed('41'), ext: { nbr: 1 } }))).toBe('billing_id');
  // Without billing ids in the request there is nothing to name.
  expect((await exchange.bid()).cid).toBe(made.campaignUuid);
  const { data } = await app.operator('GET', `/ssps/${exchange.slug}/billing-ids`);
  expect(data.companies).toMatchObject([{ company_uuid: made.company.companyId, billing_ids: ['42', '43'] }]);
});

test('Google: creatives that a request excludes are not bid', async () => {
  const exchange = await freshExchange(app, { profile: 'google' });
  const made = await campaignOn(app, exchange);
  const excluding = (...ids: string[]) => ({
    imp: [{ ...bannerImp(), ext: { excluded_creatives: ids.map((id) => ({ buyer_creative_id: id })) } }],
  });
  const others = Array.from({ length: 2000 }, (_, n) => `other ${n}`);
  const excluded = { ...excluding(...others, made.creativeUuid), ext: { nbr: 1 } };
  expect(await reasonOf(exchange.send(excluded))).toBe('creative_excluded');
  expect((await exchange.bid(excluding('another'))).crid).toBe(made.creativeUuid);
  const other = await uploadBanner(made.company, made.appUuid);
  expect(other).not.toBe(made.creativeUuid);
});

/** A request with feedback on earlier bids. */
const feedback = (...entries: object[]) => ({ ...billed('41'), ext: { bid_feedback: entries } });
const tokenOf = (bid: { ext: { event_notification_token: { payload: string } } }) =>
  bid.ext.event_notification_token;

test('Google: feedback fills losses and prices that would have won, each once', async () => {
  const exchange = await freshExchange(app, { profile: 'google' });
  await campaignOn(app, exchange);
  const [outbid, won, rejected] = [
    await exchange.bid(billed('41')),
    await exchange.bid(billed('41')),
    await exchange.bid(billed('41')),
  ];
  expect(tokenOf(outbid).payload.length).toBeLessThanOrEqual(128);
  const entries = [
    { event_notification_token: tokenOf(outbid), creative_status_code: 79, minimum_bid_to_win: 3.75 },
    { event_notification_token: tokenOf(won), creative_status_code: 1, price: 2.5, minimum_bid_to_win: 1.5 },
    { event_notification_token: tokenOf(rejected), creative_status_code: 10 },
    { event_notification_token: { payload: 'not-one-of-ours' }, creative_status_code: 79 },
    { creative_status_code: 79 },
  ];
  await exchange.send(feedback(...entries));
  await exchange.send(feedback(...entries));
  await eventually(async () =>
    expect(await eventsOf(outbid.id)).toEqual([{ kind: 'loss', reason: 102, price: 3.75, spend: 0 }]),
  );
  expect(await eventsOf(won.id)).toEqual([{ kind: 'win', reason: 0, price: 1.5, spend: 0 }]);
  expect(await eventsOf(rejected.id)).toEqual([{ kind: 'loss', reason: 10_010, price: 0, spend: 0 }]);
  const { body } = await app.http.inject('/metrics');
  const counted = (outcome: string) =>
    new RegExp(`bidwell_bid_feedback_total\\{ssp="${exchange.slug}",outcome="${outcome}"\\} (\\d+)`).exec(
      body,
    )?.[1];
  expect([counted('stored'), counted('duplicate'), counted('invalid')]).toEqual(['3', '3', '2']);
});

test('Google: the billing notice of a bid with feedback still charges', async () => {
  const exchange = await freshExchange(app, { profile: 'google', price_format: 'plain' });
  await campaignOn(app, exchange);
  const bid = await exchange.bid(billed('41'));
  await exchange.send(feedback({ event_notification_token: tokenOf(bid), creative_status_code: 1 }));
  await app.http.inject(`${new URL(bid.burl).pathname}?price=2`);
  await eventually(async () =>
    expect(await eventsOf(bid.id)).toMatchObject([
      { kind: 'billing', spend: 2000 },
      { kind: 'win', spend: 0 },
    ]),
  );
});

test('feedback counts also in requests above the limit, and these have the body that the exchange wants', async () => {
  const google = await freshExchange(app, { profile: 'google', requests_per_second: 1 });
  await campaignOn(app, google);
  const bid = await google.bid(billed('41'));
  for (let sent = 0; sent < 3; sent += 1)
    expect(
      (await google.send(feedback({ event_notification_token: tokenOf(bid), creative_status_code: 79 })))
        .statusCode,
    ).toBe(204);
  await eventually(async () => expect(await eventsOf(bid.id)).toMatchObject([{ kind: 'loss' }]));

  const inmobi = await freshExchange(app, { profile: 'inmobi', requests_per_second: 1 });
  const skipped = await Promise.all(Array.from({ length: 4 }, async () => inmobi.send()));
  for (const one of skipped) expect(one.json()).toMatchObject({ id: expect.any(String), seatbid: [] });
});

test('feedback of another exchange, and of an exchange without such a rule, is dropped', async () => {
  const google = await freshExchange(app, { profile: 'google' });
  const other = await freshExchange(app, { profile: 'google' });
  const plain = await freshExchange(app);
  await campaignOn(app, google);
  const bid = await google.bid(billed('41'));
  for (const exchange of [other, plain])
    await exchange.send(feedback({ event_notification_token: tokenOf(bid), creative_status_code: 79 }));
  expect(await eventsOf(bid.id)).toEqual([]);
});

test('a win or billing notice keeps the lowest price that would have won, at most the bid', async () => {
  const signer = createSigner(app.ctx.config.signingSecret, 'https://bidwell.test');
  for (const [kind, mtw, price] of [
    ['win', '3', 3],
    ['billing', '3', 3],
    ['win', '4.01', 0],
    ['win', '0', 0],
    ['win', '${AUCTION_MIN_TO_WIN}', 0],
  ] as const) {
    const ref = sampleRef({ bidCpmMicros: 4_000_000 });
    const { pathname } = new URL(signer.urlsFor(ref)[kind]);
    await app.http.inject(`${pathname}?price=4&mtw=${encodeURIComponent(mtw)}`);
    expect([mtw, await eventsOf(ref.bidId)]).toMatchObject([mtw, [{ kind, price }]]);
  }
});
