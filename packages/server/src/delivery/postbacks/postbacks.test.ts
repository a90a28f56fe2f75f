import { expect, onTestFinished, test, vi } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BidRef, EventKind } from '../model/event.ts';
import { pathOf, sampleRef } from '../trackers/sample-ref.ts';
import { createSigner } from '../trackers/signer.ts';

const SECRET = 'a signing secret of the postback tests, fixed';
/** How long a request waits for the decision: on a busy machine, deciding may take longer than the usual three seconds. */
let responseMs = Infinity;
const app = await testApp({ SIGNING_SECRET: SECRET }, undefined, {
  postbackAnswerMs: () => Math.min(responseMs, 2 ** 31 - 1),
});
const signer = createSigner(SECRET, 'http://bidwell.test');

async function freshAdvertiser() {
  const company = await app.freshCompany();
  const { postback_secret: secret } = await app.ctx.db
    .selectFrom('companies')
    .select('postback_secret')
    .where('uuid', '=', company.companyId)
    .executeTakeFirstOrThrow();
  const ref = await clickedRef(company);
  return { company, secret, ref, clickId: signer.clickIdFor(ref) };
}

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';

/** Calls a bid's tracker as a device, `secondsAgo` before the present time of the clock. */
async function touchpoint(ref: BidRef, kind: 'click' | 'impression', secondsAgo: number, userAgent = PHONE) {
  const { now } = app.clock;
  app.clock.now = new Date(now.getTime() - secondsAgo * 1000);
  const url = pathOf(signer.urlsFor(ref)[kind]);
  await app.http.inject({ url, headers: { 'user-agent': userAgent } });
  app.clock.now = now;
}

/** A bid of the company that was clicked two minutes ago. */
async function clickedRef({ companyId }: TestCompany, over: Partial<BidRef> = {}): Promise<BidRef> {
  const ref = sampleRef({ companyId, ...over });
  await touchpoint(ref, 'click', 120);
  return ref;
}

/** Values that are each within the limit of one, but together exceed the limit of all. */
const manyFaces = ['a', 'b', 'c', 'd', 'ef']
  .map((name) => `${name}=${encodeURIComponent('😀'.repeat(1000))}`)
  .join('&');

const get = (path: string) => app.http.inject({ method: 'GET', url: path });
const post = (path: string, type: string, payload: string) =>
  app.http.inject({
    method: 'POST',
    url: path,
    headers: type === '' ? {} : { 'content-type': type },
    payload,
  });

const outcomeOf = async (path: string) =>
  (await get(path)).json<{ data: { outcome: string } }>().data.outcome;

async function storedOf(ref: BidRef, kind: EventKind) {
  await app.settled();
  return app.ctx.clickhouse.query<{ atMs: number; mark: string; untrained: string }>(
    'select toUnixTimestamp64Milli(time) as atMs, mark, untrained from events where bid_id = {bid:UUID} and kind = {kind:String}',
    { bid: ref.bidId, kind },
  );
}

const installsOf = async (ref: BidRef): Promise<number> => (await storedOf(ref, 'install')).length;

/** The stored raw postbacks of a company. One whose response had its outcome is stored. */
async function storedPostbacks({ companyId }: TestCompany) {
  return app.ctx.clickhouse.query<{ mmp: string; outcome: string; parameters: string }>(
    'select mmp, outcome, parameters from postbacks where company_id = {company:UUID} order by outcome',
    { company: companyId },
  );
}

const installs = [
  ['appsflyer', 'clickid', { event_name: 'install' }],
  ['adjust', 'click_id', { activity_kind: 'install' }],
  ['appmetrica', 'click_id', { transaction_id: '7' }],
] as const;

test.each(installs)('an install of %s counts by GET, by form and as JSON', async (mmp, name, more) => {
  const { company, secret, ref } = await freshAdvertiser();
  const path = `/postback/${mmp}/${secret}`;
  const refs = [ref, await clickedRef(company), await clickedRef(company)];
  const sent = refs.map((each) => ({ ...more, [name]: signer.clickIdFor(each) }));
  const responses = [
    await get(`${path}?${new URLSearchParams(sent[0]).toString()}`),
    await post(path, 'application/x-www-form-urlencoded', new URLSearchParams(sent[1]).toString()),
    await post(path, 'application/json', JSON.stringify(sent[2])),
  ];
  for (const response of responses) {
    expect([response.statusCode, response.json()]).toEqual([200, { data: { outcome: 'stored' } }]);
  }
  for (const each of refs) expect(await installsOf(each)).toBe(1);
  const postbacks = await storedPostbacks(company);
  expect(postbacks).toHaveLength(3);
  expect(postbacks.map(({ parameters }) => JSON.parse(parameters) as unknown)).toEqual(
    expect.arrayContaining(sent),
  );
});

