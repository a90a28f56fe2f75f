import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { changesOf } from '@bidwell/testing/advertising';
import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { eventually } from '@bidwell/testing/eventually';
import { localServer } from '@bidwell/testing/local-server';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { withPullKey } from './partner-audiences.ts';

/** What the server of files responds, by path; a path without an entry is held until the test responds. */
const files = new Map<string, string>();
const held = new Map<string, ServerResponse[]>();
const server = await localServer((request, response) => {
  const path = request.url ?? '';
  const file = files.get(path);
  if (file !== undefined) response.end(file);
  else held.set(path, [...(held.get(path) ?? []), response]);
});
const app = await testApp({ ALERT_INTERNAL_HOSTS: `127.0.0.1:${server.port}`, LOG_LEVEL: 'silent' });

/** The address of a file that the server sends, or holds back without a content. */
function fileWith(ids?: readonly string[]): string {
  const path = `/${randomUUID()}.csv?X-Amz-Signature=abc`;
  if (ids) files.set(path, ids.join('\n'));
  return `http://127.0.0.1:${server.port}${path}`;
}

const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID());

const post = async (name: string, payload: object, headers: Record<string, string> = {}) => {
  const url = `/api/internal/partners/appsflyer/audiences/${name}`;
  const response = await app.http.inject({ method: 'POST', url, payload, headers });
  return { status: response.statusCode, body: response.json() };
};

/** AppsFlyer with a key of a company. */
async function partnerOf(company: TestCompany) {
  const api_key = await apiKeyOf(company, ['audience_sync']);
  return { api_key, call: (name: string, body: object = {}) => post(name, { api_key, ...body }) };
}

/** The audience of a company when no import of it is under way. */
const settled = async (company: TestCompany, uuid: string) =>
  eventually(async () => {
    const { data } = await company.call('GET', `/audience/${uuid}`);
    expect(data.state).not.toBe('importing');
    return data;
  });

test('AppsFlyer creates an audience once, and each sync replaces its ids', async () => {
  const company = await app.freshCompany();
  const { call, api_key: key } = await partnerOf(company);
  expect(await call('validate')).toEqual({ status: 200, body: { status: 'valid' } });
  expect((await post('validate', {}, { authorization: `Bearer ${key}` })).status).toBe(200);
  const create = { name: 'Payers', platform: 'android', account: 'not known here' };
  const made = await call('create', create);
  expect(made).toMatchObject({ status: 200, body: { container_id: expect.any(String) } });
  expect(await call('create', create)).toEqual(made);
  expect((await call('create', { ...create, platform: 'ios' })).body).not.toEqual(made.body);
  const spaced = await call('create', { name: 'x', platform: 'ios pro' });
  expect((await call('create', { name: 'pro x', platform: 'ios' })).body).not.toEqual(spaced.body);
  const { container_id: uuid } = made.body;
  expect(await changesOf(app, company, uuid)).toMatchObject([{ action: 'create' }]);

  const sync = async (fields: object) => call('sync', { container_id: uuid, ...fields });
  expect(await sync({ url_adid: fileWith(idsOf(3)), url_email_sha256: fileWith() })).toMatchObject({
    status: 200,
  });
  expect(await settled(company, uuid)).toMatchObject({
    name: 'Payers',
    kind: 'partner',
    source_url: null,
    state: 'ready',
    size: 3,
    last_import: { source: 'partner', mode: 'replace', state: 'done' },
  });
  await sync({ url_hashed: '', url: fileWith(idsOf(2)) });
  expect(await settled(company, uuid)).toMatchObject({ size: 2 });
  const addresses = await app.ctx.db
    .selectFrom('audience_imports')
    .select('source_url')
    .where('audience_uuid', '=', uuid)
    .execute();
  expect(addresses).toEqual([{ source_url: null }, { source_url: null }]);
});

test('an empty file, one that is cut off and one without ids leave a full list as it is', async () => {
  const company = await app.freshCompany();
  const { call } = await partnerOf(company);
  const { container_id: uuid } = (await call('create', { name: 'Payers' })).body;
  const sync = async (url: string) => {
    expect((await call('sync', { container_id: uuid, url })).status).toBe(200);
    return settled(company, uuid);
  };
  expect(await sync(fileWith(idsOf(4)))).toMatchObject({ size: 4 });
  expect(await sync(fileWith([]))).toMatchObject({ size: 4, state: 'failed' });
  expect(await sync(fileWith(['nothing', 'of', 'use']))).toMatchObject({ size: 4, state: 'failed' });
  const cut = fileWith();
  const path = cut.slice(cut.indexOf('/', 8));
  await call('sync', { container_id: uuid, url: cut });
  const [response] = await eventually(() => {
    expect(held.has(path)).toBe(true);
    return held.get(path)!;
  });
  response!.writeHead(200, { 'content-length': 1000 });
  response!.write(`${idsOf(2).join('\n')}\n`, () => response!.destroy());
  expect(await settled(company, uuid)).toMatchObject({
    size: 4,
    state: 'failed',
    last_import: { error: 'The file could not be read to its end' },
  });
});

