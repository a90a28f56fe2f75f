import { deleteBiddingStop, insertBiddingStop } from '../../modules/operations/health.ts';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { v4 as uuidv4 } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import { exchangeSettings } from '../../platform/postgres/migrations/0016-exchange-settings.ts';
import { renewVersion } from '../../platform/postgres/transaction.ts';
import { make } from '@bidwell/testing/advertising';
import { makeRunningCampaign, uploadBanner } from '@bidwell/testing/bidding';
import { bannerImp, bidRequest, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';
import { setTimeZone } from '@bidwell/testing/time-zone';
import { pathOf, sampleRef } from '../trackers/sample-ref.ts';
import { createSigner } from '../trackers/signer.ts';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import sharp from 'sharp';

const LOG_BYTES = 1024 ** 2;
const app = await testApp({ MODERATION: 'auto', EVENT_LOG_MAX_BYTES: String(LOG_BYTES) });

/** A new exchange with its counters. */
async function countedExchange(settings: object = {}) {
  const exchange = await freshExchange(app, settings);
  const { slug } = exchange;
  /** The bidder's counters of this exchange, from /metrics. */
  const counted = async (name: string): Promise<Record<string, number>> => {
    const { body } = await app.http.inject('/metrics');
    const lines = body.split('\n').filter((line) => line.startsWith(name) && line.includes(`"${slug}"`));
    return Object.fromEntries(
      lines.map((line) => [/(?:reason|outcome)="(\w+)"/.exec(line)![1]!, Number(line.split(' ').at(-1))]),
    );
  };
  return { ...exchange, counted };
}

const shared = await countedExchange();
const running = await campaignOn(app, shared);

/** An exchange with a running campaign, which the tests share that change neither; its counters begin at 0. */
async function sharedExchange() {
  const names = ['bidwell_bid_requests_total', 'bidwell_no_bids_total'];
  const before = new Map<string, Record<string, number>>();
  for (const name of names) before.set(name, await shared.counted(name));
  const counted = async (name: string) => {
    const since = Object.entries(await shared.counted(name)).map(([key, count]): [string, number] => [
      key,
      count - (before.get(name)![key] ?? 0),
    ]);
    return Object.fromEntries(since.filter(([, count]) => count > 0));
  };
  return { ...shared, counted };
}

test('a bid has all fields that an exchange requires', async () => {
  const exchange = await sharedExchange();
  const request = bidRequest({ imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 0.5, exp: 3600 }] });
  const response = await exchange.send(request);
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toContain('application/json');
  const { id, cur, seatbid } = response.json();
  expect({ id, cur, seat: seatbid[0].seat }).toEqual({ id: request.id, cur: 'USD', seat: 'bidwell' });
  expect(seatbid[0].bid).toMatchObject([
    {
      impid: '1',
      price: 2.5,
      adomain: ['example.com'],
      bundle: running.bundle,
      cid: running.campaignUuid,
      crid: running.creativeUuid,
      cat: ['IAB9-30'],
      w: 320,
      h: 50,
      // The maximum, since budget reservations end then.
      exp: 600,
    },
  ]);
  const [{ adm, iurl, nurl, burl, lurl }] = seatbid[0].bid;
  expect([nurl, burl, lurl].map((url: string) => new URL(url).pathname.split('/')[2])).toEqual([
    'win',
    'billing',
    'loss',
  ]);
  expect(adm).toContain('http://bidwell.test/t/click/');
  expect(adm).toContain('https://impression.appsflyer.com/com.example?clickid=');
  const image = await app.http.inject(new URL(iurl).pathname);
  expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/png']);
  expect(await exchange.counted('bidwell_bid_requests_total')).toEqual({ bid: 1 });
});

const phone =
  'Mozilla/5.0 (Linux; Android 12; Pixel 6 Build/S; wv) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36';

test('requests of crawlers and from data centers get no bid, and are counted as such', async () => {
  const exchange = await sharedExchange();
  const device = (over: object) => ({
    device: { os: 'Android', geo: { country: 'USA' }, ua: phone, ...over },
  });
  const crawler = 'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) (compatible; Googlebot/2.1)';
  for (const [over, nbr, reason] of [
    [{ ua: crawler }, 3, 'bot'],
    [{ ua: 'curl/8.4.0', lmt: 1 }, 3, 'bot'],
    [{ ip: '52.1.2.3' }, 5, 'datacenter'],
    [{ ip: '52.1.2.3', dnt: 1 }, 5, 'datacenter'],
    [{ ipv6: '2600:1f00::7' }, 5, 'datacenter'],
  ] as const) {
    const response = await exchange.send({ ...device(over), ext: { nbr: 1 } });
    expect(response.json()).toMatchObject({ nbr, ext: { reason } });
  }
  for (const over of [{ ip: '198.51.100.7' }, { ua: '' }, { ua: 'useragent' }, { ua: undefined, ip: 'ip' }])
    expect([over, (await exchange.send(device(over))).statusCode]).toEqual([over, 200]);
  expect(await exchange.counted('bidwell_no_bids_total')).toEqual({ bot: 2, datacenter: 3 });
});

