import { CONSOLE_API, type Endpoint, OPERATOR_API } from '@bidwell/contract/lib/endpoint';
import { type EntityVersion, versionOf } from '@bidwell/contract/lib/version';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { type Body, type Call, type Case, freshAddress } from '@bidwell/testing/api-cases/case';
import { apiCases } from '@bidwell/testing/api-cases';
import { consoleEndpoints, operatorEndpoints } from '@bidwell/testing/console-endpoints';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';

const app = await testApp({
  MODERATION: 'auto',
  LOG_LEVEL: 'error',
  // Nothing listens there: mails fail in the background.
  SMTP_URL: 'smtp://127.0.0.1:9',
});
const cases = apiCases(app);

/** One call that changes or deletes an entity, and takes its version. */
interface Change {
  name: string;
  prefix: string;
  endpoint: Endpoint & { version: NonNullable<Endpoint['version']> };
  scenario: Case;
}

const endpoints = [
  ...(await consoleEndpoints()).map((endpoint) => ({ endpoint, prefix: CONSOLE_API })),
  ...(await operatorEndpoints()).map((endpoint) => ({ endpoint, prefix: OPERATOR_API })),
];
const nameOf = ({ endpoint: { method, path }, prefix }: (typeof endpoints)[number]) =>
  `${method} ${prefix}${path.replaceAll(/:(\w+)/g, '{$1}')}`;
const changes = endpoints
  .filter(({ endpoint: { version, method } }) => version && method !== 'GET' && method !== 'POST')
  .map((each) => ({ ...each, name: nameOf(each), scenario: cases[nameOf(each)]! }) as Change);

const refused = { data: apiMessages.outdated };

test.each(changes.map((change) => [change.name, change] as const))(
  '%s changes only the version that If-Match names',
  async (_name, change) => {
    const { endpoint, scenario } = change;
    const company = await app.freshCompany();
    const good = await scenario.good(company);
    const send = async (call: Call, ifMatch?: string, method = endpoint.method) =>
      app.http.inject(
        requestOf(
          change,
          company,
          { ...call, path: call.path.replace('/users/me', `/users/${company.userId}`) },
          ifMatch,
          method,
        ),
      );

    // An entity that does not exist yet has no version.
    let tag = await tagBefore(change, good, send);
    if (tag === null) {
      expect((await send(good, '*')).statusCode).toBe(412);
      tag = (await send(good)).headers['etag'] as string;
    }
    for (const other of ['"0000000000000000"', `W/${tag}`]) {
      const response = await send(good, other);
      expect([response.statusCode, response.json()]).toEqual([412, refused]);
    }
    expect((await send(good, tag.replaceAll('"', ''))).statusCode).toBe(400);
    expect(await tagBefore(change, good, send)).toBe(tag);

    const other = { ...good, body: changed(good.body) };
    const both = await Promise.all([send(other, tag), send(other, `"0000000000000000", ${tag}`)]);
    const statuses = both.map(({ statusCode }) => statusCode).sort();
    if (endpoint.method === 'DELETE') {
      expect(statuses[0]).toBe(200);
      // The single sign-on that is removed twice has none after either.
      if (endpoint.path !== '/sso') expect([404, 409, 412]).toContain(statuses[1]);
      return;
    }
    expect(statuses).toEqual([200, 412]);
    const winner = both.find(({ statusCode }) => statusCode === 200)!;
    // The response of the change has the version for the next one.
    const next = winner.headers['etag'] as string;
    expect(next).not.toBe(tag);
    expect(await tagBefore(change, good, send)).toBe(next);
    expect((await send(good, next)).statusCode).toBe(200);
    expect((await send(other, '*')).statusCode).toBe(200);
  },
);

test('calls that compare nothing refuse If-Match, and calls that read ignore it', async () => {
  const { call } = await app.freshCompany();
  const ifMatch = { 'if-match': '*' };
  const uuids = { uuids: ['01890000-0000-7000-8000-000000000000'] };
  expect(await call('DELETE', '/app/batch', uuids, ifMatch)).toMatchObject({
    status: 400,
    data: apiMessages.ifMatchNotTaken,
  });
  expect((await call('GET', '/target', undefined, ifMatch)).status).toBe(200);
});

