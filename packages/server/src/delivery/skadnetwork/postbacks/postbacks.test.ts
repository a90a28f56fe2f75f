import { generateKeyPairSync, sign } from 'node:crypto';
import { iosAppBody, make } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const testKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const app = await testApp({ INSTALL_POSTBACK_TEST_KEY: testKey });
const { db } = app.ctx;

const NETWORK = 'example123.skadnetwork';
await db
  .insertInto('skadnetwork_networks')
  .values([
    { id: NETWORK, public_key: testKey, private_key: null, iab_number: null },
    { id: 'com.example', public_key: testKey, private_key: null, iab_number: null },
    {
      id: 'development.adattributionkit',
      public_key: testKey,
      private_key: null,
      iab_number: null,
      development_postbacks: true,
    },
  ])
  .execute();

let items = 600_000_000;

const switchOn = async (appId: string) =>
  app.operator('PUT', `/skadnetwork/apps/${appId}`, { enabled: true });

/** A fresh company with an app in the App Store that has signed bids, and an ad set that has a number of it. */
async function advertiser() {
  const company = await app.freshCompany();
  items += 1;
  const itemId = items;
  const appId = await make(company, '/app', iosAppBody(itemId));
  await switchOn(appId);
  const adsetId = uuidv7();
  await db
    .insertInto('source_identifiers')
    .values({
      uuid: uuidv7(),
      company_uuid: company.companyId,
      item_id: itemId,
      number: 1239,
      adset_uuid: adsetId,
      allocated_at: new Date(app.clock.now.getTime() - 86_400_000),
    })
    .execute();
  return { company, appId, adsetId, itemId };
}

type Fields = Record<string, string | number | boolean | undefined>;

/** A postback of version 4.0 that the simulated device's key signs. */
function postbackOf(itemId: number, over: Fields = {}): Record<string, unknown> {
  const fields: Fields = {
    version: '4.0',
    'ad-network-id': NETWORK,
    'source-identifier': '1239',
    'app-id': itemId,
    'transaction-id': uuidv7(),
    redownload: false,
    'source-app-id': 99,
    'fidelity-type': 1,
    'did-win': true,
    'postback-sequence-index': 0,
    ...over,
  };
  const text = [
    'version',
    'ad-network-id',
    'source-identifier',
    'app-id',
    'transaction-id',
    'redownload',
    'source-app-id',
    'fidelity-type',
    'did-win',
    'postback-sequence-index',
  ]
    .flatMap((name) => (fields[name] === undefined ? [] : [String(fields[name])]))
    .join('\u2063');
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64');
  return { 'conversion-value': 5, ...fields, 'attribution-signature': signature };
}

async function send(body: unknown, url = '/skadnetwork/postback') {
  const response = await app.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.statusCode, outcome: response.json().data?.outcome };
}

/** The report of a company's postbacks on the day of the test. */
async function reportOf(company: Awaited<ReturnType<typeof advertiser>>['company'], by: string[] = []) {
  await app.settled();
  const day = app.clock.now.toISOString().slice(0, 10);
  const { status, data } = await company.call('POST', '/analytics/skadnetwork', {
    start_date: day,
    end_date: day,
    by,
  });
  expect(status).toBe(200);
  return data;
}

test('a postback counts once for the ad set of its source identifier, on each path and of each window', async () => {
  const { company, appId, adsetId, itemId } = await advertiser();
  const transaction = { 'transaction-id': uuidv7() };
  const first = postbackOf(itemId, transaction);
  expect(await send(first)).toEqual({ status: 200, outcome: 'stored' });
  // The copy for the developer has another conversion value, which nothing signs: the first one stays.
  for (const path of ['/.well-known/skadnetwork/report-attribution', '/skadnetwork/postback/'])
    expect(await send({ ...first, 'conversion-value': 60 }, path)).toEqual({
      status: 200,
      outcome: 'duplicate',
    });
  const later = { ...transaction, 'source-identifier': '39' };
  const second = postbackOf(itemId, {
    ...later,
    'postback-sequence-index': 1,
    'conversion-value': undefined,
  });
  expect(
    await send(
      { ...second, 'coarse-conversion-value': 'high' },
      '/.well-known/skadnetwork/report-attribution/',
    ),
  ).toEqual({ status: 200, outcome: 'stored' });
  const lost = postbackOf(itemId, { 'did-win': false, 'source-app-id': undefined, redownload: true });
  expect((await send(lost)).outcome).toBe('stored');

  const report = await reportOf(company, ['adset', 'window', 'result', 'value']);
  const adset = { key: adsetId, name: adsetId };
  expect(report).toMatchObject({
    total: { postbacks: 3, won: 2, lost: 1, downloads: 1, redownloads: 0, re_engagements: 0 },
    problems: [],
  });
  expect(
    report.rows.map(({ groups }: { groups: { key: string | null }[] }) => groups.map(({ key }) => key)),
  ).toEqual(
    expect.arrayContaining([
      [adsetId, '0', 'won', '5'],
      [adsetId, '1', 'won', 'high'],
      [adsetId, '0', 'lost', null],
    ]),
  );
  expect(report.rows[0].groups[0]).toEqual(adset);
  expect((await reportOf(company, ['app'])).rows[0].groups).toEqual([{ key: appId, name: 'Puzzle Quest' }]);
});