test('a bundle is sent in the case of the store', async () => {
  const exchange = await countedExchange();
  const bundle = `com.example.DrPuzzle${uuidv4().replaceAll('-', '')}`;
  const store_link = `https://play.google.com/store/apps/details?id=${bundle}`;
  const { company, appUuid } = await campaignOn(app, exchange, { app: { bundle_id: bundle, store_link } });
  const { data } = await company.call('GET', `/app/${appUuid}`);
  const bid = await exchange.bid();
  expect(bid.bundle).toBe(data.bundle_id);
  expect((await exchange.send({ bapp: [bundle.toLowerCase()] })).statusCode).toBe(204);
});

test('the response has the requested version, and mtype only in 2.6', async () => {
  const exchange = await sharedExchange();
  for (const [requested, expected, mtype] of [
    ['2.6', '2.6', 1],
    ['2.6-202309', '2.6', 1],
    ['2.5', '2.5', undefined],
    ['3', '2.5', undefined],
    ['', '2.5', undefined],
  ] as const) {
    const response = await exchange.send({}, { 'x-openrtb-version': requested });
    expect([
      requested,
      response.headers['x-openrtb-version'],
      response.json().seatbid[0].bid[0].mtype,
    ]).toEqual([requested, expected, mtype]);
  }
});

test('no bid is 204, and its reason is counted', async () => {
  const exchange = await sharedExchange();
  for (const over of [{ app: null }, { cur: ['EUR'] }, { wseat: ['agency'] }, { imp: [{ id: '1' }] }]) {
    const response = await exchange.send(over);
    expect([response.statusCode, response.body]).toEqual([204, '']);
  }
  await exchange.send({ device: { os: 'iOS' } });
  expect(await exchange.counted('bidwell_no_bids_total')).toMatchObject({
    not_in_app: 1,
    currency: 1,
    seat_not_allowed: 1,
    no_matching_format: 1,
  });
  expect(await exchange.counted('bidwell_bid_requests_total')).toEqual({ no_bid: 5 });
});

test('an unreadable request is 400 without content', async () => {
  const exchange = await countedExchange();
  for (const body of ['', 'not json', '[]', '{"id":"1"}', '['.repeat(100_000)]) {
    const response = await exchange.post(body);
    expect([response.statusCode, response.body]).toEqual([400, '']);
  }
  expect(await exchange.counted('bidwell_bid_requests_total')).toEqual({ unreadable: 5 });
  expect((await exchange.post(' '.repeat(600 * 1024))).statusCode).toBe(413);
});

test('an unknown or inactive exchange is 404', async () => {
  const exchange = await countedExchange();
  await app.operator('PUT', `/ssps/${exchange.slug}`, { name: 'Exchange', active: false });
  await app.settled();
  expect((await exchange.send()).statusCode).toBe(404);
  const response = await app.http.inject({ method: 'POST', url: '/openrtb/nobody', payload: bidRequest() });
  expect(response.statusCode).toBe(404);
});

test('a compressed request is read, up to a limit of its uncompressed size', async () => {
  const exchange = await sharedExchange();
  const zipped = gzipSync(JSON.stringify(bidRequest()));
  expect((await exchange.post(zipped, { 'content-encoding': 'gzip' })).statusCode).toBe(200);
  expect((await exchange.post(zipped, { 'content-encoding': 'GZIP' })).statusCode).toBe(200);
  const large = JSON.stringify(bidRequest({ ext: { padding: ' '.repeat(600 * 1024) } }));
  for (const [payload, encoding] of [
    [gzipSync(large), 'gzip'],
    [gzipSync(Buffer.alloc(5_000_000)), 'gzip'],
    [JSON.stringify(bidRequest()), 'gzip'],
    [zipped.subarray(0, 100), 'gzip'],
    [zipped, 'br'],
    [brotliCompressSync(Buffer.alloc(5_000_000)), 'br'],
    [deflateSync(Buffer.alloc(5_000_000)), 'deflate'],
    [deflateRawSync(Buffer.alloc(5_000_000)), 'deflate'],
  ] as const) {
    expect((await exchange.post(payload, { 'content-encoding': encoding })).statusCode).toBe(400);
  }
});

test('deflate and Brotli are read, and other encodings are answered 415 with those that are', async () => {
  const exchange = await sharedExchange();
  const body = Buffer.from(JSON.stringify(bidRequest()));
  for (const [payload, encoding] of [
    [deflateSync(body), 'deflate'],
    [deflateRawSync(body), 'Deflate'],
    [brotliCompressSync(body), 'br'],
    [gzipSync(body), 'x-gzip'],
    [body, 'identity'],
  ] as const) {
    const response = await exchange.post(payload, { 'content-encoding': encoding });
    expect([encoding, response.statusCode]).toEqual([encoding, 200]);
  }
  for (const encoding of ['zstd', 'gzip, br']) {
    const response = await exchange.post(body, { 'content-encoding': encoding });
    expect([response.statusCode, response.headers['accept-encoding'], response.body]).toEqual([
      415,
      'gzip, deflate, br',
      '',
    ]);
  }
  expect(await exchange.counted('bidwell_bid_requests_total')).toMatchObject({ bid: 5, unreadable: 2 });
});

