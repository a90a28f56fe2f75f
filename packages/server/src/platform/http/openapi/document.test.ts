import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import type { ApiDocument, Operation } from './page.ts';
import { keyEndpoints } from '@bidwell/contract/lib/key-calls';
import { documentOfCalls } from './document.ts';

const warnings: string[] = [];

process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const app = await testApp();
const { http } = app;

const read = async () => (await app.http.inject({ url: '/api/openapi.json' })).json<ApiDocument>();

test('the document is OpenAPI 3.1, and every call has a summary, its security and its errors', async () => {
  const document = await read();
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Bidwell API' } });
  const calls = Object.entries(document.paths!).flatMap(([path, item]) =>
    Object.entries(item).map(([method, call]) => ({ name: `${method} ${path}`, ...call })),
  );
  expect(calls.length).toBeGreaterThan(70);
  for (const { name, summary, tags, security, responses } of calls) {
    expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z]/)]);
    expect([name, tags?.length, Array.isArray(security)]).toEqual([name, 1, true]);
    expect([name, Object.values(responses!).every(({ description }) => description)]).toEqual([name, true]);
  }
});

test.each([
  ['/people', 'People'],
  ['/people/invitations', 'Invitations'],
  ['/alerts/channels', 'Alerts'],
  ['/sso/domains', 'Single sign-on'],
  ['/report-schedules', 'Scheduled reports'],
  ['/report-destinations', 'Scheduled reports'],
  ['/api_tokens', 'API keys'],
  ['/account/passkeys', 'Passkeys'],
  ['/account/sessions', 'Sessions'],
  ['/approval', 'Approvals'],
  ['/campaign_draft', 'Drafts'],
  ['/campaign_draft/{uuid}/comment', 'Comments'],
  ['/finance/invoices', 'Invoices'],
  ['/audience/{uuid}/ids', 'Audiences'],
  ['/partners/appsflyer/audiences/sync', 'Audiences'],
])('the page has %s under %s', async (path, group) => {
  const { body } = await app.http.inject({ url: '/api/docs' });
  const section = body.split('<section ').find((each) => each.includes(`<h2>${group}</h2>`));
  expect(section).toContain(`<code>/api/internal${path}</code>`);
});

test('the page says what the calls of a group have in common', async () => {
  const { body } = await app.http.inject({ url: '/api/docs' });
  const section = body.split('<section ').find((each) => each.includes('<h2>Audiences</h2>'));
  expect(section).toContain('<p>Lists of people by their advertising ids');
});

test('each named schema has an example', async () => {
  const document = await read();
  const nameless = Object.entries(document.components!.schemas!).filter(([, { examples }]) => !examples);
  expect(nameless.map(([name]) => name)).toEqual([]);
});

test('the page lists every call, with examples and without scripts', async () => {
  const document = await read();
  const page = await app.http.inject({ url: '/api/docs' });
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  for (const path of Object.keys(document.paths!)) expect(page.body).toContain(`<code>${path}</code>`);
  expect(page.body).toContain('com.example.harbormatch');
  expect(page.body).not.toContain('<script');
});

test('the page shows the fields of objects within objects, and leads from a schema to its fields', async () => {
  const { body } = await app.http.inject({ url: '/api/docs' });
  for (const field of ['approved_version.name', 'internal_creative.banner.uuid', 'errors[].field *'])
    expect(body).toContain(`<code>${field}`);
  expect(body).toContain('<td>number | null</td>');
  const links = new Set([...body.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id));
  expect([...links]).toEqual(expect.arrayContaining(['schemas', 'schema-App', 'schema-Campaign']));
  for (const id of links) expect(body).toContain(` id="${id}"`);
});

test('the document and its page are made once, however often they are requested', async () => {
  await Promise.all(['/api/openapi.json', '/api/docs'].map(async (url) => app.http.inject({ url })));
  const made = vi.spyOn(app.http, 'swagger');
  for (const url of ['/api/openapi.json', '/api/docs'])
    expect((await app.http.inject({ url })).statusCode).toBe(200);
  expect(made).not.toHaveBeenCalled();
});

test('the document is compressed once, for clients that read gzip', async () => {
  const get = async (encoding: string) =>
    app.http.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': encoding } });
  const plain = await get('br');
  expect(plain.headers['content-encoding']).toBeUndefined();
  const zipped = await get('gzip, deflate, br');
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
  expect((await get('gzip')).rawPayload).toEqual(zipped.rawPayload);
});

test('Fastify warns of no route', () => {
  expect(warnings.filter((warning) => warning.startsWith('Fastify'))).toEqual([]);
});

test('trackers, exchanges and files of the console are not in it', async () => {
  const paths = Object.keys((await read()).paths!);
  expect(paths.filter((path) => !/^\/api\/(internal|operator)\//.test(path))).toEqual([]);
});

test('the document of the calls that keys may make describes them as the server’s document does', async () => {
  const whole = (await http.inject({ url: '/api/openapi.json' })).json<ApiDocument>();
  const document = await documentOfCalls(keyEndpoints().map(({ endpoint }) => endpoint));
  const { paths, components } = JSON.parse(JSON.stringify(document)) as ApiDocument;
  const isOfKeys = ({ security = [] }: Operation) => security.some((each) => Object.hasOwn(each, 'apiToken'));
  const ofKeys = Object.entries(whole.paths!).flatMap(([path, item]) => {
    const calls = Object.entries(item).filter(([, call]) => isOfKeys(call));
    return calls.length === 0 ? [] : [[path, Object.fromEntries(calls)]];
  });
  expect(paths).toEqual(Object.fromEntries(ofKeys));
  expect(whole.components!.schemas).toMatchObject(components!.schemas!);
});
