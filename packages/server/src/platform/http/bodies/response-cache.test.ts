import { randomUUID } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { appBody, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { countStatements } from '@bidwell/testing/engines/statements';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { createResponseCache } from './response-cache.ts';

const app = await testApp();

/** Statements of every call: the check of its session, and the company's version. */
const QUERIED_ALWAYS = 2;

interface Named {
  name: string;
  status?: string;
}

async function namesOf(company: TestCompany, path = '/app'): Promise<string[]> {
  const { data } = await company.call('GET', path);
  return Object.values(data as Record<string, Named[]>)[0]!.map(({ name }) => name);
}

function fetchList(company: TestCompany, path: string, encodings: string) {
  return app.http.inject({
    method: 'GET',
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${company.token}`, 'accept-encoding': encodings },
  });
}

test('a repeated list is served from memory, and read again after any change in it', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/app', appBody({ name: 'Puzzle' }));
  const list = () => company.call('GET', '/target');
  await list();
  expect(await countStatements(app.ctx, list)).toBe(QUERIED_ALWAYS);
  await company.call('PUT', `/app/${uuid}`, { name: 'Puzzle Two' });
  expect(await countStatements(app.ctx, list)).toBeGreaterThan(QUERIED_ALWAYS);
  expect(await namesOf(company)).toEqual(['Puzzle Two']);
});

test('a list shows changes by others: of an operator, and of an entity it only references', async () => {
  const company = await app.freshCompany();
  const parts = await makeAdsetParts(app, company);
  const appUuid = await make(company, '/app', appBody({ name: 'Waiting', bundle_id: 'com.example.waiting' }));
  expect((await company.call('GET', '/app')).data.apps[0].status).toBe('Moderation');
  await app.operator('POST', `/apps/${appUuid}/decision`, { status: 'Approved' });
  expect((await company.call('GET', '/app')).data.apps[0].status).toBe('Approved');

  const ofTarget = async () => (await company.call('GET', '/target')).data.targets[0].app.name as string;
  await ofTarget();
  await company.call('PUT', `/app/${parts.appUuid}`, { name: 'Renamed' });
  expect(await ofTarget()).toBe('Renamed');
});

test('a rejected change leaves the list as it is', async () => {
  const company = await app.freshCompany();
  await make(company, '/app', appBody({ name: 'Puzzle' }));
  const list = () => company.call('GET', '/app');
  await list();
  expect((await company.call('POST', '/app', appBody({ name: '' }))).status).toBe(422);
  expect(await countStatements(app.ctx, list)).toBe(QUERIED_ALWAYS);
});

test('cached responses are separate for each company and address', async () => {
  const [one, other] = [await app.freshCompany(), await app.freshCompany()];
  await make(one, '/app', appBody({ name: 'Mine' }));
  expect(await namesOf(one)).toEqual(['Mine']);
  expect(await namesOf(other)).toEqual([]);
  expect(await namesOf(one, '/app?end_date=2000-01-02')).toEqual([]);
  expect(await namesOf(one)).toEqual(['Mine']);
});

test('a client that accepts Brotli gets the same list, compressed', async () => {
  const company = await app.freshCompany();
  for (const number of [1, 2, 3])
    await make(
      company,
      '/app',
      appBody({ bundle_id: `com.example.puzzle${number}`, description: 'Rows, colours. '.repeat(12) }),
    );
  const list = (encodings: string) => fetchList(company, '/app', encodings);
  const [plain, compressed] = [await list('identity'), await list('gzip, deflate, br')];
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(compressed.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(compressed.headers.vary).toMatch(/accept-encoding/i);
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(plain.body);
  expect((await list('br;q=0, gzip')).headers['content-encoding']).toBe('gzip');
});

test('concurrent requests share one read', async () => {
  const company = await app.freshCompany();
  await make(company, '/app', appBody({ name: 'Puzzle' }));
  await namesOf(company);
  const warm = () =>
    Promise.all(Array.from({ length: 5 }, () => namesOf(company, '/app?end_date=2100-01-01')));
  // One read of the list.
  expect(await countStatements(app.ctx, warm)).toBe(5 * QUERIED_ALWAYS + 1);
});

test('a list of ad sets with long bundle lists is read only where there is memory for it, also the first time', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const bundles = Array.from(
    { length: 4000 },
    (_, index) => `com.example.${String(index).padStart(80, '0')}`,
  );
  await make(company, '/adset', { ...body, black_list_bundles: bundles });
  // Compressed it is short.
  const statusOf = async (path: string) => (await fetchList(company, path, 'br')).statusCode;
  const taken = app.ctx.responseMemory.take('another company', app.ctx.config.responsesMaxBytes);
  expect(await statusOf('/adset')).toBe(503);
  // It has no ad sets.
  expect(await statusOf(`/adset?campaign_id=${randomUUID()}`)).toBe(200);
  taken();
  expect(await statusOf('/adset')).toBe(200);
});

test('a very long response is sent, and evicts no others', async () => {
  const cache = createResponseCache();
  const context = (response: string) => ({ context: async () => response });
  await cache.forceFetch('short', context('mine'));
  for (let n = 0; n < 20; n += 1)
    expect(await cache.forceFetch(`long ${n}`, context('x'.repeat(5 * 1024 * 1024)))).toHaveLength(5242880);
  expect([...cache.keys()]).toEqual(['short']);
});