test('a byte order mark before a request is ignored, compressed or not', async () => {
  const exchange = await sharedExchange();
  const marked = Buffer.from(`\uFEFF${JSON.stringify(bidRequest())}`);
  expect([...marked.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect((await exchange.post(marked)).statusCode).toBe(200);
  expect((await exchange.post(gzipSync(marked), { 'content-encoding': 'gzip' })).statusCode).toBe(200);
});

test('ids that are large numbers come back digit for digit', async () => {
  const exchange = await sharedExchange();
  const body = JSON.stringify(bidRequest({ id: 'request', imp: [{ ...bannerImp(), id: 'imp' }] }))
    .replace('"request"', '9007199254740993123')
    .replace('"imp":[{"id":"imp"', '"imp":[{"id": 36028797018963969');
  const { id, seatbid } = (await exchange.post(body)).json();
  expect([id, seatbid[0].bid[0].impid]).toEqual(['9007199254740993123', '36028797018963969']);
  const escaped = body.replace('"id":9007199254740993123', '"\\u0069d":9007199254740993123');
  expect((await exchange.post(escaped)).statusCode).toBe(400);
});

test('a compressed response is sent to clients that accept it', async () => {
  const exchange = await sharedExchange();
  const response = await exchange.send({}, { 'accept-encoding': 'gzip' });
  expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, 'gzip']);
});

test("the measurement partner's pixel has the device, but never a child's device", async () => {
  const exchange = await countedExchange();
  const view_url = 'https://impression.appsflyer.com/com.example?clickid={click_id}&ip={ip}&ua={ua}';
  await campaignOn(app, exchange, { link: { view_url } });
  const pixel = async (over: object) => (await exchange.bid(over)).adm;
  expect(await pixel({})).toContain('&amp;ip=203.0.113.9&amp;ua=Agent%2F1.0');
  const child = await pixel({ regs: { coppa: 1 } });
  expect(child).toContain('&amp;ip=&amp;ua="');
  expect(child).not.toContain('203.0.113.9');
});

const own = { click_url: 'https://own.example/c?id={click_id}', view_url: 'https://own.example/v' };
test.each([
  ['without addresses of the creative, ads have the addresses of the tracking link', {}, false],
  ['an ad has the addresses of its creative', own, true],
  ['empty addresses of a creative are none', { click_url: '', view_url: null }, false],
])('%s', async (_what, addresses, isOwn) => {
  const exchange = await countedExchange();
  const { company, creativeUuid } = await campaignOn(app, exchange);
  const { data } = await company.call('GET', '/internal_creative');
  expect(data.internal_creatives).toMatchObject([{ uuid: creativeUuid, click_url: null, view_url: null }]);
  const saved = await company.call('PUT', `/creative/${creativeUuid}`, addresses);
  expect(saved).toMatchObject({ status: 200, data: { status: 'Approved' } });
  await app.settled();
  const { adm } = await exchange.bid();
  expect(adm).toContain(
    `<img src="${isOwn ? own.view_url : 'https://impression.appsflyer.com/com.example?clickid='}`,
  );
  const [, click] = /<a href="([^"]+)"/.exec(adm)!;
  const { headers } = await app.http.inject(pathOf(click!));
  expect(headers['location']).toMatch(
    isOwn ? /^https:\/\/own\.example\/c\?id=\w/ : /^https:\/\/app\.appsflyer\.com\/com\.example\?clickid=\w/,
  );
});

test('a country excluded by its three-letter code gets no bid', async () => {
  const exchange = await countedExchange();
  await campaignOn(app, exchange, { target: { location_exclude: ['USA'] } });
  expect((await exchange.send()).statusCode).toBe(204);
  const elsewhere = { os: 'Android', geo: { country: 'DEU' } };
  expect((await exchange.send({ device: elsewhere })).statusCode).toBe(200);
});

test('a test request gets a bid and is never billed', async () => {
  const { company } = running;
  const bid = await shared.bid({ test: 1 });
  expect((await app.http.inject(pathOf(bid.burl, '2.5'))).statusCode).toBe(200);
  await app.settled();
  expect((await company.call('GET', '/finance/balance')).data).toMatchObject({
    balance: 100,
    spent_today: 0,
  });
});

test('several imps of one request do not overspend a balance', async () => {
  const exchange = await countedExchange();
  const { company, adsetUuid, campaignUuid, groupUuid } = await campaignOn(app, exchange, { amount: 0.003 });
  const { data: adset } = await company.call('GET', `/adset/${adsetUuid}`);
  const second = await make(company, '/adset', {
    name: 'Second',
    target_id: adset.target.uuid,
    tracking_link_id: adset.tracking_link.uuid,
    creative_group_ids: [groupUuid],
    algo: 'Manual CPM',
    bet_cpm: 2.5,
  });
  await company.call('PUT', `/campaign/${campaignUuid}`, { adset_uuids: [adsetUuid, second] });
  await app.settled();
  const imp = ['1', '2'].map((id) => ({ id, banner: { w: 320, h: 50 } }));
  expect((await exchange.send({ imp })).json().seatbid[0].bid).toHaveLength(1);
  expect((await exchange.send()).statusCode).toBe(204);
  expect(await exchange.counted('bidwell_no_bids_total')).toEqual({ balance: 1 });
});

