import { expect, onTestFinished, test, vi } from 'vitest';
import { appBody, make, changesOf } from '@bidwell/testing/advertising';
import { FORMATS, PHONE, partnersOf } from '@bidwell/testing/partners';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BidRef, EventKind } from '../model/event.ts';
import { pathOf, sampleRef } from '../trackers/sample-ref.ts';
import { APP_EVENT_NAMES_MAX } from '@bidwell/contract/apps/event-settings';
import { readEventNames } from './event-names.ts';

/** How long a request waits for the decision: on a busy machine, deciding may take longer than the usual three seconds. */
let responseMs = Infinity;
const app = await testApp({}, undefined, { postbackAnswerMs: () => Math.min(responseMs, 2 ** 31 - 1) });
const { signer, touch, send, ...partners } = partnersOf(app);

/** Lets something happen before the present time of the clock. */
async function ago<T>(seconds: number, act: () => Promise<T>): Promise<T> {
  const { now } = app.clock;
  app.clock.now = new Date(now.getTime() - seconds * 1000);
  return act().finally(() => (app.clock.now = now));
}

/** Bids of a company that were clicked two minutes ago. */
const clickedRefs = async ({ companyId }: TestCompany, count: number) =>
  ago(120, async () =>
    Promise.all(Array.from({ length: count }, async () => touch(sampleRef({ companyId })))),
  );
const clickedRef = async ({ companyId }: TestCompany, over: Partial<BidRef> = {}) =>
  ago(120, async () => touch(sampleRef({ companyId, ...over })));