test.each([
  ['a repeated parameter, the first empty', (id: string) => `?clickid=&clickid=${id}&event_name=install`],
  [
    'a repeated one, the first not replaced',
    (id: string) => `?clickid=%7Bclickid%7D&clickid=null&clickid=${id}`,
  ],
  ['a repeated one, the second another click', (id: string) => `?clickid=${id}&clickid=another`],
  ['a repeated one, the first another click', (id: string) => `?clickid=another&clickid=${id}`],
  ['its click id in the second of two parameters', (id: string) => `?click_id=x&clickid=${id}`],
  ['a trailing slash', (id: string) => `/?clickid=${id}`],
  ['an event name in capitals', (id: string) => `?clickid=${id}&event_name=Install`],
  ['another name of it in capitals', (id: string) => `?clickid=${id}&event-name=INSTALL`],
])('an install with %s counts', async (_what, query) => {
  const { secret, ref, clickId } = await freshAdvertiser();
  expect((await get(`/postback/appsflyer/${secret}${query(clickId)}`)).json()).toEqual({
    data: { outcome: 'stored' },
  });
  expect(await installsOf(ref)).toBe(1);
});

test.each([
  ['text/plain', ''],
  ['text/plain', 'ok'],
  ['text/plain; charset=utf-8', 'clickid={clickid}&event_name=install'],
  ['application/json', ''],
  ['application/json', '{"clickid":null}'],
  ['application/json', '{bad'],
  ['application/json', '["click_id"]'],
  ['text/plain', '{bad'],
  ['application/xml', '<click/>'],
  ['', '{"event_name":"install"}'],
  ['application/x-www-form-urlencoded', 'clickid=(clickid)'],
  ['json', '{"event_name":"install"}'],
  ['application/', ''],
  ['*; charset=utf-8', 'ok'],
])('a postback of %s with the body "%s" and the click id in the query counts', async (type, body) => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const response = await post(`/postback/appsflyer/${secret}?clickid=${clickId}`, type, body);
  expect([response.statusCode, response.json()]).toEqual([200, { data: { outcome: 'stored' } }]);
  expect(await installsOf(ref)).toBe(1);
});

test.each([
  ['text/plain', 'JSON', (id: string) => JSON.stringify({ clickid: id })],
  ['text/plain; charset=utf-8', 'indented JSON', (id: string) => ` {\n "clickid": "${id}"\n}\n`],
  ['', 'JSON', (id: string) => JSON.stringify({ clickid: id, click_id: 'x' })],
  ['', 'form', (id: string) => `clickid=${id}`],
  ['json', 'JSON', (id: string) => JSON.stringify({ clickid: id })],
  ['text/json', 'JSON', (id: string) => JSON.stringify({ clickid: id })],
  ['application/vnd.partner+json; charset=utf-8', 'JSON', (id: string) => JSON.stringify({ CLICKID: id })],
  [
    'application/json',
    'JSON after a byte order mark',
    (id: string) => `\uFEFF${JSON.stringify({ clickid: id })}`,
  ],
  [
    'application/x-www-form-urlencoded',
    'form after a byte order mark',
    (id: string) => `\uFEFFclickid=${id}`,
  ],
  ['application/x-www-form-urlencoded; charset=nobody-knows', 'form', (id: string) => `clickid=${id}`],
  ['application/x-www-form-urlencoded; charset="ISO-8859-1"', 'form', (id: string) => `a=%E9&&clickid=${id}`],
])('an install of the content type "%s" with a %s as its body counts', async (type, _what, body) => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const response = await post(`/postback/appsflyer/${secret}?event_name=install`, type, body(clickId));
  expect([response.statusCode, response.json()]).toEqual([200, { data: { outcome: 'stored' } }]);
  expect(await installsOf(ref)).toBe(1);
});