test("an ad set serves only the creatives of its campaign's app", async () => {
  const exchange = await countedExchange();
  const { company, appUuid, creativeUuid, groupUuid } = await campaignOn(app, exchange);
  await app.operator('PUT', '/ssps/nobody', { name: 'Nobody' });
  const other = await makeRunningCampaign(app, company, { target: { exchange_include: ['nobody'] } });
  const strange = await uploadBanner(company, other.appUuid);
  const { db } = app.ctx;
  const inGroup = { creative_group_uuid: groupUuid, creative_uuid: strange };
  await db.insertInto('creative_group_creatives').values(inGroup).execute();
  await renewVersion(db, company.companyId);
  await app.settled();
  expect(appUuid).not.toBe(other.appUuid);
  for (let round = 0; round < 20; round += 1) expect((await exchange.bid()).crid).toBe(creativeUuid);
  await db.deleteFrom('creative_group_creatives').where('creative_uuid', '=', creativeUuid).execute();
  await renewVersion(db, company.companyId);
  await app.settled();
  expect((await exchange.send()).statusCode).toBe(204);
});

test('a request whose time is over when its body has arrived gets no bid', async () => {
  const exchange = await sharedExchange();
  const { now } = app.clock;
  onTestFinished(() => void Object.defineProperty(app.clock, 'now', { value: now, writable: true }));
  let ms = now.getTime();
  Object.defineProperty(app.clock, 'now', { configurable: true, get: () => new Date((ms += 50)) });
  expect((await exchange.send({ tmax: 10 })).statusCode).toBe(204);
  expect((await exchange.send({ tmax: 60_000 })).statusCode).toBe(200);
  expect(await exchange.counted('bidwell_no_bids_total')).toEqual({ timeout: 1 });
});

test('a response that is too late is not sent, and reserves no money', async () => {
  const exchange = await countedExchange({ timeout_ms: 80 });
  // The balance covers only one bid.
  await campaignOn(app, exchange, { amount: 0.0025 });
  const { now } = app.clock;
  onTestFinished(() => void Object.defineProperty(app.clock, 'now', { value: now, writable: true }));
  let ms = now.getTime();
  Object.defineProperty(app.clock, 'now', { configurable: true, get: () => new Date((ms += 50)) });
  expect((await exchange.send({ tmax: 60_000 })).statusCode).toBe(204);
  expect(await exchange.counted('bidwell_no_bids_total')).toEqual({ timeout: 1 });
  const unhurried = { name: 'Exchange', timeout_ms: null };
  await app.operator('PUT', `/ssps/${exchange.slug}`, unhurried);
  await app.settled();
  expect((await exchange.send()).statusCode).toBe(200);
});

/** Response status of a bid request to a path of the exchange. */
async function statusAt(path: string): Promise<number> {
  const response = await app.http.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(bidRequest()),
  });
  return response.statusCode;
}

test('an exchange gets a secret by default, and is answered at that address only', async () => {
  const exchange = await countedExchange();
  await campaignOn(app, exchange);
  expect(exchange.path).toMatch(/^\/openrtb\/[\w-]+\/[\w-]{32}$/);
  expect(await statusAt(exchange.path)).toBe(200);
  const bare = `/openrtb/${exchange.slug}`;
  for (const wrong of ['', '/', '/a-secret-of-sixteem', '/%00', '/undefined', '/null'])
    expect([wrong, await statusAt(bare + wrong)]).toEqual([wrong, 404]);
  expect(await statusAt(`${exchange.path}x`)).toBe(404);
  expect(await statusAt(`${exchange.path}/`)).toBe(404);
  // An update without the secret keeps it.
  const { data } = await app.operator('PUT', `/ssps/${exchange.slug}`, { name: 'Renamed' });
  expect(data).toMatchObject({ path: exchange.path, open: false, previous_secret_until: null });
});

test('an exchange is open only if the operator explicitly says so', async () => {
  const exchange = await countedExchange({ open: true });
  await campaignOn(app, exchange);
  expect(await statusAt(`/openrtb/${exchange.slug}`)).toBe(200);
  expect(await statusAt(exchange.path)).toBe(200);
  expect(await statusAt(`/openrtb/${exchange.slug}/guess`)).toBe(404);
  await app.operator('PUT', `/ssps/${exchange.slug}`, { name: 'Exchange', open: false });
  await app.settled();
  expect(await statusAt(`/openrtb/${exchange.slug}`)).toBe(404);
  expect(await statusAt(exchange.path)).toBe(200);
});

test('a new secret replaces the old one, which is valid for another day or ends at once', async () => {
  const exchange = await countedExchange();
  await campaignOn(app, exchange);
  const rotated = await app.operator('POST', `/ssps/${exchange.slug}/rotate`, {});
  await app.settled();
  const { path, previous_secret_until: until } = rotated.data;
  expect(Date.parse(until) - app.clock.now.getTime()).toBe(24 * 3_600_000);
  expect([await statusAt(path), await statusAt(exchange.path)]).toEqual([200, 200]);
  const { now } = app.clock;
  onTestFinished(() => void (app.clock.now = now));
  app.clock.now = new Date(until);
  expect([await statusAt(path), await statusAt(exchange.path)]).toEqual([200, 404]);

  const ended = await app.operator('POST', `/ssps/${exchange.slug}/rotate`, { end_old: true });
  await app.settled();
  expect(ended.data.previous_secret_until).toBeNull();
  expect([await statusAt(ended.data.path), await statusAt(path)]).toEqual([200, 404]);
  expect((await app.operator('POST', '/ssps/no-such-exchange/rotate', {})).status).toBe(404);
});