test('copies of the same postback at once count once', async () => {
  const { company, itemId } = await advertiser();
  const postback = postbackOf(itemId);
  const outcomes = await Promise.all(Array.from({ length: 12 }, async () => (await send(postback)).outcome));
  expect(outcomes.toSorted().slice(-1)).toEqual(['stored']);
  expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(11);
  expect((await reportOf(company)).total.postbacks).toBe(1);
});

test('a postback that is not valid is answered 200, counted nowhere, and shown to the app that it names', async () => {
  const { company, itemId } = await advertiser();
  const valid = postbackOf(itemId);
  expect(await send({ ...valid, 'did-win': false })).toEqual({ status: 200, outcome: 'bad_signature' });
  expect(await send({ ...valid, 'ad-network-id': 'other.skadnetwork' })).toEqual({
    status: 200,
    outcome: 'unknown_network',
  });
  expect(await send({ ...valid, version: '2.0' })).toEqual({ status: 200, outcome: 'unsupported_version' });
  expect(await send({ ...valid, 'did-win': 'yes' })).toEqual({ status: 200, outcome: 'unreadable' });
  expect(await send(postbackOf(itemId, { 'source-app-id': 0 }))).toEqual({ status: 200, outcome: 'test' });
  const report = await reportOf(company);
  expect(report.total.postbacks).toBe(0);
  expect(
    Object.fromEntries(
      report.problems.map((one: { reason: string; count: number }) => [one.reason, one.count]),
    ),
  ).toEqual({ bad_signature: 1, unknown_network: 1, unsupported_version: 1, unreadable: 1, test: 1 });
  // Postbacks of an app that no company has are not stored by app.
  expect((await send({ ...valid, 'app-id': 1, 'did-win': false })).outcome).toBe('bad_signature');
  await app.settled();
  const rows = await db.selectFrom('rejected_install_postbacks').select('item_id').execute();
  expect(rows.map((row) => row.item_id)).not.toContain('1');
});

test('strangers cannot keep the rejected postbacks of an app from being counted', async () => {
  const { company, itemId } = await advertiser();
  const invalid = { 'ad-network-id': NETWORK, version: '2.0', 'attribution-signature': '' };
  for (let first = 1; first <= 600; first += 100)
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => send({ ...invalid, 'app-id': first + index })),
    );
  const emoji = String.fromCodePoint(0x1f642).repeat(1500);
  for (const text of [emoji, `a${emoji}`])
    expect((await send({ ...invalid, text, 'app-id': itemId })).outcome).toBe('unsupported_version');
  expect((await reportOf(company)).problems).toMatchObject([{ reason: 'unsupported_version', count: 2 }]);
});

test('a source identifier that no ad set has counts for the app, and for no company if two companies have the app', async () => {
  const { company, itemId } = await advertiser();
  expect((await send(postbackOf(itemId, { 'source-identifier': '77' }))).outcome).toBe('stored');
  const report = await reportOf(company, ['adset']);
  expect(report.rows).toMatchObject([{ groups: [{ key: null, name: 'Unknown source identifier' }], won: 1 }]);
  expect(report.problems).toMatchObject([{ reason: 'unknown_source', count: 1 }]);
  const other = await app.freshCompany();
  await switchOn(await make(other, '/app', iosAppBody(itemId)));
  expect((await send(postbackOf(itemId, { 'source-identifier': '77' }))).outcome).toBe('unknown_app');
  expect((await reportOf(other)).total.postbacks).toBe(0);
});