test('a PUT with If-None-Match only creates: of two at once one does, and nothing that is there is changed', async () => {
  const { companyId } = await app.freshCompany();
  const slug = `x${companyId.replaceAll('-', '').slice(-12)}`;
  const put = async (name: string, headers: Record<string, string>) =>
    app.operator('PUT', `/ssps/${slug}`, { name }, headers);
  const creating = { 'if-none-match': '*' };
  const both = await Promise.all([put('One', creating), put('Two', creating)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const winner = both.find(({ status }) => status === 200)!;
  expect(await put('Three', creating)).toMatchObject({ status: 412, data: apiMessages.outdated });
  expect((await put('Three', { 'if-none-match': winner.headers['etag'] as string })).status).toBe(400);
  expect((await app.operator('GET', '/ssps')).data.ssps).toContainEqual(
    expect.objectContaining({ slug, name: winner.data.name }),
  );
  expect((await put('Three', { 'if-match': winner.headers['etag'] as string })).status).toBe(200);
});

test('faults of the call itself are reported before its version', async () => {
  const company = await app.freshCompany();
  const other = { 'if-match': '"0000000000000000"' };
  const missing = '/target/01890000-0000-7000-8000-000000000000';
  expect((await company.call('PUT', missing, { name: 'New' }, other)).status).toBe(404);
  expect((await company.call('PUT', missing, { name: 5 }, other)).status).toBe(422);
  const viewer = await app.freshPerson(company, 'analyst');
  expect((await viewer.call('PUT', missing, { name: 'New' }, other)).status).toBe(403);
});

test('a repeated operator’s change is answered again, and one of another version is another request', async () => {
  const { companyId } = await app.freshCompany();
  const path = `/companies/${companyId}`;
  const { etag } = (await app.operator('GET', path)).headers;
  const change = (ifMatch: string, key: string, notes = 'New') =>
    app.operator('PATCH', path, { notes }, { 'if-match': ifMatch, 'idempotency-key': `${key}-${companyId}` });
  const first = await change(etag as string, 'one');
  expect(first.status).toBe(200);
  expect(await change(etag as string, 'one')).toMatchObject({
    status: 200,
    data: first.data,
    headers: { etag: first.headers['etag'], 'idempotent-replayed': 'true' },
  });
  expect((await change(first.headers['etag'] as string, 'one')).status).toBe(409);
  // A refused change leaves its key free.
  expect((await change(etag as string, 'two', 'Newer')).status).toBe(412);
  expect((await change(first.headers['etag'] as string, 'two', 'Newer')).status).toBe(200);
});

type Send = (call: Call, ifMatch?: string, method?: Endpoint['method']) => Promise<LightMyRequestResponse>;

/** The ETag of the entity that a call changes, from the call that reads it or from its list; null where there is none. */
async function tagBefore({ endpoint, prefix }: Change, { path }: Call, send: Send): Promise<string | null> {
  const parentOf = (address: string) => address.slice(0, address.lastIndexOf('/'));
  const readAt = (address: string) =>
    endpoints.some(
      (each) =>
        each.prefix === prefix &&
        each.endpoint.method === 'GET' &&
        each.endpoint.version === endpoint.version &&
        each.endpoint.path === address,
    );
  const own = readAt(endpoint.path) ? path : readAt(parentOf(endpoint.path)) ? parentOf(path) : null;
  if (own !== null) {
    const read = await send({ path: own }, undefined, 'GET');
    return read.statusCode === 200 ? (read.headers['etag'] as string) : null;
  }
  const list = lists[endpoint.path] ?? parentOf(path);
  const id = path.slice(path.lastIndexOf('/') + 1);
  const listed = await send({ path: list }, undefined, 'GET');
  const entity = entityIn(endpoint.version, listed.json().data, id);
  return entity && `"${versionOf(endpoint.version, entity)}"`;
}

/** Lists of entities that are not above the entity's own path. */
const lists: Record<string, string> = {
  '/creative/:uuid': '/internal_creative',
  '/creative_group/:uuid': '/internal_creative_group',
  '/skadnetwork/networks/:id': '/skadnetwork',
  '/company/:uid': '/users/me',
};

/** The entity within a list that has an id. */
function entityIn(version: EntityVersion, value: unknown, id: string): object | null {
  if (typeof value !== 'object' || value === null) return null;
  const { uuid, slug, currency, id: own, mmp, internal_creative } = value as Record<string, unknown>;
  const asset = (internal_creative as { uuid?: string } | undefined)?.uuid;
  const isNamed = [uuid, slug, currency, own, mmp, asset].includes(id);
  if (isNamed && version.schema.safeParse(value).success) return value;
  for (const part of Object.values(value)) {
    const found = entityIn(version, part, id);
    if (found) return found;
  }
  return null;
}

/** A body with another valid value in one of its fields. */
function changed(body: Body | undefined): Body {
  for (const [field, value] of Object.entries(body ?? {})) {
    if (others[field]) return { ...body, [field]: others[field] };
    if (typeof value === 'boolean') return { ...body, [field]: !value };
    if (typeof value === 'number') return { ...body, [field]: value + 1 };
  }
  return body ?? {};
}

const others: Body = {
  name: 'Other',
  role: 'finance',
  instructions: 'By card.',
  legal_name: 'Other',
  networks: ['203.0.113.9'],
  suspended: true,
  rules: [
    {
      window: 0,
      fine_from: 0,
      fine_to: 0,
      coarse: null,
      event: 'level',
      revenue_from: null,
      revenue_to: null,
    },
  ],
};

function requestOf(
  { prefix }: Change,
  company: TestCompany,
  { path, body }: Call,
  ifMatch: string | undefined,
  method: string,
): InjectOptions {
  const token = prefix === OPERATOR_API ? app.ctx.config.operatorToken : company.token;
  return {
    method: method as 'PUT',
    url: prefix + path,
    remoteAddress: freshAddress(),
    headers: { authorization: `Bearer ${token}`, ...(ifMatch && { 'if-match': ifMatch }) },
    ...(body && method !== 'GET' && { payload: body }),
  };
}