test('a file without a length that is cut off leaves a full list as it is', async () => {
  const company = await app.freshCompany();
  const { call } = await partnerOf(company);
  const { container_id: uuid } = (await call('create', { name: 'Payers' })).body;
  await call('sync', { container_id: uuid, url: fileWith(idsOf(4)) });
  expect(await settled(company, uuid)).toMatchObject({ size: 4 });
  const syncEndless = async (content: string) => {
    const url = fileWith();
    const path = url.slice(url.indexOf('/', 8));
    await call('sync', { container_id: uuid, url });
    const [response] = await eventually(() => {
      expect(held.has(path)).toBe(true);
      return held.get(path)!;
    });
    // Its end is where the connection is closed.
    response!.useChunkedEncodingByDefault = false;
    response!.shouldKeepAlive = false;
    response!.writeHead(200).end(content);
    return settled(company, uuid);
  };
  const [whole, cut] = idsOf(2) as [string, string];
  expect(await syncEndless(`${whole}\n${cut.slice(0, 20)}`)).toMatchObject({
    size: 4,
    state: 'failed',
    last_import: { error: expect.stringContaining('it was cut off') },
  });
  expect(await syncEndless(`${whole}\n${cut}`)).toMatchObject({ size: 2, state: 'ready' });
});

test('a file that comes slowly holds up no other audience of its company', async () => {
  const company = await app.freshCompany();
  const { call } = await partnerOf(company);
  const create = async (name: string) => (await call('create', { name })).body.container_id as string;
  const [slow, quick] = [await create('Slow'), await create('Quick')];
  const url = fileWith();
  const path = url.slice(url.indexOf('/', 8));
  await call('sync', { container_id: slow, url });
  await eventually(() => expect(held.has(path)).toBe(true));
  await call('sync', { container_id: quick, url: fileWith(idsOf(2)) });
  expect(await settled(company, quick)).toMatchObject({ size: 2 });
  const list = (await company.call('POST', '/audience', { name: 'List' })).data.uuid;
  await company.call('POST', `/audience/${list}/ids`, { mode: 'add', ids: idsOf(3) });
  expect(await settled(company, list)).toMatchObject({ size: 3 });
  expect((await company.call('GET', `/audience/${slow}`)).data.state).toBe('importing');
  held.get(path)![0]!.end(idsOf(1)[0]);
});

test('an id that no create call made is created by its first sync; an audience that was deleted is not', async () => {
  const company = await app.freshCompany();
  const { call } = await partnerOf(company);
  const sync = { container_id: 2146, name: 'Lapsed', url: fileWith(idsOf(2)) };
  expect(await call('sync', sync)).toEqual({ status: 200, body: { container_id: '2146' } });
  await call('sync', { ...sync, url: fileWith(idsOf(5)) });
  const { audiences } = (await company.call('GET', '/audience')).data;
  expect(audiences).toMatchObject([{ name: 'Lapsed', kind: 'partner' }]);
  expect(await settled(company, audiences[0].uuid)).toMatchObject({ size: 5 });

  const { container_id: uuid } = (await call('create', { name: 'Gone' })).body;
  await company.call('DELETE', `/audience/${uuid}`);
  expect((await call('sync', { ...sync, container_id: uuid })).status).toBe(404);
  const stranger = await app.freshCompany();
  const theirs = await partnerOf(stranger);
  const { container_id: own } = (await call('create', { name: 'Own' })).body;
  expect((await theirs.call('sync', { ...sync, container_id: own })).status).toBe(404);
  expect((await stranger.call('GET', '/audience')).data.audiences).toEqual([]);
});

test('of two syncs under way the newer one wins, and a repeated one is the same', async () => {
  const company = await app.freshCompany();
  const { call } = await partnerOf(company);
  const { container_id: uuid } = (await call('create', { name: 'Payers' })).body;
  const slow = fileWith();
  const path = slow.slice(slow.indexOf('/', 8));
  await call('sync', { container_id: uuid, url: slow });
  await call('sync', { container_id: uuid, url: slow });
  const imports = async () => (await company.call('GET', `/audience/${uuid}/imports`)).data.imports;
  expect(await imports()).toHaveLength(1);
  await eventually(() => expect(held.has(path)).toBe(true));
  await call('sync', { container_id: uuid, url: fileWith(idsOf(3)) });
  expect(await settled(company, uuid)).toMatchObject({ size: 3, state: 'ready' });
  held.get(path)![0]!.end(idsOf(9).join('\n'));
  expect(await imports()).toMatchObject([
    { state: 'done', size_after: 3 },
    { state: 'failed', error: 'A newer file of the partner came before this one was imported' },
  ]);
  expect(await settled(company, uuid)).toMatchObject({ size: 3 });
});