test('an exchange of an older server gets a secret, and its old address works for a day', async () => {
  const exchange = await countedExchange();
  await campaignOn(app, exchange);
  const { db } = app.ctx;
  await db.transaction().execute(async (tx) => {
    // The state before the migration.
    await tx.schema.dropIndex('notifications_once').execute();
    await tx.schema.alterTable('notifications').dropColumn('once_key').execute();
    let table = tx.schema.alterTable('ssps').dropColumn('seat');
    for (const name of ['previous_secret', 'previous_secret_until', 'open', 'answer_bytes_max'])
      table = table.dropColumn(name);
    await table.execute();
    await tx.updateTable('ssps').set({ secret: null }).where('slug', '=', exchange.slug).execute();
    await exchangeSettings.up(tx as never);
  });
  await app.settled();
  const { ssps } = (await app.operator('GET', '/ssps')).data;
  const upgraded = ssps.find(({ slug }: { slug: string }) => slug === exchange.slug);
  expect(upgraded).toMatchObject({ open: false, seat: 'bidwell' });
  expect(upgraded.secret).toMatch(/^[\da-f]{64}$/);
  const bare = `/openrtb/${exchange.slug}`;
  expect([await statusAt(bare), await statusAt(upgraded.path)]).toEqual([200, 200]);
  const { now } = app.clock;
  onTestFinished(() => void (app.clock.now = now));
  app.clock.now = new Date(upgraded.previous_secret_until);
  expect([await statusAt(bare), await statusAt(upgraded.path)]).toEqual([404, 200]);
});

test('a tracking link with the name of an inherited object property prevents no bids', async () => {
  const exchange = await countedExchange();
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
  const view_url = `https://view.example/?${names.map((name) => `${name}={${name}}`).join('&')}`;
  await campaignOn(app, exchange, { link: { view_url, click_url: `${view_url}&click_id={click_id}` } });
  const response = await exchange.send();
  expect(response.statusCode).toBe(200);
  expect(response.json().seatbid[0].bid[0].adm).toContain('constructor=%7Bconstructor%7D');
});

test('a bid has our seat, its language, its category as requested, and the payer', async () => {
  const exchange = await countedExchange({ seat: 'Buyer-7' });
  await campaignOn(app, exchange, { target: { language_include: ['en'] } });
  const device = { ...bidRequest().device, language: 'en' };
  const requested = { wseat: ['Buyer-7'], cattax: 7, bcat: ['52'], wlang: ['en'], device };
  const dsa = { dsarequired: 2, pubrender: 2 };
  const { seatbid } = (await exchange.send({ ...requested, regs: { ext: { dsa } } })).json();
  expect(seatbid[0].seat).toBe('Buyer-7');
  const name = 'Test Er';
  expect(seatbid[0].bid[0]).toMatchObject({
    cat: ['680'],
    cattax: 7,
    language: 'en',
    ext: {
      dsa: {
        behalf: name,
        paid: name,
        transparency: [{ domain: 'bidwell.test', dsaparams: [2] }],
        adrender: 0,
      },
    },
  });
  const plain = await exchange.bid({ device });
  expect([plain.cat, plain.cattax, plain.ext]).toEqual([['IAB9-30'], undefined, undefined]);
  expect((await exchange.send({ wseat: ['bidwell'], device })).statusCode).toBe(204);
  const source = { ext: { schain: { complete: 1, nodes: [{ asi: 'a.example', sid: '1' }] } } };
  await exchange.send({ source, device });
  const { body } = await app.http.inject('/metrics');
  for (const [chain, count] of [
    ['complete', 1],
    ['absent', 3],
  ])
    // prettier-ignore
    expect(body).toContain(`bidwell_supply_chains_total{ssp="${exchange.slug}",chain="${chain}"} ${count}`);
});

test('all requests of a burst on which no ad set can bid are counted by their reason', async () => {
  const exchange = await countedExchange({ timeout_ms: 1 });
  await campaignOn(app, exchange);
  const device = { os: 'Tizen', geo: { country: 'USA' } };
  const responses = await Promise.all(Array.from({ length: 300 }, async () => exchange.send({ device })));
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([204]));
  const reasons = await exchange.counted('bidwell_no_bids_total');
  expect(Object.values(reasons).reduce((sum, count) => sum + count)).toBe(300);
  expect(await exchange.counted('bidwell_bid_requests_total')).toEqual({ no_bid: 300 });
  expect(reasons['os']).toBeGreaterThan(200);
});