test('an unreadable body is refused where the query names no click of the company', async () => {
  const { secret } = await freshAdvertiser();
  const other = await freshAdvertiser();
  for (const query of ['', '?clickid={clickid}', '?clickid=x', `?clickid=${other.clickId}`]) {
    const path = `/postback/appsflyer/${secret}${query}`;
    expect((await post(path, 'application/json', '{bad')).statusCode).toBe(400);
    expect((await post(path, 'application/xml', '<click/>')).statusCode).toBe(415);
  }
  expect(await installsOf(other.ref)).toBe(0);
});

test('an install whose click is in the query counts, however long its body is', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const url = `/postback/appsflyer/${secret}?clickid=${clickId}&event_name=install`;
  const large = JSON.stringify({ large: 'x'.repeat(70_000) });
  const ofUnknownLength = Readable.from([
    Buffer.from(large.slice(0, 40_000)),
    Buffer.from(large.slice(40_000)),
  ]);
  for (const payload of [large, ofUnknownLength]) {
    const response = await app.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect([response.statusCode, response.json().data.outcome]).toEqual([
      200,
      expect.stringMatching(/stored|duplicate/),
    ]);
  }
  expect(await installsOf(ref)).toBe(1);
});

test('Adjust’s callback of a click needs no body that can be read', async () => {
  const { ref } = await freshAdvertiser();
  const path = `/postback/adjust/click/${signer.installTokenFor(ref)}`;
  expect((await post(path, 'application/json', '{bad')).json()).toEqual({ data: { outcome: 'stored' } });
});

test('a click id in the body counts if the query has none, also in a form with a repeated one', async () => {
  const { company, secret, ref, clickId } = await freshAdvertiser();
  const path = `/postback/appsflyer/${secret}?clickid={clickid}`;
  const other = await clickedRef(company);
  const form = `clickid=&clickid=${signer.clickIdFor(other)}&clickid=(clickid)`;
  const responses = [
    await post(path, 'application/json', JSON.stringify({ clickid: clickId })),
    await post(path, 'application/x-www-form-urlencoded', form),
  ];
  for (const response of responses) expect(response.json()).toEqual({ data: { outcome: 'stored' } });
  expect([await installsOf(ref), await installsOf(other)]).toEqual([1, 1]);
});

test('Adjust’s callback of a click counts with a trailing slash and its kind in capitals', async () => {
  const { company } = await freshAdvertiser();
  const ref = await clickedRef(company);
  const path = `/postback/adjust/click/${signer.installTokenFor(ref)}/?activity_kind=Install`;
  expect(await outcomeOf(path)).toBe('stored');
  expect(await installsOf(ref)).toBe(1);
});

test('an install that is reported again is answered 200 and counted once', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const path = `/postback/appmetrica/${secret}?click_id=${clickId}`;
  const responses = await Promise.all(Array.from({ length: 8 }, () => get(path)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
  const outcomes = responses.map((response) => response.json<{ data: { outcome: string } }>().data.outcome);
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
  expect((await get(path)).json()).toEqual({ data: { outcome: 'duplicate' } });
  expect(await installsOf(ref)).toBe(1);
});

test('a wrong secret, an unknown partner and a bare address are 404', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const query = `?click_id=${clickId}`;
  const paths = [
    `/postback/adjust/${'x'.repeat(43)}${query}`,
    `/postback/adjust/${'x'.repeat(300)}${query}`,
    `/postback/other/%00${query}`,
    `/postback/nobody/${secret}${query}`,
    `/postback/adjust/${query}`,
    `/postback/adjust/click/${clickId}`,
  ];
  for (const path of paths) expect((await get(path)).statusCode, path).toBe(404);
  expect(await installsOf(ref)).toBe(0);
});

test("another company's click, a tracker's token and an invented id are accepted and count nothing", async () => {
  const { company, secret, ref } = await freshAdvertiser();
  const other = await freshAdvertiser();
  const impressionToken = signer.urlsFor(ref).impression.split('/').at(-1)!;
  for (const clickId of [other.clickId, impressionToken, 'invented', '']) {
    const response = await get(`/postback/adjust/${secret}?click_id=${clickId}&activity_kind=install`);
    expect([response.statusCode, response.json()]).toEqual([200, { data: { outcome: 'unknown_click' } }]);
  }
  expect(await installsOf(other.ref)).toBe(0);
  expect(await installsOf(ref)).toBe(0);
  expect(await storedPostbacks(company)).toHaveLength(4);
  expect(await storedPostbacks(other.company)).toEqual([]);
});