async function freshAdvertiser() {
  const { company, secret } = await partners.freshAdvertiser();
  const ref = await clickedRef(company);
  return { company, secret, ref, clickId: signer.clickIdFor(ref) };
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

/** Sends a request for a new click of each case; expects that each is stored, and counts one install. */
async function expectInstalls<Case>(
  cases: readonly Case[],
  request: (path: string, clickId: string, of: Case) => ReturnType<typeof get>,
): Promise<void> {
  const { company, secret } = await partners.freshAdvertiser();
  const refs = await clickedRefs(company, cases.length);
  const responses = await Promise.all(
    cases.map((of, index) => request(`/postback/appsflyer/${secret}`, signer.clickIdFor(refs[index]!), of)),
  );
  await app.settled();
  const rows = await app.ctx.clickhouse.query<{ bidId: string }>(
    "select bid_id as bidId from events where company_id = {company:UUID} and kind = 'install'",
    { company: company.companyId },
  );
  const found = cases.map((of, index) => {
    const { statusCode, body } = responses[index]!;
    return [of, statusCode, body, rows.filter(({ bidId }) => bidId === refs[index]!.bidId).length];
  });
  expect(found).toEqual(cases.map((of) => [of, 200, '{"data":{"outcome":"stored"}}', 1]));
}

test.each<[mmp: string, name: string, more: Record<string, string>]>([
  ['appsflyer', 'clickid', { event_name: 'install' }],
  ['adjust', 'click_id', { activity_kind: 'install' }],
  ['appmetrica', 'click_id', { transaction_id: '7' }],
])('an install of %s counts by GET, by form and as JSON', async (mmp, name, more) => {
  const { company, secret } = await partners.freshAdvertiser();
  const refs = await clickedRefs(company, FORMATS.length);
  const sent = refs.map((each) => ({ ...more, [name]: signer.clickIdFor(each) }));
  const outcomes = await Promise.all(
    FORMATS.map(async (format, index) => send(`/postback/${mmp}/${secret}`, sent[index]!, format)),
  );
  expect(outcomes).toEqual(['stored', 'stored', 'stored']);
  for (const each of refs) expect(await installsOf(each)).toBe(1);
  const postbacks = await storedPostbacks(company);
  expect(postbacks).toHaveLength(3);
  expect(postbacks.map(({ parameters }) => JSON.parse(parameters) as unknown)).toEqual(
    expect.arrayContaining(sent),
  );
});

test('an install counts with repeated or empty parameters, a trailing slash, and names in capitals', async () => {
  await expectInstalls(
    [
      '?clickid=&clickid=$ID&event_name=install',
      '?clickid=%7Bclickid%7D&clickid=null&clickid=$ID',
      '?clickid=$ID&clickid=another',
      '?clickid=another&clickid=$ID',
      '?click_id=x&clickid=$ID',
      '/?clickid=$ID',
      '?clickid=$ID&event_name=Install',
      '?clickid=$ID&event-name=INSTALL',
    ],
    (path, clickId, query) => get(path + query.replace('$ID', clickId)),
  );
});

test('a postback with the click id in the query counts, whatever its content type and body', async () => {
  await expectInstalls(
    [
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
    ] as const,
    (path, clickId, [type, body]) => post(`${path}?clickid=${clickId}`, type, body),
  );
});

test('a form or JSON is read whatever content type it has', async () => {
  await expectInstalls(
    [
      ['text/plain', '{"clickid":"$ID"}'],
      ['text/plain; charset=utf-8', ' {\n "clickid": "$ID"\n}\n'],
      ['', '{"clickid":"$ID","click_id":"x"}'],
      ['', 'clickid=$ID'],
      ['json', '{"clickid":"$ID"}'],
      ['text/json', '{"clickid":"$ID"}'],
      ['application/vnd.partner+json; charset=utf-8', '{"CLICKID":"$ID"}'],
      // With a byte order mark.
      ['application/json', '\uFEFF{"clickid":"$ID"}'],
      ['application/x-www-form-urlencoded', '\uFEFFclickid=$ID'],
      ['application/x-www-form-urlencoded; charset=nobody-knows', 'clickid=$ID'],
      ['application/x-www-form-urlencoded; charset="ISO-8859-1"', 'a=%E9&&clickid=$ID'],
    ] as const,
    (path, clickId, [type, body]) => post(`${path}?event_name=install`, type, body.replace('$ID', clickId)),
  );
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
  await expectInstalls(
    [
      ['application/json', '{"clickid":"$ID"}'],
      ['application/x-www-form-urlencoded', 'clickid=&clickid=$ID&clickid=(clickid)'],
    ] as const,
    (path, clickId, [type, body]) => post(`${path}?clickid={clickid}`, type, body.replace('$ID', clickId)),
  );
});

test('Adjust’s callback of a click counts with a trailing slash and its kind in capitals', async () => {
  const { ref } = await freshAdvertiser();
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
  const event = (name: string, more: string) =>
    post(
      `/postback/appsflyer/${secret}`,
      'application/json',
      `{"clickid":"${clickId}","event_name":"${name}",${more}}`,
    );
  const large = '"revenue":1e400,"text":"1e400 \\" 1e400","event_value":{"af_revenue":-1e999,"level":2.5}';
  await event('large', large);
  const [postback] = await storedPostbacks(company);
  expect(JSON.parse(postback!.parameters)).toMatchObject({
    revenue: '1e400',
    text: '1e400 " 1e400',
    event_value: '{"af_revenue":"-1e999","level":2.5}',
  });
  // Two ids that are the same number in JavaScript.
  for (const id of ['12345678901234567890', '12345678901234567891'])
    expect((await event('long', `"event_id":${id}`)).json()).toEqual({ data: { outcome: 'stored' } });
});

test('a value that is nested too deeply to be written again is left out', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const deep = `{"clickid":"${clickId}","event_value":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  const response = await post(`/postback/appsflyer/${secret}`, 'application/json', deep);
  expect(response.statusCode).toBe(200);
  expect(await installsOf(ref)).toBe(1);
});

test('values truncated within a character do not prevent other postbacks from being stored', async () => {
  const { company, secret, clickId } = await freshAdvertiser();
  const queries = [
    `click_id=${clickId}&name=x${encodeURIComponent('😀'.repeat(2100))}`,
    `click_id=${clickId}&${manyFaces}`,
    `click_id=x${encodeURIComponent('😀'.repeat(600))}`,
    'click_id=somebody',
  ];
  const responses = await Promise.all(queries.map((query) => get(`/postback/appmetrica/${secret}?${query}`)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect(await storedPostbacks(company)).toHaveLength(4);
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

test('unfilled click ids count as missing', async () => {
  const { company, secret } = await partners.freshAdvertiser();
  const unfilled = ['{click_id}', '(clickid)', '%7Bclick_id%7D', '${click_id}', 'null'];
  const path = `/postback/appsflyer/${secret}?event_name=install&clickid=`;
  const outcomes = await Promise.all(unfilled.map((text) => outcomeOf(path + encodeURIComponent(text))));
  const missing = { outcome: 'unknown_click', click_id: '' };
  expect(outcomes).toEqual(unfilled.map(() => missing.outcome));
  expect((await company.call('GET', '/postbacks')).data.unknown).toMatchObject(unfilled.map(() => missing));
});

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
  await ago(600, () => touch(ref, 'impression'));
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
    await ago(seconds, () => touch(ref));
    const query = new URLSearchParams({ click_id: signer.clickIdFor(ref) });
    for (const [name, age] of Object.entries(said)) query.set(name, String(Math.floor(nowMs / 1000) - age));
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
  await ago(120, () => touch(ref, 'click', 'curl/8.1'));
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
  // A signature that names no parameter with the click could be used for any.
  const ofNone = createHash('sha1').update(`${key}install`).digest('hex');
  const naming = `Signature signature="${ofNone}",algorithm="sha1",headers="secret activity_kind"`;
  const wrong = await Promise.all([
    outcomeOf(path + clickId),
    outcomeOf(`${path}${other}&signature=${hmac}`),
    outcomeOf(`${path}${clickId}x&clickid=${other}&signature=${hmac}`),
    outcomeOf(`${path}x&click_id=${other}&signature=${hmac}`),
    withHeader(path + clickId),
    withHeader(`${path}x&clickid=${clickId}`),
    withHeader(path + clickId, naming),
  ]);
  expect(wrong).toEqual(wrong.map(() => 'unverified'));
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

/** An app of a fresh company that has some names of events already: '0', '1' and so on. */
async function appWithNames(count: number) {
  const { company, ...partner } = await partners.freshAdvertiser();
  const appId = await make(company, '/app', appBody());
  const names = Array.from({ length: count }, (_, index) => ({
    company_uuid: company.companyId,
    app_uuid: appId,
    name: `${index}`,
    first_seen_at: app.clock.now,
  }));
  if (count > 0) await app.ctx.db.insertInto('app_event_names').values(names).execute();
  /** Reports an event of each name, of a new click. Returns the names under which they are stored. */
  const report = async (...reported: string[]) => {
    const refs = await Promise.all(reported.map(async () => partner.clicked({ appId })));
    await partner.expectOutcomes(refs.map((ref, index) => [ref, { event_name: reported[index]! }, 'stored']));
    await app.settled();
    const rows = await app.ctx.clickhouse.query<{ name: string; bidId: string }>(
      "select event_name as name, click_bid_id as bidId from events where company_id = {company:UUID} and kind = 'app_event'",
      { company: company.companyId },
    );
    return refs.map((ref) => rows.find(({ bidId }) => bidId === ref.bidId)!.name);
  };
  return { company, appId, partner, report };
}

test('an app with 500 names has further names counted together, and the names of another app are not affected', async () => {
  const full = await appWithNames(APP_EVENT_NAMES_MAX);
  expect(await full.report('purchase', '7')).toEqual(['(other)', '7']);
  const other = await appWithNames(0);
  expect(await other.report('purchase', 'purchase')).toEqual(['purchase', 'purchase']);
});

test('trackers that name events at the same time stay within the limit of the app together', async () => {
  const { company, appId } = await appWithNames(APP_EVENT_NAMES_MAX - 1);
  const admitted = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const event = { companyId: company.companyId, appId, name };
      const names = await readEventNames(app.ctx.db, [event]);
      return names.admit(event, app.clock.now);
    }),
  );
  expect(admitted.filter((name) => name === '(other)')).toHaveLength(2);
});

test('a name with a NUL is stored without it', async () => {
  const { company, appId, report } = await appWithNames(0);
  expect(await report(`pur${String.fromCharCode(0)}chase`)).toEqual(['purchase']);
  const names = await app.ctx.db
    .selectFrom('app_event_names')
    .select(['company_uuid', 'name'])
    .where('app_uuid', '=', appId)
    .execute();
  expect(names).toEqual([{ company_uuid: company.companyId, name: 'purchase' }]);
});

test('deleting an app deletes its names, and events that arrive afterwards have none of their own', async () => {
  const { company, appId, report } = await appWithNames(0);
  await report('purchase');
  expect((await company.call('DELETE', '/app/batch', { uuids: [appId] })).status).toBe(200);
  expect(await report('purchase')).toEqual(['(other)']);
});

test('an app lists its events, and those later than its window do not count', async () => {
  const { company, appId, partner, report } = await appWithNames(0);
  await report('purchase');
  const path = `/app/${appId}/events`;
  const at = app.clock.now.toISOString();
  const settings = {
    click_window_days: 180,
    view_window_days: 180,
    re_engagement_click_window_days: 30,
    re_engagement_view_window_days: 30,
    revenue_sources: ['purchases', 'ad_revenue'],
  };
  const purchase = { name: 'purchase', label: null, offered: true, payer: 'purchase' };
  expect((await company.call('GET', path)).data).toEqual({
    events: [{ ...purchase, first_seen_at: at, last_seen_at: at }],
    ...settings,
  });
  const changed = await company.call('PUT', path, { click_window_days: 7 });
  expect(changed).toMatchObject({ status: 200, data: { ...settings, click_window_days: 7, events: [] } });
  expect((await changesOf(app, company, appId)).at(-1)).toMatchObject({
    action: 'update',
    fields: [{ field: 'event_click_window_days', before: 180, after: 7 }],
  });
  const { now } = app.clock;
  app.clock.now = new Date(now.getTime() - 8 * 86_400_000);
  const ref = await partner.clicked({ appId });
  app.clock.now = now;
  expect(await partner.report(ref, { event_name: 'level' })).toBe('expired');
  const stranger = await app.freshCompany();
  expect((await stranger.call('GET', path)).status).toBe(404);
  expect((await stranger.call('PUT', path, { click_window_days: 1 })).status).toBe(404);
  expect((await company.call('PUT', path, { view_window_days: 181 })).errors).toEqual([
    { field: 'view_window_days', message: 'Enter 1 to 180 days' },
  ]);
});