test('an unreadable ad set prevents no other bids, and its owner is notified once', async () => {
  const exchange = await countedExchange();
  const broken = await campaignOn(app, exchange, { adset: { bet_cpm: 9 } });
  await campaignOn(app, exchange);
  const { db } = app.ctx;
  await setTimeZone(app.ctx, broken.company, 'Nowhere/Nothing');
  const dates = { start_date: new Date('2026-01-01'), end_date: new Date('3000-01-01') };
  await db
    .updateTable('campaigns')
    .set(dates as never)
    .where('uuid', '=', broken.campaignUuid)
    .execute();
  onTestFinished(async () => {
    await setTimeZone(app.ctx, broken.company, 'UTC');
    await renewVersion(db, broken.company.companyId);
  });
  for (let times = 0; times < 3; times += 1) {
    await renewVersion(db, broken.company.companyId);
    await app.settled();
    expect((await exchange.bid()).price).toBe(2.5);
  }
  const notified = await app.ctx.db
    .selectFrom('notifications')
    .select(['title', 'entity_uuid'])
    .where('company_uuid', '=', broken.company.companyId)
    .where('kind', '=', 'adset')
    .execute();
  expect(notified).toEqual([{ title: 'An ad set cannot run', entity_uuid: broken.adsetUuid }]);
});

test('above its limit an exchange gets few bids until a second has passed', async () => {
  const exchange = await countedExchange({ requests_per_second: 10 });
  await campaignOn(app, exchange);
  const bids = async (requests: number) => {
    let count = 0;
    for (let sent = 0; sent < requests; sent += 1) if ((await exchange.send()).statusCode === 200) count += 1;
    return count;
  };
  const first = await bids(40);
  expect(first).toBeGreaterThan(3);
  expect(first).toBeLessThanOrEqual(10);
  expect(await exchange.counted('bidwell_no_bids_total')).toEqual({ too_many_requests: 40 - first });
  app.clock.now = new Date(app.clock.now.getTime() + 1000);
  expect(await bids(40)).toBeGreaterThan(1);
});

test('above its limit an exchange still learns why no ad set can bid on a request', async () => {
  const exchange = await countedExchange({ requests_per_second: 1 });
  await campaignOn(app, exchange);
  expect((await exchange.send()).statusCode).toBe(200);
  for (let request = 0; request < 5; request += 1)
    await exchange.send({ device: { os: 'iOS', geo: { country: 'USA' } } });
  const counted = await exchange.counted('bidwell_no_bids_total');
  expect(Object.values(counted).reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(counted['too_many_requests']).toBeUndefined();
});

test('the no-bid reason is sent to exchanges that request it', async () => {
  const exchange = await sharedExchange();
  const responseTo = async (over: object) =>
    (await exchange.send({ id: 'r', ext: { nbr: 1 }, ...over })).json();
  expect(await responseTo({ bcat: ['IAB9'] })).toEqual({
    id: 'r',
    nbr: 0,
    ext: { reason: 'blocked_category' },
  });
  expect(await responseTo({ device: { os: 'iOS' } })).toEqual({ id: 'r', nbr: 6, ext: { reason: 'os' } });
  expect((await responseTo({})).seatbid).toHaveLength(1);
  expect((await exchange.send({ bcat: ['IAB9'] })).statusCode).toBe(204);
});

test('an exchange that uses euros gets its bid in euros, and is charged in dollars', async () => {
  await app.operator('PUT', '/rates/EUR', { dollars: 1.25 });
  const exchange = await countedExchange();
  const { company } = await campaignOn(app, exchange);
  const response = await exchange.send({
    cur: ['EUR'],
    imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 2, bidfloorcur: 'EUR' }],
  });
  expect(response.json()).toMatchObject({ cur: 'EUR', seatbid: [{ bid: [{ price: 2 }] }] });
  const { burl } = response.json().seatbid[0].bid[0];
  expect((await app.http.inject(pathOf(burl, '1.6'))).statusCode).toBe(200);
  await app.settled();
  // 1.60 EUR are 2.00 USD for a thousand.
  expect(await spendOf(company.companyId)).toBe(2000);
});

test("the exchange's own macros replace the macros of OpenRTB", async () => {
  const exchange = await countedExchange({
    click_macro: 'https://click.example/?go=',
    price_macro: '%%PRICE%%',
    loss_macro: '%%LOSS%%',
    charge_on: 'impression',
  });
  await campaignOn(app, exchange);
  const { adm, nurl, lurl } = await exchange.bid();
  expect(adm).toContain('<a href="https://click.example/?go=http%3A%2F%2Fbidwell.test%2Ft%2Fclick%2F');
  expect(adm).toContain('?price=%%PRICE%%"');
  expect(nurl).toContain('?price=%%PRICE%%');
  expect(lurl).toContain('?reason=%%LOSS%%&price=%%PRICE%%');
});

test('an exchange may hold auctions of another type than its requests say', async () => {
  const exchange = await countedExchange({ auction_type: 'first' });
  await campaignOn(app, exchange);
  const { nurl } = await exchange.bid({ at: 2 });
  const token = new URL(nurl).pathname.split('/').at(-1)!;
  const signer = createSigner(app.ctx.config.signingSecret, 'http://bidwell.test');
  expect(signer.read('win', token)!.auctionType).toBe(1);
});

async function spendOf(companyId: string): Promise<number> {
  const [row] = await app.ctx.clickhouse.query<{ spent: number }>(
    'select sum(spend_micros) as spent from events where company_id = {companyId:UUID}',
    { companyId },
  );
  return row!.spent;
}