test('a file that comes slowly holds up no other company', async () => {
  const [slow, quick] = [await app.freshCompany(), await app.freshCompany()];
  const [theirs, ours] = [await partnerOf(slow), await partnerOf(quick)];
  const address = fileWith();
  const path = address.slice(address.indexOf('/', 8));
  const late = (await theirs.call('sync', { container_id: 'a', url: address })).status;
  await eventually(() => expect(held.has(path)).toBe(true));
  await ours.call('sync', { container_id: 'a', url: fileWith(idsOf(2)) });
  const [{ uuid }] = (await quick.call('GET', '/audience')).data.audiences;
  expect(await settled(quick, uuid)).toMatchObject({ size: 2 });
  expect([late, (await slow.call('GET', '/audience')).data.audiences[0].state]).toEqual([200, 'importing']);
  held.get(path)![0]!.end(idsOf(1)[0]);
});

test('a key that does not exist, was revoked, or has another scope sends nothing', async () => {
  const company = await app.freshCompany();
  const sync = { container_id: 'a', url: fileWith(idsOf(1)) };
  for (const key of ['', 'bidwell_unknown', company.token])
    expect((await post('sync', { ...sync, api_key: key })).status).toBe(401);
  const other = await apiKeyOf(company, ['campaigns']);
  expect((await post('sync', { ...sync, api_key: other })).status).toBe(403);
  const made = await company.call('POST', '/api_tokens', {
    name: 'AppsFlyer',
    scopes: ['audience_sync'],
    expires_in_days: null,
  });
  expect(made.status).toBe(201);
  const { uuid, token } = made.data;
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.http.inject({ url: '/api/internal/audience', headers })).statusCode).toBe(403);
  await company.call('DELETE', `/api_tokens/${uuid}`);
  expect((await post('sync', { ...sync, api_key: token })).status).toBe(401);
  expect((await company.call('GET', '/audience')).data.audiences).toEqual([]);
});

test('a call that lacks something says what to send; a wrong key comes first', async () => {
  const { call } = await partnerOf(await app.freshCompany());
  const noFile = 'Send the address of a file of advertising ids, such as url_adid or url_adid_sha256';
  const cases: [call: string, body: object, field: string, message: string][] = [
    ['create', {}, 'name', 'Send the name of the audience, in name'],
    [
      'sync',
      { url: fileWith() },
      'container_id',
      'Send the id that the create call returned, in container_id',
    ],
    [
      'sync',
      { container_id: '', url: fileWith() },
      'container_id',
      'Send the id that the create call returned, in container_id',
    ],
    ['sync', { container_id: 'a' }, 'url', noFile],
    ['sync', { container_id: 'a', url: '' }, 'url', noFile],
    [
      'sync',
      { container_id: 'a', url_email_sha256: fileWith() },
      'url',
      `url_email_sha256: this network reads no such files. ${noFile}`,
    ],
    [
      'sync',
      { container_id: 'a', url_gaid: 'ftp://files.example/a' },
      'url_gaid',
      'Enter a URL that starts with https://',
    ],
    [
      'sync',
      { container_id: 'a', url: 'http://files.example/a' },
      'url',
      'Enter an address that starts with https://',
    ],
    [
      'sync',
      { container_id: 'a', url: `https://files.example/${'a'.repeat(5000)}` },
      'url',
      'An address has at most',
    ],
  ];
  for (const [name, body, field, message] of cases) {
    const { status, body: failure } = await call(name, body);
    expect([name, body, status, failure.errors?.[0]?.field]).toEqual([name, body, 422, field]);
    expect(failure.errors[0].message).toContain(message);
    expect((await post(name, { ...body, api_key: 'bidwell_unknown' })).status).toBe(401);
  }
  for (const body of [{}, { api_key: 7 }, { api_key: null }])
    expect(await post('validate', body)).toMatchObject({
      status: 401,
      body: { data: expect.stringContaining('The API key in api_key is not known') },
    });
});

test('the key of the installation goes to AppsFlyer alone', async () => {
  const theirs = 'https://audiencespull.appsflyer.com/{{PARTNER_PULL_KEY}}/a.csv?X-Amz-Expires=1';
  expect(withPullKey(theirs, 'k/1')).toBe('https://audiencespull.appsflyer.com/k%2F1/a.csv?X-Amz-Expires=1');
  expect(withPullKey(theirs.replace('{{', '%7B%7B').replace('}}', '%7d%7d'), 'k')).toContain('/k/a.csv');
  expect(withPullKey(theirs, null)).toBeNull();
  for (const host of [
    'http://audiencespull.appsflyer.com',
    'https://appsflyer.com.example',
    'https://x.example',
    'https://audiencespull.appsflyer.com:8443',
    'https://app.appsflyer.com',
    'https://impressions.appsflyer.com',
  ]) {
    const address = `${host}/{{PARTNER_PULL_KEY}}/a.csv`;
    expect(withPullKey(address, 'secret')).toBe(address);
  }
  const inQuery = 'https://audiencespull.appsflyer.com/a.csv?af_sub1={{PARTNER_PULL_KEY}}';
  expect(withPullKey(inQuery, 'secret')).toBe(inQuery);
  const company = await app.freshCompany();
  const { call } = await partnerOf(company);
  await call('sync', { container_id: 'a', url: theirs });
  const [{ uuid }] = (await company.call('GET', '/audience')).data.audiences;
  expect((await settled(company, uuid)).last_import.error).toContain('APPSFLYER_PULL_KEY');
});
