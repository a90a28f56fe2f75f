import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { linkBody, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { partnersOf } from '@bidwell/testing/partners';
import { testApp } from '@bidwell/testing/test-app';
import type { BidRef } from '../model/event.ts';
import { pathOf, sampleRef } from './sample-ref.ts';
import { createSigner } from './signer.ts';

const DAY_MS = 86_400_000;
const app = await testApp({ MODERATION: 'auto' });
const { signer } = partnersOf(app);

const get = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url, headers });

/** Stored events of each of some bids, ordered by kind; `price` is the one at which a lost bid would have won, in dollars. */
async function storedOfEach(refs: readonly BidRef[]) {
  await app.settled();
  const rows = await app.ctx.clickhouse.query<{
    bid: string;
    kind: string;
    spend: number;
    test: number;
    reason: number;
    price: number;
  }>(
    `select bid_id as bid, kind, spend_micros as spend, test, loss_reason as reason, min_to_win_cpm_micros / 1e6 as price
     from events where bid_id in {bids:Array(UUID)} order by kind`,
    { bids: refs.map(({ bidId }) => bidId) },
  );
  return refs.map(({ bidId }) => rows.filter(({ bid }) => bid === bidId));
}

const storedOf = async (ref: BidRef) =>
  (await storedOfEach([ref]))[0]!.map(({ kind, spend, test: isTest, reason }) => ({
    kind,
    spend,
    test: isTest,
    reason,
  }));