test("a company's postback secret never appears in markup, with any link", async () => {
  const exchange = await countedExchange();
  const { company } = await campaignOn(app, exchange);
  const { secret } = (await company.call('GET', '/postbacks')).data;
  await app.ctx.db
    .updateTable('tracking_links')
    .set({ view_url: `https://mmp.example/v?cb=${secret}&t={install_token}` })
    .where('company_uuid', '=', company.companyId)
    .execute();
  await renewVersion(app.ctx.db, company.companyId);
  app.ctx.onEntityChanged({
    companyId: company.companyId,
    entity: 'tracking_link',
    uuid: uuidv4(),
    action: 'update',
  });
  await app.settled();
  const { body } = await exchange.send();
  expect(body).toContain('cb=SECRET_REMOVED');
  expect(body).not.toContain(secret);
});

test('an operator stops all bidding at once, says why, and lets it go on', async () => {
  const exchange = await sharedExchange();
  const statusOf = async () => (await exchange.send()).statusCode;
  expect(await statusOf()).toBe(200);
  onTestFinished(async () => void (await app.operator('PUT', '/bidding', { stopped: false })));
  expect(await app.operator('PUT', '/bidding', { stopped: true })).toMatchObject({
    status: 422,
    errors: [{ field: 'reason', message: 'Say why' }],
  });
  expect(await app.operator('PUT', '/bidding', { stopped: true, reason: 'Wrong prices' })).toMatchObject({
    data: { stopped: { operator: 'token', reason: 'Wrong prices' } },
  });
  await expect.poll(statusOf).toBe(204);
  expect(await exchange.counted('bidwell_no_bids_total')).toMatchObject({
    bidding_stopped: expect.any(Number),
  });
  expect((await app.operator('PUT', '/bidding', { stopped: false })).data).toEqual({ stopped: null });
  await expect.poll(statusOf).toBe(200);
});

test('a bidder obeys the switch of another process', async () => {
  const exchange = await sharedExchange();
  const row = { operator: 'elsewhere', reason: 'Another process', stopped_at: app.ctx.now() };
  onTestFinished(() => deleteBiddingStop(app.ctx.db));
  await insertBiddingStop(app.ctx.db, row);
  const statusOf = async () => (await exchange.send()).statusCode;
  await expect.poll(statusOf).toBe(204);
  await deleteBiddingStop(app.ctx.db);
  await expect.poll(statusOf).toBe(200);
});