test.each([
  ['appsflyer', { blocked_reason: 'bots' }, 'rejected', 'rejected'],
  ['adjust', { activity_kind: 'reattribution' }, 'stored', 'retargeting'],
])('%s with %o is stored and is not an install', async (mmp, more, outcome, ofPostback) => {
  const { company, secret, ref, clickId } = await freshAdvertiser();
  const query = new URLSearchParams({ click_id: clickId, ...more }).toString();
  expect((await get(`/postback/${mmp}/${secret}?${query}`)).json()).toEqual({ data: { outcome } });
  expect(await installsOf(ref)).toBe(0);
  expect(await storedPostbacks(company)).toMatchObject([{ mmp, outcome: ofPostback }]);
});

test('postbacks without a click about an app of the company are stored without the device, and count nothing', async () => {
  const { company, secret, ref } = await freshAdvertiser();
  const other = await app.freshCompany();
  const [android, ios] = [
    await make(company, '/app', appBody({ bundle_id: 'com.example.Organic' })),
    await make(
      company,
      '/app',
      appBody({ store_link: 'https://apps.apple.com/app/id123456', bundle_id: '123456', os: 'ios' }),
    ),
  ];
  await make(other, '/app', appBody({ bundle_id: 'com.example.another' }));
  const of = (query: string) => outcomeOf(`/postback/appsflyer/${secret}?clickid=&${query}`);
  expect(await of('app_id=com.example.organic&event_name=install&advertising_id=a-b-c')).toBe('unattributed');
  expect(await of('app_id=id123456&event_name=buy&event_revenue=5&idfa=a-b-c&ip=192.0.2.1')).toBe(
    'unattributed',
  );
  expect(await of(`app=${android}`)).toBe('unattributed');
  expect(await of('app_id=com.example.another')).toBe('unknown_click');
  expect(await of('app_id=com.example.organic&click_id=another')).toBe('unknown_click');
  const stored = await app.ctx.clickhouse.query<{ app: string; parameters: string }>(
    "select app_id as app, parameters from postbacks where company_id = {company:UUID} and outcome = 'unattributed' order by time, parameters",
    { company: company.companyId },
  );
  expect(stored.map((row) => row.app).toSorted()).toEqual([android, android, ios].toSorted());
  for (const { parameters } of stored) expect(parameters).not.toMatch(/a-b-c|192\.0\.2\.1/);
  expect(await installsOf(ref)).toBe(0);
  await app.settled();
  const [events] = await app.ctx.clickhouse.query<{ count: number }>(
    "select count() as count from events where company_id = {company:UUID} and kind != 'click'",
    { company: company.companyId },
  );
  expect(events!.count).toBe(0);
});

test('an event in the app is counted and is not an install', async () => {
  const { company, secret, ref, clickId } = await freshAdvertiser();
  const query = `click_id=${clickId}&conversion_event_name=purchase`;
  for (const outcome of ['stored', 'duplicate'])
    expect((await get(`/postback/appmetrica/${secret}?${query}`)).json()).toEqual({ data: { outcome } });
  expect(await installsOf(ref)).toBe(0);
  expect(await storedPostbacks(company)).toMatchObject([{ outcome: 'event' }, { outcome: 'event' }]);
});

test('an install with an unfilled macro is counted', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const query = new URLSearchParams({ click_id: clickId, activity_kind: '%7Bactivity_kind%7D' }).toString();
  expect((await get(`/postback/adjust/${secret}?${query}`)).json()).toEqual({ data: { outcome: 'stored' } });
  expect(await installsOf(ref)).toBe(1);
});

test('an install long after its bid is answered 200 and not counted', async () => {
  const { company, secret } = await freshAdvertiser();
  const ref = sampleRef({ companyId: company.companyId }, app.clock.now.getTime() - 31 * 86_400_000);
  const response = await get(`/postback/adjust/${secret}?click_id=${signer.clickIdFor(ref)}`);
  expect([response.statusCode, response.json()]).toEqual([200, { data: { outcome: 'expired' } }]);
  expect(await installsOf(ref)).toBe(0);
});