test('a company that only enters the store link of an app neither takes, blocks nor sees its postbacks', async () => {
  const { company, itemId } = await advertiser();
  const stranger = await app.freshCompany();
  await make(stranger, '/app', iosAppBody(itemId));
  // With an app of its own that has signed bids, whose store link it then changes.
  const own = await advertiser();
  const store_link = iosAppBody(itemId).store_link;
  expect((await own.company.call('PUT', `/app/${own.appId}`, { store_link })).status).toBe(200);
  expect((await send(postbackOf(itemId, { 'source-identifier': '77' }))).outcome).toBe('stored');
  await send({ ...postbackOf(itemId), 'did-win': false });
  for (const other of [stranger, own.company])
    expect(await reportOf(other)).toMatchObject({ total: { postbacks: 0 }, problems: [] });
  const { total, problems } = await reportOf(company);
  expect([total.postbacks, problems.length]).toEqual([1, 2]);
  // The postbacks of the number that was switched on still come.
  expect((await send(postbackOf(own.itemId))).outcome).toBe('stored');
  expect((await send(postbackOf(own.itemId, { 'source-identifier': '77' }))).outcome).toBe('stored');

  const nobody = await app.freshCompany();
  const item = (items += 1);
  await make(nobody, '/app', iosAppBody(item));
  expect((await send(postbackOf(item))).outcome).toBe('unknown_app');
});

test("Apple's own example is accepted, and a development postback only counts as a test of a network that allows it", async () => {
  const vectors = (file: string) =>
    JSON.parse(readFileSync(new URL(`./cases/${file}`, import.meta.url), 'utf8')) as { postback: object }[];
  const [example] = vectors('skadnetwork-postbacks.json');
  expect((await send(example!.postback)).status).toBe(200);
  expect((await send(example!.postback)).outcome).toBe('duplicate');
  const [development] = vectors('adattributionkit-postbacks.json');
  const path = '/.well-known/appattribution/report-attribution/';
  expect((await send(development!.postback, path)).outcome).toBe('test');
  expect((await send(development!.postback, path.slice(0, -1))).outcome).toBe('test');
});

test.each([
  ['no JSON', '{', 400],
  ['a list', '[]', 400],
  ['a number', '7', 400],
  ['nothing', 'null', 400],
  ['more than 16 KiB', JSON.stringify({ x: 'x'.repeat(17_000) }), 413],
])('a body of %s is refused', async (_what, body, status) => {
  expect((await send(body)).status).toBe(status);
});

test('a form is refused', async () => {
  const response = await app.http.inject({
    method: 'POST',
    url: '/skadnetwork/postback',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'a=b',
  });
  expect(response.statusCode).toBe(415);
});

test('beyond a full queue of its address a device is told to send again, and others are served', async () => {
  const { itemId } = await advertiser();
  const body = JSON.stringify(postbackOf(itemId));
  const from = async (remoteAddress: string) => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', url: '/skadnetwork/postback', remoteAddress, headers, payload: body };
    return (await app.http.inject({ ...request, method: 'POST' })).statusCode;
  };
  const flood = Array.from({ length: 600 }, () => from('203.0.113.5'));
  const other = from('198.51.100.7');
  const statuses = await Promise.all(flood);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(await other).toBe(200);
});

test('values have the meaning that the app defined on the day of their arrival', async () => {
  const { company, appId, itemId } = await advertiser();
  const rule = { window: 0, fine_from: 1, fine_to: 9, coarse: null, revenue_from: null, revenue_to: null };
  const path = `/app/${appId}/conversion-values`;
  const now = app.clock.now;
  const before = new Date(now.getTime() - 3 * 86_400_000);
  app.clock.now = before;
  await company.call('PUT', path, { rules: [{ ...rule, event: 'trial' }] });
  await send(postbackOf(itemId));
  app.clock.now = new Date(before.getTime() + 2 * 86_400_000);
  const purchase = { ...rule, event: 'purchase', revenue_from: 1, revenue_to: 5 };
  await company.call('PUT', path, { rules: [purchase] });
  await send(postbackOf(itemId));
  await send(postbackOf(itemId, { 'conversion-value': 40 }));
  const { data } = await company.call('POST', '/analytics/skadnetwork', {
    start_date: before.toISOString().slice(0, 10),
    end_date: app.clock.now.toISOString().slice(0, 10),
    by: ['value'],
  });
  expect(data.rows.map(({ groups }: { groups: { name: string }[] }) => groups[0]!.name).toSorted()).toEqual([
    '40',
    '5: purchase, $1–5',
    '5: trial',
  ]);
  app.clock.now = now;
});

test('the postback in the documentation has the outcome that is written there', async () => {
  const docs = readFileSync(new URL('../../../../../../docs/skadnetwork.md', import.meta.url), 'utf8');
  const [, text] = /-d '(\{\n[^']*)'/.exec(docs)!;
  const body = JSON.parse(text!);
  expect(await send(body)).toEqual({ status: 200, outcome: 'unknown_network' });
  expect((await send({ ...body, 'ad-network-id': NETWORK })).outcome).toBe('bad_signature');
});