test('with the event log more than half full, bid requests get event_log, and notices are accepted', async () => {
  const exchange = await sharedExchange();
  const send = async () => exchange.send({ ext: { nbr: 1 } });
  expect((await send()).json().seatbid).toHaveLength(1);
  // Segments accumulate on disk while the event database rejects inserts.
  const insert = vi.spyOn(app.ctx.clickhouse, 'insert').mockRejectedValue(new Error('unavailable'));
  vi.spyOn(app.ctx.log, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const signer = createSigner(app.ctx.config.signingSecret, 'http://bidwell.test');
  const notify = async () =>
    (await app.http.inject(pathOf(signer.urlsFor(sampleRef()).win, '1.5'))).statusCode;
  const waitingBytes = async () => {
    const { body } = await app.http.inject('/metrics');
    return Number(/^bidwell_event_log_waiting_bytes (\d+)$/m.exec(body)![1]);
  };
  while ((await waitingBytes()) <= LOG_BYTES / 2)
    expect(new Set(await Promise.all(Array.from({ length: 100 }, notify)))).toEqual(new Set([200]));
  expect((await send()).json()).toMatchObject({ nbr: 1, ext: { reason: 'event_log' } });
  expect(await exchange.counted('bidwell_no_bids_total')).toEqual({ event_log: 1 });
  expect(await notify()).toBe(200);
  insert.mockRestore();
  await app.settled();
  expect((await send()).json().seatbid).toHaveLength(1);
});

/** Requests a bid over HTTP for an imp, from a campaign with one creative of a type; returns the only bid. */
async function bidFor(creative: CreativeType, imp: object, version = '2.6') {
  const exchange = await freshExchange(app);
  const { company, ...made } = await campaignOn(app, exchange, { creative });
  const response = await exchange.send({ imp: [{ id: '1', ...imp }] }, { 'x-openrtb-version': version });
  expect(response.statusCode).toBe(200);
  const [bid] = response.json().seatbid[0].bid;
  return { bid, made, company };
}

const fileIn = (text: string) => /http:\/\/bidwell\.test(\/m\/[\w-]+\.\w+)/.exec(text)![1]!;
const path = (url: string) => url.replace('http://bidwell.test', '');

async function eventsOf(creativeUuid: string): Promise<string[]> {
  await app.settled();
  const rows = await app.ctx.clickhouse.query<{ kind: string }>(
    'select kind from events where creative_id = {creativeUuid:UUID} order by kind',
    { creativeUuid },
  );
  return rows.map(({ kind }) => kind);
}

test('a video bid has VAST, and every call of the player is counted once', async () => {
  const imp = { video: { mimes: ['video/mp4'], protocols: [3, 7, 11], skip: 1, w: 720, h: 1280 } };
  const { bid, made } = await bidFor('Video', imp);
  expect(bid).toMatchObject({ mtype: 2, protocol: 11, dur: 15, w: 720, h: 1280, attr: [16] });
  const addresses = [...bid.adm.matchAll(/<!\[CDATA\[([^\]]*)/g)].map(([, url]) => path(url));
  const trackers = addresses.filter((url) => url.startsWith('/t/') && !url.startsWith('/t/click/'));
  expect(trackers).toHaveLength(11);
  for (const url of [...trackers, ...trackers]) {
    const response = await app.http.inject(url);
    expect([url, response.statusCode, response.headers['content-type']]).toEqual([url, 200, 'image/gif']);
  }
  expect(await eventsOf(made.creativeUuid)).toEqual(
    [
      'impression',
      'start',
      'first_quartile',
      'midpoint',
      'third_quartile',
      'complete',
      'mute',
      'unmute',
      'skip',
      'error',
      'end_card',
    ].sort(),
  );
  const media = await app.http.inject(fileIn(bid.adm));
  expect(media.headers['content-type']).toBe('video/mp4');
});

test("a video error is stored with the player's code", async () => {
  const { bid, made } = await bidFor('Video', { video: { mimes: ['video/mp4'] } });
  const url = path(/<Error><!\[CDATA\[([^\]]*)/.exec(bid.adm)![1]!);
  await app.http.inject(url.replace('[ERRORCODE', '303'));
  await app.settled();
  const rows = await app.ctx.clickhouse.query(
    'select kind, loss_reason from events where creative_id = {uuid:UUID}',
    { uuid: made.creativeUuid },
  );
  expect(rows).toEqual([{ kind: 'error', loss_reason: 303 }]);
});

test('a native bid has the requested assets', async () => {
  const request = {
    ver: '1.2',
    eventtrackers: [{ event: 1, methods: [1] }],
    assets: [
      { id: 1, required: 1, title: { len: 25 } },
      { id: 2, required: 1, img: { type: 3, wmin: 600, hmin: 300 } },
      { id: 3, required: 1, data: { type: 1 } },
      { id: 4, required: 1, data: { type: 2, len: 9 } },
    ],
  };
  const { bid, made } = await bidFor('Native', { native: { request: JSON.stringify(request) } });
  const native = JSON.parse(bid.adm);
  expect(bid).toMatchObject({ mtype: 4 });
  expect(native.assets).toMatchObject([
    { id: 1, title: { text: 'Solve a puzzle' } },
    { id: 2, img: { w: 1200, h: 627 } },
    { id: 3, data: { value: 'Puzzle Company' } },
    { id: 4, data: { value: 'A puzzle…' } },
  ]);
  expect((await app.http.inject(path(native.assets[1].img.url))).headers['content-type']).toBe('image/png');
  await app.http.inject(path(native.eventtrackers[0].url));
  expect((await app.http.inject(path(native.link.url))).statusCode).toBe(302);
  expect(await eventsOf(made.creativeUuid)).toEqual(['click', 'impression']);
});

test('a native creative without texts of its own uses the texts of its group', async () => {
  const exchange = await freshExchange(app);
  const { company, ...made } = await campaignOn(app, exchange, { creative: 'Native' });
  const emptied = { title: '', sponsor: '', description: '' };
  const group = { native_title: 'Group', native_sponsor: 'Its sponsor', native_description: 'Its text' };
  await company.call('PUT', `/creative_group/${made.groupUuid}`, group);
  const { data } = await company.call('GET', '/internal_creative');
  const asset = data.internal_creatives[0].internal_creative.uuid;
  expect((await company.call('PUT', `/internal_creative/${asset}`, emptied)).status).toBe(200);
  await app.settled();
  const assets = [
    { id: 1, required: 1, title: { len: 25 } },
    { id: 2, required: 1, data: { type: 1 } },
    { id: 3, required: 1, data: { type: 2 } },
  ];
  const imp = { id: '1', native: { request: JSON.stringify({ ver: '1.2', assets }) } };
  const [bid] = (await exchange.send({ imp: [imp] })).json().seatbid[0].bid;
  expect(JSON.parse(bid.adm).assets).toMatchObject([
    { title: { text: 'Group' } },
    { data: { value: 'Its sponsor' } },
    { data: { value: 'Its text' } },
  ]);
});

test('a native image is served in the exact size that a request asks for', async () => {
  const assets = [{ id: 2, required: 1, img: { type: 3, w: 600, h: 314 } }];
  const { bid } = await bidFor('Native', { native: { request: JSON.stringify({ ver: '1.2', assets }) } });
  const { img } = JSON.parse(bid.adm).assets[0];
  expect(img).toMatchObject({ w: 600, h: 314 });
  const image = await app.http.inject(path(img.url));
  expect(image.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(await sharp(image.rawPayload).metadata()).toMatchObject({ width: 600, height: 314 });
});

test('a playable gets bids where MRAID is supported, and its page can be read from any origin', async () => {
  const imp = { instl: 1, banner: { w: 320, h: 480, api: [3, 5] } };
  const { bid } = await bidFor('Playable', imp);
  expect(bid).toMatchObject({ mtype: 1, attr: [13], apis: [5], w: 320, h: 480 });
  const page = await app.http.inject(fileIn(bid.adm));
  expect(page.headers['access-control-allow-origin']).toBe('*');
  expect(page.body).toBe('<!DOCTYPE html><p onclick="mraid.open()">Play</p>');
  expect((await bidFor('Playable', imp, '2.5')).bid).toMatchObject({ api: 5 });
});