test('an event of Branch as its own object is counted with its revenue, in JSON and as a form', async () => {
  const { company, secret, ref, clickId } = await freshAdvertiser();
  const body = {
    name: 'PURCHASE',
    id: 'one',
    event_timestamp: app.clock.now.getTime(),
    event_data: {
      revenue: 1.2e-7,
      currency: 'USD',
      content_items: Array.from({ length: 400 }, () => ({ sku: 'a sku' })),
    },
    last_attributed_touch_data: { '~click_id': clickId },
    user_data: { aaid: 'b3b5c1f0-0000-4000-8000-000000000001' },
  };
  const json = await post(`/postback/branch/${secret}`, 'application/json', JSON.stringify(body));
  expect(json.json()).toEqual({ data: { outcome: 'stored' } });
  const form = new URLSearchParams({
    name: 'PURCHASE',
    id: 'two',
    event_data: JSON.stringify({ revenue: '2.50', currency: 'USD' }),
    last_attributed_touch_data: JSON.stringify(body.last_attributed_touch_data),
  });
  const second = await post(
    `/postback/branch/${secret}`,
    'application/x-www-form-urlencoded',
    form.toString(),
  );
  expect(second.json()).toEqual({ data: { outcome: 'stored' } });
  expect(await installsOf(ref)).toBe(0);
  await app.settled();
  const events = await app.ctx.clickhouse.query(
    `select revenue_micros as micros, revenue_known as known from postbacks where company_id = {company:UUID} order by micros`,
    { company: company.companyId },
  );
  expect(events).toEqual([
    { micros: 0, known: 1 },
    { micros: 2_500_000, known: 1 },
  ]);
});

test('a value that is an object is stored unchanged', async () => {
  const { company, secret, clickId } = await freshAdvertiser();
  const body = { clickid: clickId, event_name: 'af_purchase', event_value: { af_revenue: 3 } };
  await post(`/postback/appsflyer/${secret}`, 'application/json', JSON.stringify(body));
  const [postback] = await storedPostbacks(company);
  expect(JSON.parse(postback!.parameters)).toMatchObject({ event_value: '{"af_revenue":3}' });
});

test('numbers that JavaScript cannot hold are stored as they were sent', async () => {
  const { company, secret, clickId } = await freshAdvertiser();
  const send = (name: string, more: string) =>
    post(
      `/postback/appsflyer/${secret}`,
      'application/json',
      `{"clickid":"${clickId}","event_name":"${name}",${more}}`,
    );
  const large = '"revenue":1e400,"text":"1e400 \\" 1e400","event_value":{"af_revenue":-1e999,"level":2.5}';
  await send('large', large);
  const [postback] = await storedPostbacks(company);
  expect(JSON.parse(postback!.parameters)).toMatchObject({
    revenue: '1e400',
    text: '1e400 " 1e400',
    event_value: '{"af_revenue":"-1e999","level":2.5}',
  });
  // Two ids that are the same number in JavaScript.
  for (const id of ['12345678901234567890', '12345678901234567891'])
    expect((await send('long', `"event_id":${id}`)).json()).toEqual({ data: { outcome: 'stored' } });
});