test('each notice is answered as its sender expects, and stored', async () => {
  const ref = sampleRef();
  const urls = signer.urlsFor(ref);
  for (const kind of ['win', 'billing'] as const) {
    const response = await get(pathOf(urls[kind], '2.5'));
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(response.headers['cache-control']).toBe('no-store');
  }
  const pixel = await get(pathOf(urls.impression));
  expect([pixel.statusCode, pixel.headers['content-type']]).toEqual([200, 'image/gif']);
  // Exactly one transparent pixel, as long as the header says.
  expect(pixel.rawPayload.toString('base64')).toBe(
    'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  );
  expect(pixel.headers['content-length']).toBe(String(pixel.rawPayload.length));
  expect(pixel.headers['cross-origin-resource-policy']).toBe('cross-origin');
  expect(await storedOf(ref)).toEqual([
    { kind: 'billing', spend: 2500, test: 0, reason: 0 },
    { kind: 'impression', spend: 0, test: 0, reason: 0 },
    { kind: 'win', spend: 0, test: 0, reason: 0 },
  ]);
});

test('a loss keeps its reason, and an invalid reason is stored as 0', async () => {
  const lost = sampleRef();
  const odd = sampleRef();
  await get(pathOf(signer.urlsFor(lost).loss).replace('${AUCTION_LOSS}', '102'));
  await get(pathOf(signer.urlsFor(odd).loss));
  expect(await storedOfEach([lost, odd])).toMatchObject([
    [{ kind: 'loss', spend: 0, test: 0, reason: 102 }],
    [{ kind: 'loss', reason: 0 }],
  ]);
});

interface Loss {
  keeps: string;
  ref?: Partial<BidRef>;
  mtw?: string;
  price?: string;
  reason?: number;
  is: number;
}

test('a loss keeps the price at which the bid would have won', async () => {
  const losses: Loss[] = [
    { keeps: 'the price that the exchange reports', mtw: '4.75', price: '4.7', is: 4.75 },
    { keeps: 'it in dollars', ref: { currency: 'EUR', dollarsPerUnit: 1.1 }, mtw: '5', is: 5.5 },
    { keeps: 'it with the margin of the bid', ref: { marginBasisPoints: 2000 }, mtw: '5', is: 6 },
    { keeps: 'the price of the winner of a first-price auction', price: '4.7', is: 4.7 },
    { keeps: 'no price of a winner who paid the second price', ref: { auctionType: 2 }, price: '4.7', is: 0 },
    { keeps: 'no price where the creative was rejected', reason: 203, price: '4.7', is: 0 },
    { keeps: 'no price that is below the bid', mtw: '3.99', is: 0 },
    { keeps: 'no price from a macro that was not replaced', is: 0 },
    { keeps: 'no price from 0, which stands for none', mtw: '0', is: 0 },
    { keeps: 'no price from an endless number', mtw: '9'.repeat(400), is: 0 },
  ];
  const refs = losses.map(({ ref }) => sampleRef({ bidCpmMicros: 4_000_000, ...ref }));
  for (const [index, { mtw, price, reason = 102 }] of losses.entries()) {
    const loss = pathOf(signer.urlsFor(refs[index]!).loss, price).replace('${AUCTION_LOSS}', String(reason));
    await get(mtw === undefined ? loss : loss.replace('${AUCTION_MIN_TO_WIN}', mtw));
  }
  const stored = await storedOfEach(refs);
  expect(losses.map(({ keeps }, index) => [keeps, stored[index]!.map(({ price }) => price)])).toEqual(
    losses.map(({ keeps, is }) => [keeps, [is]]),
  );
});

test('a repeated notice, also at the same moment and at another price, is counted once', async () => {
  const ref = sampleRef();
  const { billing } = signer.urlsFor(ref);
  const first = await Promise.all(Array.from({ length: 20 }, () => get(pathOf(billing, '1'))));
  expect(new Set(first.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect((await get(pathOf(billing, '3'))).statusCode).toBe(200);
  expect(await storedOf(ref)).toMatchObject([{ kind: 'billing', spend: 1000 }]);
});

test('a wrong signature, or one of another purpose, is 404 and stores nothing', async () => {
  const ref = sampleRef();
  const { win, impression, clickId } = signer.urlsFor(ref);
  const stranger = createSigner('another secret, of another installation', 'http://bidwell.test').urlsFor(
    ref,
  );
  const paths = [
    pathOf(stranger.win, '1'),
    pathOf(impression).replace('/impression/', '/win/'),
    pathOf(impression).replace('/impression/', '/click/'),
    pathOf(win, '1').replace('/win/', '/billing/'),
    `/t/click/${clickId}`,
    '/t/impression/x',
    `/t/impression/${'A'.repeat(950)}`,
  ];
  for (const path of paths) expect((await get(path)).statusCode, path).toBe(404);
  expect(await storedOf(ref)).toEqual([]);
});

test('the notice of an old bid, of a future bid or without a time in its id is 410', async () => {
  const nowMs = app.clock.now.getTime();
  const refs = [
    sampleRef({}, nowMs - 8 * DAY_MS),
    sampleRef({}, nowMs + 2 * DAY_MS),
    sampleRef({ bidId: randomUUID() }),
  ];
  for (const ref of refs) expect((await get(pathOf(signer.urlsFor(ref).impression))).statusCode).toBe(410);
  expect(await storedOfEach(refs)).toEqual([[], [], []]);
});

test('a bid is charged the price of its notice, at most its own, which it is also charged without one', async () => {
  // For a bid of 4 dollars per thousand.
  const charges = {
    '': 4000,
    '${AUCTION_PRICE}': 4000,
    NaN: 4000,
    '-1': 4000,
    Infinity: 4000,
    '2': 2000,
    '99': 4000,
    '0.30000000000000004': 300,
    '5.0E-1': 500,
  };
  const prices = Object.keys(charges);
  const refs = prices.map(() => sampleRef());
  for (const [index, price] of prices.entries())
    expect((await get(pathOf(signer.urlsFor(refs[index]!).billing, price))).statusCode).toBe(200);
  const stored = await storedOfEach(refs);
  const spent = prices.map((price, index) => [price, stored[index]!.map(({ kind, spend }) => [kind, spend])]);
  expect(spent).toEqual(Object.entries(charges).map(([price, spend]) => [price, [['billing', spend]]]));
});

test.each(['0', 'AUDIT'])(
  'a billing notice with the price "%s" does not block the real one',
  async (price) => {
    const ref = sampleRef();
    const { billing } = signer.urlsFor(ref);
    for (const sent of [price, price, '2', '3'])
      expect((await get(pathOf(billing, sent))).statusCode).toBe(200);
    expect(await storedOf(ref)).toMatchObject([
      { kind: 'billing', spend: 2000 },
      { kind: 'unpriced', spend: 0 },
    ]);
  },
);

test('a price that cannot be read is stored with its reason and counted', async () => {
  const refs = ['-5', '5,00', '${AUCTION_PRICE}', '', '2'].map((price) => [sampleRef(), price] as const);
  for (const [ref, price] of refs) await get(pathOf(signer.urlsFor(ref).billing, price));
  await app.settled();
  const faults = await app.ctx.clickhouse.query<{ bid: string; fault: string }>(
    'select bid_id as bid, price_fault as fault from events where has({bids:Array(UUID)}, bid_id)',
    { bids: refs.map(([{ bidId }]) => bidId) },
  );
  const faultOf = new Map(faults.map(({ bid, fault }) => [bid, fault]));
  expect(refs.map(([{ bidId }]) => faultOf.get(bidId))).toEqual([
    'negative',
    'not_a_number',
    'unreplaced_macro',
    'missing',
    '',
  ]);
  expect((await get('/metrics')).body).toMatch(
    /bidwell_unpriced_notices_total{ssp="sample",reason="negative"} \d/,
  );
});

test('the rule of its exchange decides the charge for an unreadable price, and the operator sees it', async () => {
  const spent: Record<string, unknown[]> = {};
  for (const rule of ['hold', 'zero'] as const) {
    const exchange = `prices-${rule}`;
    await app.operator('PUT', `/ssps/${exchange}`, { name: rule, unreadable_price: rule, active: false });
    await app.settled();
    const ref = sampleRef({ exchange });
    const { billing } = signer.urlsFor(ref);
    await get(pathOf(billing, '5,00'));
    await get(pathOf(billing, '2'));
    spent[rule] = (await storedOf(ref)).map(({ kind, spend }) => [kind, spend]);
  }
  expect(spent).toEqual({
    hold: [
      ['billing', 2000],
      ['unpriced', 0],
    ],
    zero: [['billing', 0]],
  });
  const { data } = await app.operator('GET', '/unreadable-prices?days=1');
  expect(data.unreadable_prices).toContainEqual({
    ssp: 'prices-hold',
    reason: 'not_a_number',
    notices: 1,
    charged: 0,
    bid: 0.004,
    last_at: expect.any(String),
    example: '5,00',
  });
});

test('a decimal comma is read where the exchange has one, and a price with an exponent everywhere', async () => {
  const settings = { name: 'Comma', decimal_comma: true, active: false };
  await app.operator('PUT', '/ssps/prices-comma', settings);
  await app.settled();
  const refs = ['2,5', '1E-1', '2.5E+0'].map((price) => {
    const ref = sampleRef({ exchange: 'prices-comma' });
    return { ref, path: pathOf(signer.urlsFor(ref).billing).replace(/price=.*/, `price=${price}`) };
  });
  for (const { path } of refs) expect((await get(path)).statusCode).toBe(200);
  const stored = await storedOfEach(refs.map(({ ref }) => ref));
  expect(stored.map(([first]) => first!.spend)).toEqual([2500, 100, 2500]);
});

test('a win price that cannot be read, so that the impression charges the bid, is shown to the operator', async () => {
  const exchange = 'prices-named';
  await app.operator('PUT', `/ssps/${exchange}`, { name: 'Named', charge_on: 'impression', active: false });
  await app.settled();
  const ref = sampleRef({ exchange, chargeOn: 'impression', auctionType: 2 });
  const urls = signer.urlsFor(ref);
  await get(pathOf(urls.win, '1;5'));
  await get(pathOf(urls.impression, '1.5'));
  expect((await storedOf(ref)).find(({ kind }) => kind === 'impression')).toMatchObject({ spend: 4000 });
  const { data } = await app.operator('GET', '/unreadable-prices?days=1');
  expect(data.unreadable_prices).toContainEqual({
    ssp: exchange,
    reason: 'not_a_number',
    notices: 1,
    charged: 0,
    bid: 0.004,
    last_at: expect.any(String),
    example: '1?5',
  });
});

test('encrypted prices are charged', async () => {
  const keys = {
    price_encryption_key: 'skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=',
    price_integrity_key: 'arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=',
  };
  const settings = { name: 'Encrypted', price_format: 'google-encrypted', unreadable_price: 'zero', ...keys };
  await app.operator('PUT', '/ssps/prices-encrypted', settings);
  await app.settled();
  const ref = sampleRef({ exchange: 'prices-encrypted', bidCpmMicros: 1000 });
  // 1900 micros, more than the bid.
  await get(pathOf(signer.urlsFor(ref).billing, 'YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA'));
  expect(await storedOf(ref)).toMatchObject([{ kind: 'billing', spend: 1 }]);
});

test('a prefetch by a browser counts nothing and redirects nowhere', async () => {
  const ref = sampleRef();
  const urls = signer.urlsFor(ref);
  for (const header of ['sec-purpose', 'purpose', 'x-moz']) {
    const pixel = await get(pathOf(urls.impression), { [header]: 'prefetch' });
    expect([pixel.statusCode, pixel.headers['cache-control']]).toEqual([200, 'no-store']);
    const click = await get(pathOf(urls.click), { [header]: 'prefetch;prerender' });
    expect([click.statusCode, click.headers.location]).toEqual([204, undefined]);
  }
  expect(await storedOf(ref)).toEqual([]);
  await get(pathOf(urls.billing, '2'), { purpose: 'prefetch' });
  expect(await storedOf(ref)).toMatchObject([{ kind: 'billing', spend: 2000 }]);
});

test('notices that come by a connection are answered and stored as injected ones are', async () => {
  const address = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const ref = sampleRef();
  const urls = signer.urlsFor(ref);
  for (const header of ['sec-purpose', 'purpose', 'x-purpose'])
    await fetch(address + pathOf(urls.impression), { headers: { [header]: 'prefetch' } });
  expect(await storedOf(ref)).toEqual([]);
  const win = await fetch(address + pathOf(urls.win, '2.5'));
  expect([win.status, win.headers.get('cache-control'), await win.text()]).toEqual([200, 'no-store', '']);
  const pixel = await fetch(address + pathOf(urls.impression));
  expect([pixel.status, pixel.headers.get('content-type')]).toEqual([200, 'image/gif']);
  expect(pixel.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(Buffer.from(await pixel.arrayBuffer()).toString('base64')).toBe(
    'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  );
  const asked = await fetch(address + pathOf(urls.billing, '2'), { method: 'HEAD' });
  expect(asked.status).toBe(200);
  expect((await fetch(`${address}/t/win/forged`)).status).toBe(404);
  expect((await storedOf(ref)).map(({ kind }) => kind)).toEqual(['impression', 'win']);
});

test('a bid is charged only at the notice that its exchange charges at', async () => {
  for (const chargeOn of ['win', 'billing'] as const) {
    const ref = sampleRef({ chargeOn });
    const urls = signer.urlsFor(ref);
    await get(pathOf(urls.win, '2'));
    await get(pathOf(urls.billing, '2'));
    const stored = await storedOf(ref);
    expect(Object.fromEntries(stored.map(({ kind, spend }) => [kind, spend]))).toEqual({
      win: 0,
      billing: 0,
      [chargeOn]: 2000,
    });
  }
});

test('a test bid is counted separately and costs nothing', async () => {
  const ref = sampleRef({ test: true });
  await get(pathOf(signer.urlsFor(ref).billing, '2'));
  expect(await storedOf(ref)).toEqual([{ kind: 'billing', spend: 0, test: 1, reason: 0 }]);
});

test('a tracker address in another encoding is 404', async () => {
  const path = pathOf(signer.urlsFor(sampleRef()).win);
  expect((await get(path.replace('/t/win/', '/t/%77in/'))).statusCode).toBe(404);
});

test('HEAD counts nothing', async () => {
  const ref = sampleRef();
  const url = pathOf(signer.urlsFor(ref).impression);
  expect((await app.http.inject({ method: 'HEAD', url })).statusCode).toBe(200);
  expect((await app.http.inject({ method: 'HEAD', url: '/t/impression/x' })).statusCode).toBe(404);
  expect(await storedOf(ref)).toEqual([]);
});

/** An ad set whose clicks go to `clickUrl`, and a bid of it. */
async function clickable(clickUrl: string, over: Partial<BidRef> = {}, adset: object = {}) {
  const company = await app.freshCompany();
  const { appUuid, body } = await makeAdsetParts(app, company);
  const linkUuid = await make(company, '/tracking_link', linkBody(appUuid, { click_url: clickUrl }));
  const adsetId = await make(company, '/adset', { ...body, tracking_link_id: linkUuid, ...adset });
  const ref = sampleRef({ companyId: company.companyId, adsetId, ...over });
  return { company, ref, click: pathOf(signer.urlsFor(ref).click) };
}

test("a click fills the macros of the stored link and ignores the request's parameters", async () => {
  const { ref, click } = await clickable(
    'https://app.appsflyer.com/com.example?clickid={click_id}&af_siteid={bundle}&af_ua={ua}&af_ip={ip}&advertising_id={gaid}&idfa={idfa}',
    { ifa: '6a1d2f0c-8f4e-4f0a-9a52-0f4a4f6f3f11' },
  );
  const response = await get(
    `${click}?url=https://evil.example&redirect=https://evil.example&clickid=forged`,
    {
      'user-agent': 'Agent/1.0 & friends',
      referer: 'https://evil.example',
      host: 'evil.example',
      'x-forwarded-for': '203.0.113.9',
    },
  );
  expect(response.statusCode).toBe(302);
  const location = new URL(String(response.headers['location']));
  expect(location.origin + location.pathname).toBe('https://app.appsflyer.com/com.example');
  expect(Object.fromEntries(location.searchParams)).toEqual({
    clickid: signer.clickIdFor(ref),
    af_siteid: ref.bundle,
    af_ua: 'Agent/1.0 & friends',
    af_ip: '127.0.0.1',
    advertising_id: ref.ifa,
    idfa: '',
  });
  expect((await get(click)).statusCode).toBe(302);
  expect(await storedOf(ref)).toMatchObject([{ kind: 'click', spend: 0 }]);
});

const returning = { reEngagement: true, os: 'android' } as const;

test('a tracking link passes the deep link on, with its own macros filled, and leaves out a parameter without one', async () => {
  const link = 'https://app.adjust.com/abc?deep_link={deep_link}&label={click_id}';
  const adset = { deep_link: 'myapp://offers/1?from={bundle}&by={click_id}' };
  const { ref, click } = await clickable(link, returning, adset);
  const location = new URL(String((await get(click)).headers['location']));
  const clickId = signer.clickIdFor(ref);
  expect(Object.fromEntries(location.searchParams)).toEqual({
    deep_link: `myapp://offers/1?from=${ref.bundle}&by=${clickId}`,
    label: clickId,
  });
  const without = await clickable(link, returning);
  expect((await get(without.click)).headers['location']).toBe(
    `https://app.adjust.com/abc?label=${signer.clickIdFor(without.ref)}`,
  );
});

test('a click of a re-engagement campaign opens the app where its link does not pass the deep link on', async () => {
  const link = 'https://store.example/?id={click_id}';
  const universal = await clickable(link, returning, {
    deep_link: 'https://go.example.com/1?c={campaign_id}',
  });
  const response = await get(universal.click);
  expect([response.statusCode, response.headers['location']]).toEqual([
    302,
    `https://go.example.com/1?c=${universal.ref.campaignId}`,
  ]);

  const { ref, click } = await clickable(link, returning, { deep_link: 'myapp://offers/1' });
  const page = await get(`${click}?to=https://evil.example&store=https://evil.example`);
  const store = `https://store.example/?id=${signer.clickIdFor(ref)}`;
  expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/);
  expect(page.body).toMatch(/href="intent:\/\/offers\/1#Intent;scheme=myapp;package=com\.example\.app\w+;/);
  expect(page.body).toContain(`href="${store}"`);
  expect(page.body).not.toContain('evil');
  // Where the device could not open the deep link.
  expect((await get(`${click}?to=store`)).headers['location']).toBe(store);
  expect(await storedOf(ref)).toMatchObject([{ kind: 'click', spend: 0 }]);

  const acquisition = await clickable(link, { os: 'android' }, { deep_link: 'myapp://offers/1' });
  expect((await get(acquisition.click)).statusCode).toBe(302);
});

test('a click leads to no universal link of a website that is no longer the developer’s', async () => {
  const link = 'https://store.example/?id={click_id}';
  const { company, ref, click } = await clickable(link, returning, { deep_link: 'https://example.com/1' });
  await app.ctx.db
    .updateTable('apps')
    .set({ advertiser_domain: 'other.example' })
    .where('company_uuid', '=', company.companyId)
    .execute();
  expect((await get(click)).headers['location']).toBe(`https://store.example/?id=${signer.clickIdFor(ref)}`);
});

test('a click without a usable advertising id forwards neither address nor user agent', async () => {
  const { click } = await clickable(
    'https://app.appsflyer.com/com.example?clickid={click_id}&af_ua={ua}&af_ip={ip}&af_lang={lang}',
  );
  const response = await get(click, { 'user-agent': 'Agent/1.0' });
  const { searchParams } = new URL(String(response.headers['location']));
  expect(Object.fromEntries(searchParams)).toMatchObject({ af_ua: '', af_ip: '' });
});

test('a late click is still redirected, and is not counted', async () => {
  const { ref } = await clickable('https://example.com/late?c={click_id}');
  const late = { ...ref, bidId: sampleRef({}, app.clock.now.getTime() - 30 * DAY_MS).bidId };
  const response = await get(pathOf(signer.urlsFor(late).click));
  expect([response.statusCode, response.headers['location']]).toEqual([
    302,
    `https://example.com/late?c=${signer.clickIdFor(late)}`,
  ]);
  expect(await storedOf(late)).toEqual([]);
});

test("a click of a deleted ad set, or of another company's, is stored and answered 404", async () => {
  const { ref } = await clickable('https://example.com/gone?c={click_id}');
  for (const missing of [sampleRef(), { ...sampleRef(), adsetId: ref.adsetId }]) {
    expect((await get(pathOf(signer.urlsFor(missing).click))).statusCode).toBe(404);
    expect(await storedOf(missing)).toMatchObject([{ kind: 'click' }]);
  }
});

/** Makes the state database reject queries, or never respond. */
function cut(how: 'refused' | 'silent') {
  // Queries that still wait when the connection is back fail, as after their timeout.
  let fail: (reason: Error) => void = () => {};
  const response = new Promise<never>((_, reject) => (fail = reject));
  response.catch(() => {});
  const outage = vi.spyOn(app.ctx.db, 'selectFrom').mockImplementation(() => {
    if (how === 'refused') throw new Error('connection refused');
    const silent: unknown = new Proxy(() => {}, {
      get: (_target, name) => (String(name).startsWith('execute') ? () => response : () => silent),
    });
    return silent as never;
  });
  app.ctx.log.level = 'silent';
  const mend = () => {
    app.ctx.log.level = 'error';
    outage.mockRestore();
    fail(new Error('query timeout'));
  };
  onTestFinished(mend);
  return mend;
}

test('a click without a known destination while PostgreSQL is unavailable is stored and answered 503', async () => {
  const { ref, click } = await clickable('https://example.com/back?c={click_id}');
  const mend = cut('refused');
  const response = await get(click);
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBeDefined();
  expect(response.body).not.toContain('refused');
  mend();
  expect((await get(click)).statusCode).toBe(302);
  expect(await storedOf(ref)).toMatchObject([{ kind: 'click' }]);
});

test.each(['refused', 'silent'] as const)(
  'while the state database is %s, clicks of an ad set that was clicked before are redirected',
  async (how) => {
    const { ref, click } = await clickable('https://example.com/way?id={click_id}');
    expect((await get(click)).statusCode).toBe(302);
    // Long enough for the cached destination to expire.
    const { now } = performance;
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 60_000);
    onTestFinished(() => later.mockRestore());
    cut(how);
    const next = { ...ref, bidId: sampleRef().bidId };
    const response = await get(pathOf(signer.urlsFor(next).click));
    expect([response.statusCode, response.headers.location]).toEqual([
      302,
      `https://example.com/way?id=${signer.clickIdFor(next)}`,
    ]);
  },
);

test('if the first of two signals is charged, the second one is not', async () => {
  const ref = sampleRef({ chargeOn: 'first' });
  const { impression, billing, win } = signer.urlsFor(ref);
  await get(pathOf(win, '2'));
  await get(pathOf(impression, '2'));
  await get(pathOf(billing, '2'));
  expect(await storedOf(ref)).toMatchObject([
    { kind: 'billing', spend: 0 },
    { kind: 'impression', spend: 2000 },
    { kind: 'win', spend: 0 },
  ]);
});

test('a click of a bot or of a data center is stored and flagged', async () => {
  const people = sampleRef();
  const program = sampleRef();
  await get(pathOf(signer.urlsFor(people).click), { 'user-agent': 'Mozilla/5.0 (iPhone)' });
  await get(pathOf(signer.urlsFor(program).click), { 'user-agent': 'Googlebot/2.1' });
  await app.settled();
  const marks = async ({ bidId }: BidRef) =>
    app.ctx.clickhouse.query('select kind, mark from events where bid_id = {bidId:UUID}', { bidId });
  expect(await marks(people)).toEqual([{ kind: 'click', mark: '' }]);
  expect(await marks(program)).toEqual([{ kind: 'click', mark: 'bot' }]);
});

test("a stored link with the company's secret does not redirect there with it", async () => {
  const company = await app.freshCompany();
  const parts = await makeAdsetParts(app, company);
  const adsetId = await make(company, '/adset', parts.body);
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const click_url = `https://mmp.example/c?id={click_id}&cb=https%3A%2F%2Fads.example%2Fpostback%2Fadjust%2F${secret}&t={install_token}`;
  await app.ctx.db
    .updateTable('tracking_links')
    .set({ click_url })
    .where('uuid', '=', parts.linkUuid)
    .execute();
  const ref = sampleRef({ companyId: company.companyId, adsetId });
  const { location } = (await get(pathOf(signer.urlsFor(ref).click))).headers;
  expect(location).toContain('postback%2Fadjust%2FSECRET_REMOVED');
  expect(location).not.toContain(secret);
  expect(signer.readInstallToken(new URL(location!).searchParams.get('t')!)?.bidId).toBe(ref.bidId);
});
