import { iosAppBody, make } from '@bidwell/testing/advertising';
import { startPartnerCounterpart } from '@bidwell/testing/partners/partner-counterpart';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { generateKeyPairSync, sign } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startSession } from '../../identity/service.ts';
import { createMessenger } from '../../messaging/public.ts';
import { postbackCopyKind, queuePostbackCopies } from './copy-messages.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const testKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const partner = await startPartnerCounterpart();
afterAll(() => partner.close());
const app = await testApp({
  INSTALL_POSTBACK_TEST_KEY: testKey,
  PARTNER_STAND_IN: partner.origin,
  LOG_LEVEL: 'silent',
});
const { ctx } = app;
const NETWORK = 'example123.skadnetwork';
await ctx.db
  .insertInto('skadnetwork_networks')
  .values({ id: NETWORK, public_key: testKey, private_key: null, iab_number: null })
  .execute();

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T12:00:00Z');
  partner.mood = 'usual';
  await ctx.db.deleteFrom('messages').execute();
  await ctx.db.deleteFrom('postback_copies').execute();
});

let items = 700_000_000;
async function advertiser() {
  const company = await app.freshCompany();
  items += 1;
  const appId = await make(company, '/app', iosAppBody(items));
  await app.operator('PUT', `/skadnetwork/apps/${appId}`, { enabled: true });
  return { company, appId, itemId: items };
}