test('a value that is nested too deeply to be written again is left out', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const deep = `{"clickid":"${clickId}","event_value":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  const response = await post(`/postback/appsflyer/${secret}`, 'application/json', deep);
  expect(response.statusCode).toBe(200);
  expect(await installsOf(ref)).toBe(1);
});

test.each([
  ['a value', (clickId: string) => `click_id=${clickId}&name=x${encodeURIComponent('😀'.repeat(2100))}`],
  ['all parameters', (clickId: string) => `click_id=${clickId}&${manyFaces}`],
  ['a click id', () => `click_id=x${encodeURIComponent('😀'.repeat(600))}`],
])('%s truncated within a character does not prevent other postbacks from being stored', async (_, query) => {
  const { company, secret, clickId } = await freshAdvertiser();
  const paths = [query(clickId), 'click_id=somebody'].map((each) => `/postback/appmetrica/${secret}?${each}`);
  for (const path of paths) expect((await get(path)).statusCode).toBe(200);
  expect(await storedPostbacks(company)).toHaveLength(2);
});

test('a postback that is too large or cannot be read is rejected', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const path = `/postback/adjust/${secret}`;
  const large = 'x'.repeat(70_000);
  expect((await post(path, 'application/json', JSON.stringify({ clickId, large }))).statusCode).toBe(413);
  const form = new URLSearchParams({ click_id: clickId, large }).toString();
  expect((await post(path, 'application/x-www-form-urlencoded', form)).statusCode).toBe(413);
  for (const type of ['', 'text/plain', 'application/xml'])
    expect((await post(path, type, large)).statusCode).toBe(413);
  expect((await post(path, 'application/json', '{"click_id":')).statusCode).toBe(400);
  expect((await post(path, 'application/json', '["click_id"]')).statusCode).toBe(400);
  expect((await post(path, 'application/xml', '<click/>')).statusCode).toBe(415);
  expect(await installsOf(ref)).toBe(0);
});

test.each(['{click_id}', '(clickid)', '%7Bclick_id%7D', '${click_id}', 'null'])(
  'the unfilled click id %s counts as missing',
  async (text) => {
    const { company, secret } = await freshAdvertiser();
    const path = `/postback/appsflyer/${secret}?clickid=${encodeURIComponent(text)}&event_name=install`;
    expect(await outcomeOf(path)).toBe('unknown_click');
    const { data } = await company.call('GET', '/postbacks');
    expect(data.unknown).toMatchObject([{ outcome: 'unknown_click', click_id: '' }]);
  },
);

test('HEAD and OPTIONS count nothing', async () => {
  const { company, secret, ref, clickId } = await freshAdvertiser();
  const token = signer.installTokenFor(ref);
  const fresh = sampleRef({ companyId: company.companyId });
  const urls = [`/postback/adjust/${secret}?click_id=${clickId}`, `/postback/adjust/click/${token}`];
  for (const url of urls) {
    expect((await app.http.inject({ method: 'HEAD', url })).statusCode).toBe(200);
    await app.http.inject({ method: 'OPTIONS', url });
  }
  for (const kind of ['click', 'impression'] as const)
    for (const method of ['HEAD', 'OPTIONS'] as const)
      await app.http.inject({
        method,
        url: pathOf(signer.urlsFor(fresh)[kind]),
        headers: { 'user-agent': PHONE },
      });
  expect(await installsOf(ref)).toBe(0);
  for (const kind of ['click', 'impression'] as const) expect(await storedOf(fresh, kind)).toEqual([]);
  expect(await storedPostbacks(company)).toEqual([]);
});

test('forged installs of bids without a click or an impression are stored and count nothing', async () => {
  const { company, secret } = await freshAdvertiser();
  const refs = Array.from({ length: 60 }, () => sampleRef({ companyId: company.companyId }));
  const outcomes = await Promise.all(
    refs.map((ref) => outcomeOf(`/postback/appsflyer/${secret}?clickid=${signer.clickIdFor(ref)}`)),
  );
  expect(new Set(outcomes)).toEqual(new Set(['no_touchpoint']));
  await app.settled();
  const [row] = await app.ctx.clickhouse.query<{ installs: number }>(
    "select count() as installs from events where company_id = {company:UUID} and kind = 'install'",
    { company: company.companyId },
  );
  expect(row!.installs).toBe(0);
  expect((await company.call('GET', '/postbacks')).data.counts).toEqual([
    { mmp: 'appsflyer', outcome: 'no_touchpoint', reason: '', count: 60 },
  ]);
});

test('an install after an impression without a click is counted', async () => {
  const { company, secret } = await freshAdvertiser();
  const ref = sampleRef({ companyId: company.companyId });
  await touchpoint(ref, 'impression', 600);
  expect(await outcomeOf(`/postback/appmetrica/${secret}?click_id=${signer.clickIdFor(ref)}`)).toBe('stored');
  expect(await storedOf(ref, 'install')).toMatchObject([{ mark: '', untrained: '' }]);
});

test.each([
  [600, { install_timestamp: 595 }, 'too_fast'],
  [6 * 86_400, {}, ''],
])(
  'an install %i s after its click, with %o seconds ago from the partner, is counted, and excluded from learning for "%s"',
  async (seconds, said, reason) => {
    const { company, secret } = await freshAdvertiser();
    const nowMs = app.clock.now.getTime();
    const ref = sampleRef({ companyId: company.companyId }, nowMs - seconds * 1000 - 1000);
    await touchpoint(ref, 'click', seconds);
    const query = new URLSearchParams({ click_id: signer.clickIdFor(ref) });
    for (const [name, ago] of Object.entries(said)) query.set(name, String(Math.floor(nowMs / 1000) - ago));
    expect(await outcomeOf(`/postback/appmetrica/${secret}?${query.toString()}`)).toBe('stored');
    expect(await storedOf(ref, 'install')).toMatchObject([{ untrained: reason }]);
    expect((await company.call('GET', '/postbacks')).data.counts).toMatchObject([
      { outcome: 'stored', reason },
    ]);
  },
);

test('more installs of one click than plausible are counted and excluded from learning', async () => {
  const { company, secret } = await freshAdvertiser();
  const fields = { adsetId: sampleRef().adsetId, bundle: 'com.example.farmed' };
  const refs: BidRef[] = [];
  for (let click = 0; click < 20; click += 1) refs.push(await clickedRef(company, fields));
  for (const ref of refs)
    expect(await outcomeOf(`/postback/appsflyer/${secret}?clickid=${signer.clickIdFor(ref)}`)).toBe('stored');
  const { data } = await company.call('GET', '/postbacks');
  expect(data.counts).toEqual([
    { mmp: 'appsflyer', outcome: 'stored', reason: '', count: 15 },
    { mmp: 'appsflyer', outcome: 'stored', reason: 'rate', count: 5 },
  ]);
});

test("the install of a bot's click is invalid traffic", async () => {
  const { company, secret } = await freshAdvertiser();
  const ref = sampleRef({ companyId: company.companyId });
  await touchpoint(ref, 'click', 120, 'curl/8.1');
  await outcomeOf(`/postback/appsflyer/${secret}?clickid=${signer.clickIdFor(ref)}`);
  expect(await storedOf(ref, 'install')).toMatchObject([{ mark: 'bot' }]);
  expect((await company.call('GET', '/postbacks')).data.counts).toMatchObject([{ reason: 'bot' }]);
});

test('a later rejection reverses the install once, on the day of the install', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const path = `/postback/adjust/${secret}?click_id=${clickId}&activity_kind=`;
  expect(await outcomeOf(`${path}rejected_install`)).toBe('rejected');
  expect(await storedOf(ref, 'install_rejected')).toEqual([]);
  expect(await outcomeOf(`${path}install`)).toBe('stored');
  const [install] = await storedOf(ref, 'install');
  const { now } = app.clock;
  app.clock.now = new Date(now.getTime() + 3 * 86_400_000);
  expect(await outcomeOf(`${path}rejected_install`)).toBe('taken_back');
  expect(await outcomeOf(`${path}rejected_install`)).toBe('rejected');
  app.clock.now = now;
  expect(await storedOf(ref, 'install_rejected')).toEqual([install]);
});

test("the token of an Adjust link reports its own click's install and nothing else", async () => {
  const { company, ref } = await freshAdvertiser();
  const other = await clickedRef(company);
  const path = `/postback/adjust/click/${signer.installTokenFor(ref)}`;
  const otherClick = signer.clickIdFor(other);
  expect(await outcomeOf(`${path}?activity_kind=install&click_id=${otherClick}`)).toBe('stored');
  expect(await outcomeOf(`${path}?activity_kind=install`)).toBe('duplicate');
  expect(await outcomeOf(`${path}?activity_kind=rejected_install`)).toBe('rejected');
  expect([await installsOf(ref), await installsOf(other)]).toEqual([1, 0]);
  expect(await storedOf(ref, 'install_rejected')).toEqual([]);
  const broken = `${path.slice(0, -2)}xx`;
  expect((await get(broken)).statusCode).toBe(404);
});

test('postbacks are checked against the networks and the token that the company configured', async () => {
  const { company, secret, ref, clickId } = await freshAdvertiser();
  const set = (body: object) => company.call('PUT', '/postbacks/appsflyer', body);
  expect((await set({ networks: ['198.51.100.0/24'], secret: 'a token of AppsFlyer' })).status).toBe(200);
  const path = `/postback/appsflyer/${secret}?clickid=${clickId}`;
  const from = async (remoteAddress: string, headers: Record<string, string>) =>
    (await app.http.inject({ url: path, remoteAddress, headers })).json<{ data: { outcome: string } }>().data
      .outcome;
  const token = { authentication: 'a token of AppsFlyer' };
  expect(await from('203.0.113.9', token)).toBe('unverified');
  expect(await from('198.51.100.7', {})).toBe('unverified');
  expect(await from('198.51.100.7', { authorization: 'Bearer another token' })).toBe('unverified');
  expect(await installsOf(ref)).toBe(0);
  expect(await from('198.51.100.7', token)).toBe('stored');
  expect((await company.call('GET', '/postbacks')).data.unknown[0]).toMatchObject({ outcome: 'unverified' });
});

test("Adjust's signature is checked, and valid only for the click it names", async () => {
  const { company, secret, clickId } = await freshAdvertiser();
  const key = 'what Adjust signs with';
  await company.call('PUT', '/postbacks/adjust', { secret: key });
  const other = signer.clickIdFor(await clickedRef(company));
  const path = `/postback/adjust/${secret}?activity_kind=install&click_id=`;
  const signed = `activity_kind=install&click_id=${clickId}`;
  const hmac = createHmac('sha256', key).update(signed).digest('hex');
  const hash = createHash('sha1').update(`${key}${other}install`).digest('hex');
  const signature = `Signature signature="${hash}",algorithm="sha1",headers="secret click_id activity_kind"`;
  const withHeader = async (url: string, authorization = signature) =>
    (await app.http.inject({ url, headers: { authorization } })).json<{ data: { outcome: string } }>().data
      .outcome;
  expect(await outcomeOf(`${path}${clickId}`)).toBe('unverified');
  expect(await outcomeOf(`${path}${other}&signature=${hmac}`)).toBe('unverified');
  expect(await withHeader(`${path}${clickId}`)).toBe('unverified');
  for (const unsigned of [`${clickId}x&clickid=${other}`, `x&click_id=${other}`])
    expect(await outcomeOf(`${path}${unsigned}&signature=${hmac}`)).toBe('unverified');
  expect(await withHeader(`${path}x&clickid=${clickId}`)).toBe('unverified');
  // A signature that names no parameter with the click could be used for any.
  const ofNone = createHash('sha1').update(`${key}install`).digest('hex');
  const naming = `Signature signature="${ofNone}",algorithm="sha1",headers="secret activity_kind"`;
  expect(await withHeader(`${path}${clickId}`, naming)).toBe('unverified');
  expect(await outcomeOf(`${path}${clickId}&signature=${hmac}`)).toBe('stored');
  expect(await withHeader(`${path}${other}`)).toBe('stored');
});

test('while ClickHouse is unavailable a postback is stored, answered 200, and attributed once when it is back', async () => {
  const { company, secret, ref, clickId } = await freshAdvertiser();
  await app.settled();
  const failure = vi.spyOn(app.ctx.clickhouse, 'query').mockRejectedValue(new Error('connection refused'));
  responseMs = 50;
  onTestFinished(() => {
    failure.mockRestore();
    responseMs = Infinity;
  });
  app.ctx.log.level = 'silent';
  const path = `/postback/appmetrica/${secret}?click_id=${clickId}`;
  expect(await Promise.all([outcomeOf(path), outcomeOf(path)])).toEqual(['pending', 'pending']);
  failure.mockRestore();
  expect(await installsOf(ref)).toBe(1);
  app.ctx.log.level = 'error';
  expect((await storedPostbacks(company)).map(({ outcome }) => outcome)).toEqual(['duplicate', 'stored']);
});

test('while PostgreSQL is unavailable a postback is answered 503 with Retry-After', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const failure = vi.spyOn(app.ctx.db, 'selectFrom').mockImplementation(() => {
    throw new Error('connection refused');
  });
  onTestFinished(() => failure.mockRestore());
  app.ctx.log.level = 'silent';
  const path = `/postback/adjust/${secret}?click_id=${clickId}`;
  const response = await get(path);
  app.ctx.log.level = 'error';
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
  failure.mockRestore();
  expect((await get(path)).json()).toEqual({ data: { outcome: 'stored' } });
  expect(await installsOf(ref)).toBe(1);
});