/** A postback of version 4.0, signed by the simulated device's key, as text with the spaces of a device. */
function postbackOf(itemId: number, over: Record<string, unknown> = {}): string {
  const fields = {
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
  const signature = sign('sha256', Buffer.from(Object.values(fields).join('\u2063')), privateKey);
  return JSON.stringify(
    { 'conversion-value': 5, ...fields, 'attribution-signature': signature.toString('base64') },
    null,
    2,
  );
}

async function receive(payload: string) {
  const response = await app.http.inject({
    method: 'POST',
    url: '/skadnetwork/postback',
    headers: { 'content-type': 'application/json' },
    payload,
  });
  return response.json().data.outcome as string;
}

async function send(context = ctx): Promise<void> {
  await queuePostbackCopies(ctx);
  const messenger = createMessenger(context, [postbackCopyKind]);
  await messenger.tick();
  await messenger.idle();
}
const pass = (ms: number) => (app.clock.now = new Date(app.clock.now.getTime() + ms));
const copyTo = (company: TestCompany, appId: string, mmp: string, over: object = {}) =>
  company.call('PUT', `/app/${appId}/postback-copies/${mmp}`, {
    is_enabled: true,
    url: null,
    adattributionkit_url: null,
    ...over,
  });
/** Calls in a new session, since tests let more time pass than a session lasts. */
async function callAnew(company: TestCompany, method: 'GET' | 'POST', path: string) {
  const { tokens } = await startSession(ctx, company);
  const url = `/api/internal${path}`;
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  return app.http.inject({ method, url, headers });
}
const read = async (company: TestCompany, appId: string) =>
  (await callAnew(company, 'GET', `/app/${appId}/postback-copies`)).json().data;
const storedOf = (itemId: number) => partner.postbacks().filter(({ fields }) => fields['app-id'] === itemId);

test('each partner of the app gets one copy with the bytes of the device and what it takes of the network', async () => {
  const { company, appId, itemId } = await advertiser();
  expect((await copyTo(company, appId, 'appsflyer')).status).toBe(200);
  await copyTo(company, appId, 'branch');
  await copyTo(company, appId, 'kochava', { url: 'https://bidwell.adsmeasurement.com/v1/skad/postback' });
  await copyTo(company, appId, 'adjust', { is_enabled: false, url: 'https://given.example/given/skan' });
  const body = postbackOf(itemId);
  expect(await receive(body)).toBe('stored');
  expect(await receive(body)).toBe('duplicate');
  await send();
  await send();
  const stored = storedOf(itemId);
  expect(stored.map(({ host }) => host).toSorted()).toEqual([
    'api2.branch.io',
    'bidwell.adsmeasurement.com',
    'skadpostbacks.appsflyer.com',
  ]);
  for (const { host, body: sent } of stored) {
    expect(sent.toString().startsWith(body.slice(0, -2))).toBe(true);
    if (host !== 'skadpostbacks.appsflyer.com') expect(sent.toString()).toBe(body);
    else expect(JSON.parse(sent.toString())).toMatchObject({ timestamp: '1773144000' });
  }
  const { targets, copies } = await read(company, appId);
  expect(targets).toContainEqual(
    expect.objectContaining({ mmp: 'appsflyer', is_enabled: true, accepted_at: expect.any(String) }),
  );
  expect(copies).toHaveLength(3);
  for (const copy of copies)
    expect(copy).toMatchObject({ status: 'accepted', attempts: 1, response_status: 200 });
});

test.each([
  ['503', { status: 503 }],
  ['429 with Retry-After', { status: 429, retryAfterSeconds: 300 }],
] as const)('after an hour of %s and a kill, the partner has what the server has', async (_name, mood) => {
  const { company, appId, itemId } = await advertiser();
  await copyTo(company, appId, 'appmetrica');
  const bodies = Array.from({ length: 12 }, () => postbackOf(itemId));
  for (const body of bodies) await receive(body);
  partner.mood = { ...mood };
  for (let minutes = 0; minutes < 60; minutes += 5) {
    await send();
    pass(300_000);
  }
  expect(storedOf(itemId)).toEqual([]);
  expect((await read(company, appId)).copies[0]).toMatchObject({
    status: 'waiting',
    response_status: mood.status,
    error: `The partner responded with the status ${mood.status}.`,
  });
  partner.mood = 'usual';
  pass(3_600_000);
  // The partner has taken them, and the process is killed before it has stored that.
  await send({ ...ctx, db: withoutTransactions() });
  pass(120_000);
  await send();
  const stored = new Map(storedOf(itemId).map(({ fields }) => [fields['transaction-id'], fields]));
  expect(stored.size).toBe(12);
  expect((await read(company, appId)).copies.map(({ status }: { status: string }) => status)).toEqual(
    Array.from({ length: 12 }, () => 'accepted'),
  );
});

/** The database, without storing the outcomes of messages. */
function withoutTransactions(): typeof ctx.db {
  return new Proxy(ctx.db, {
    get(db, name) {
      if (name === 'transaction') throw new Error('killed');
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === 'function' ? (value.bind(db) as unknown) : value;
    },
  });
}

test('a copy that the partner refuses is not repeated by itself, and can be sent again', async () => {
  const { company, appId, itemId } = await advertiser();
  await copyTo(company, appId, 'appsflyer');
  await receive(postbackOf(itemId));
  partner.mood = { status: 400 };
  await send();
  pass(86_400_000);
  await send();
  const [copy] = (await read(company, appId)).copies;
  expect(copy).toMatchObject({ status: 'failed', attempts: 1, response_status: 400 });
  partner.mood = 'usual';
  const again = () => callAnew(company, 'POST', `/postback-copies/${copy.uuid}/send`);
  expect((await again()).statusCode).toBe(200);
  expect((await again()).statusCode).toBe(409);
  await send();
  expect(storedOf(itemId)).toHaveLength(1);
  expect((await read(company, appId)).copies).toMatchObject([{ status: 'accepted' }]);
  const other = await app.freshCompany();
  expect((await other.call('POST', `/postback-copies/${copy.uuid}/send`)).status).toBe(404);
  expect((await other.call('GET', `/app/${appId}/postback-copies`)).status).toBe(404);
});

test('copies need an address where the partner publishes none, https, and an iOS app', async () => {
  const { company, appId } = await advertiser();
  expect((await copyTo(company, appId, 'singular')).errors).toEqual([
    {
      field: 'url',
      message: 'Singular has no public address for these postbacks: enter the one that it gives you.',
    },
  ]);
  expect((await copyTo(company, appId, 'singular', { url: 'http://singular.example/skan' })).status).toBe(
    422,
  );
  expect((await copyTo(company, appId, 'nobody')).status).toBe(404);
});
