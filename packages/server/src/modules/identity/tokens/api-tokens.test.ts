import { expect, test } from 'vitest';
import { storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import type { ApiScope } from '@bidwell/contract/accounts/scope';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { appBody } from '@bidwell/testing/advertising';
import { insertMembership } from '../people/membership-store.ts';

const app = await testApp();

const range = { start_date: '2026-01-10', end_date: '2026-01-10' };

const highlights = '/v2/analytics/highlight?start_date=2026-01-10&end_date=2026-01-10';

const withToken = (
  token: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
) =>
  app.http.inject({
    method,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });

const DAY_MS = 86_400_000;

test('a script reads its company’s reports with an API token', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  await storeEvents(app.ctx, company.companyId, [{ at: '2026-01-10T12:00:00Z', kind: 'click' }]);
  await storeEvents(app.ctx, other.companyId, [{ at: '2026-01-10T12:00:00Z', kind: 'click' }]);
  const made = await company.call('POST', '/api_tokens', { name: 'Nightly report' });
  expect(made.status).toBe(201);
  expect(made.data.token).toMatch(/^bidwell_[\w-]{43}$/);
  expect(made.data.ending).toBe(made.data.token.slice(-4));
  const { token } = made.data;
  expect((await withToken(token, 'GET', highlights)).json().data.clicks.total).toBe(1);
  const levels = { ...range, levels: { os: '' } };
  expect((await withToken(token, 'POST', '/analytics/level', levels)).json().data.total.clicks).toBe(1);
  expect((await withToken(token, 'POST', '/analytics/bundle', range)).json().data.total.clicks).toBe(1);
  expect((await withToken(token, 'POST', '/analytics/export', levels)).body).toContain(
    'android,Android,0,1,',
  );
  expect((await withToken(token, 'GET', '/analytics/events?date=2026-01-10')).body.split('\n')).toHaveLength(
    3,
  );
});

test('the list shows the names and the last use of tokens, never their secrets', async () => {
  const company = await app.freshCompany();
  const { data: made } = await company.call('POST', '/api_tokens', { name: ' Script ' });
  const list = async () => (await company.call('GET', '/api_tokens')).data.api_tokens;
  expect(await list()).toMatchObject([{ uuid: made.uuid, name: 'Script', last_used_at: null }]);
  await withToken(made.token, 'GET', highlights);
  expect((await list())[0].last_used_at).toBe(app.clock.now.toISOString());
  expect(JSON.stringify(await list())).not.toContain(made.token);
  const { rows } = await app.ctx.db
    .selectFrom('api_tokens')
    .selectAll()
    .where('uuid', '=', made.uuid)
    .execute()
    .then((all) => ({ rows: JSON.stringify(all) }));
  expect(rows).not.toContain(made.token.slice('bidwell_'.length));
  const { data: log } = await company.call('GET', `/company/${company.companyId}/changes`);
  expect(log.changes[0]).toMatchObject({ entity_type: 'api_token', entity_name: 'Script', action: 'create' });
  expect(JSON.stringify(log)).not.toContain(made.token);
});

test('a token can only read reports', async () => {
  const company = await app.freshCompany();
  const { data } = await company.call('POST', '/api_tokens', { name: 'Script' });
  const rejected = [
    await withToken(data.token, 'GET', '/campaign'),
    await withToken(data.token, 'POST', '/campaign', { name: 'Mine' }),
    await withToken(data.token, 'GET', '/finance/balance'),
    await withToken(data.token, 'GET', '/api_tokens'),
    await withToken(data.token, 'POST', '/api_tokens', { name: 'Another' }),
    await withToken(data.token, 'DELETE', `/api_tokens/${data.uuid}`),
  ];
  expect(rejected.map(({ statusCode }) => statusCode)).toEqual(rejected.map(() => 401));
  expect(rejected[0]!.json().data).toBe('An API token reads reports and nothing else.');
});

test('a revoked token is rejected at once; other companies cannot revoke it', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const { data } = await company.call('POST', '/api_tokens', { name: 'Script' });
  expect((await other.call('DELETE', `/api_tokens/${data.uuid}`)).status).toBe(404);
  expect((await withToken(data.token, 'GET', highlights)).statusCode).toBe(200);
  expect((await company.call('DELETE', `/api_tokens/${data.uuid}`)).data).toEqual({ revoked: true });
  expect((await withToken(data.token, 'GET', highlights)).statusCode).toBe(401);
  expect((await company.call('DELETE', `/api_tokens/${data.uuid}`)).status).toBe(404);
  expect((await company.call('GET', '/api_tokens')).data.api_tokens).toEqual([]);
  expect((await withToken('bidwell_unknown', 'GET', highlights)).statusCode).toBe(401);
});

test('a token has its own rate limits for reports and exports, a user has none', async () => {
  const company = await app.freshCompany();
  const [{ data: one }, { data: two }] = [
    await company.call('POST', '/api_tokens', { name: 'One' }),
    await company.call('POST', '/api_tokens', { name: 'Two' }),
  ];
  // Invalid calls count, too.
  for (let n = 0; n < 60; n += 1)
    expect((await withToken(one.token, 'GET', '/v2/analytics/highlight')).statusCode).toBe(422);
  const limited = await withToken(one.token, 'GET', highlights);
  expect(limited.statusCode).toBe(429);
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect(limited.json().data).toBe('An API token may ask for 60 reports a minute. Please wait a moment.');
  expect((await withToken(one.token, 'POST', '/analytics/bundle', range)).statusCode).toBe(429);
  expect((await withToken(one.token, 'GET', '/analytics/events?date=2026-01-10')).statusCode).toBe(200);
  expect((await withToken(two.token, 'GET', highlights)).statusCode).toBe(200);
  expect((await company.call('GET', highlights)).status).toBe(200);
});

test('the name of a token is required and short, and a company has at most fifty tokens', async () => {
  const company = await app.freshCompany();
  expect(await company.call('POST', '/api_tokens', { name: ' ' })).toMatchObject({
    status: 422,
    errors: [{ field: 'name', message: 'Required' }],
  });
  expect((await company.call('POST', '/api_tokens', { name: 'x'.repeat(51) })).status).toBe(422);
  for (let n = 0; n < 50; n += 1) await company.call('POST', '/api_tokens', { name: `Script ${n}` });
  expect((await company.call('POST', '/api_tokens', { name: 'One more' })).status).toBe(409);
});

/** Makes calls with a new key of a company. */
async function programOf(
  company: Awaited<ReturnType<typeof app.freshCompany>>,
  scopes: readonly ApiScope[],
  more: object = {},
) {
  const made = await company.call('POST', '/api_tokens', { name: 'Nightly', scopes, ...more });
  const call = async (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    payload?: object,
    remoteAddress = '',
  ) => {
    const headers = { authorization: `Bearer ${made.data.token}` };
    const url = `/api/internal${path}`;
    const response = await app.http.inject({
      method,
      url,
      headers,
      ...(payload && { payload }),
      ...(remoteAddress && { remoteAddress }),
    });
    return { status: response.statusCode, data: response.json().data, headers: response.headers };
  };
  return { key: made.data, call };
}

test('a key creates and changes the entities of its scope, and the change log names the key and its person', async () => {
  const company = await app.freshCompany();
  const { call } = await programOf(company, ['campaigns']);
  const name = 'App of a program';
  const { status } = await call('POST', '/app', {
    name,
    os: 'android',
    store_link: 'https://play.google.com/store/apps/details?id=com.example.app',
    bundle_id: 'com.example.app',
    mobile_measurement_partner: 'adjust',
    iab_category: 'IAB9',
    advertiser_domain: 'example.com',
  });
  expect(status).toBe(201);
  expect((await call('GET', '/app')).data.apps).toMatchObject([{ name }]);
  const { data: log } = await company.call('GET', `/company/${company.companyId}/changes`);
  expect(log.changes[0]).toMatchObject({ entity_name: name, author: 'Test Er (API key Nightly)' });
  expect(log.changes[1]).toMatchObject({ entity_name: 'Nightly', author: 'Test Er' });
  const settings = await programOf(company, ['settings']);
  expect((await settings.call('GET', '/postbacks')).data.secret).toEqual(expect.any(String));
});

test('a key works while its person may make one in its own company, whatever their role in another one', async () => {
  const company = await app.freshCompany();
  const { userId, ...person } = await app.freshPerson(company, 'owner');
  const other = await app.freshCompany();
  await insertMembership(app.ctx.db, other.companyId, { userId, role: 'owner', at: app.clock.now });
  const { call } = await programOf({ userId, ...person }, ['campaigns']);
  expect((await call('POST', '/app', appBody())).status).toBe(201);
  // As if the key had been made while they were removed, which revokes the keys that there are.
  await app.ctx.db
    .deleteFrom('memberships')
    .where('company_uuid', '=', company.companyId)
    .where('user_uuid', '=', userId)
    .execute();
  expect((await call('POST', '/app', appBody())).status).toBe(401);
});

test('a call beyond the scopes is 403 and names the scopes that would allow it, and one on sign-in, people and keys says that no key may', async () => {
  const company = await app.freshCompany();
  const { call } = await programOf(company, ['read', 'creatives']);
  expect(await call('POST', '/campaign', {})).toMatchObject({
    status: 403,
    data: 'This API key lacks the scope that this call needs: campaigns. Make a key that has it on the profile.',
  });
  for (const path of ['/api_tokens', '/people/invitations', '/people/leave'])
    expect([path, await call('POST', path, {})]).toMatchObject([
      path,
      { status: 403, data: accountApiMessages.keyForPeopleOnly },
    ]);
  expect((await call('GET', '/companies')).data.companies).toMatchObject([{ uuid: company.companyId }]);
});

test('a key expires: in ninety days unless said otherwise, in a year at most, and never only where it reads', async () => {
  const company = await app.freshCompany();
  const start = app.clock.now.getTime();
  const daysOf = ({ expires_at: at }: { expires_at: string }) => (Date.parse(at) - start) / DAY_MS;
  expect(daysOf((await programOf(company, ['campaigns'])).key)).toBe(90);
  const { key, call } = await programOf(company, ['campaigns'], { expires_in_days: 2 });
  expect(daysOf(key)).toBe(2);
  const rejected = async (scopes: ApiScope[], days: number | null) =>
    company.call('POST', '/api_tokens', { name: 'Key', scopes, expires_in_days: days });
  expect((await rejected(['read'], 366)).status).toBe(422);
  expect(await rejected(['read', 'creatives'], null)).toMatchObject({
    status: 422,
    errors: [{ field: 'expires_in_days', message: accountMessages.keyNeedsExpiry }],
  });
  const forever = await programOf(company, ['read', 'reports'], { expires_in_days: null });
  expect(forever.key.expires_at).toBeNull();
  const read = () => call('GET', '/campaign');
  expect((await app.after(2 * DAY_MS - 1, read)).status).toBe(200);
  const expired = { status: 401, data: accountApiMessages.keyExpired };
  expect(await app.after(2 * DAY_MS, read)).toMatchObject(expired);
  expect((await app.after(2 * DAY_MS, () => forever.call('GET', '/campaign'))).status).toBe(200);
  const listed = (await company.call('GET', '/api_tokens')).data.api_tokens;
  expect(listed.map(({ name }: { name: string }) => name)).toHaveLength(3);
});

test('a key is read as it is pasted, and an unknown key is reported as such', async () => {
  const { key } = await programOf(await app.freshCompany(), ['read']);
  const answerTo = async (authorization: string) => {
    // Programs send UTF-8, and each byte arrives as a character.
    const headers = { authorization: Buffer.from(authorization).toString('latin1') };
    const response = await app.http.inject({ url: '/api/internal/campaign', headers });
    return [response.statusCode, response.json().data];
  };
  for (const header of [
    `bearer  ${key.token} `,
    `Bearer\t${key.token}`,
    `Bearer\u00A0${key.token}\u00A0`,
    `Bearer ${key.token}\u200B`,
    `\uFEFFBearer \u200E${key.token}\u202C`,
    `Bearer "${key.token}"`,
  ])
    expect([header, (await answerTo(header))[0]]).toEqual([header, 200]);
  for (const header of [
    `Bearer ${key.token}x`,
    `Bearer ${key.token.slice(0, -1)}`,
    `Bearer ${key.token} ${key.token}`,
    key.token,
    `Token ${key.token}`,
    `Bearer bidwell_${'x'.repeat(9000)}`,
  ])
    expect([header, await answerTo(header)]).toEqual([header, [401, accountApiMessages.keyUnknown]]);
  for (const header of ['', 'Bearer ', 'Bearer x', 'Basic eDp5'])
    expect([header, await answerTo(header)]).toEqual([header, [401, accountMessages.logInFirst]]);
});

test('a key without scopes reads reports; one with none, or an unknown one, is rejected', async () => {
  const company = await app.freshCompany();
  expect((await company.call('POST', '/api_tokens', { name: 'Key' })).data.scopes).toEqual(['reports']);
  expect(await company.call('POST', '/api_tokens', { name: 'Key', scopes: [] })).toMatchObject({
    status: 422,
    errors: [{ field: 'scopes', message: accountMessages.keyNeedsScope }],
  });
  expect((await company.call('POST', '/api_tokens', { name: 'Key', scopes: ['all'] })).status).toBe(422);
});

test('the list names scopes, person, end and the time and address of the last use, accurate to a minute', async () => {
  const company = await app.freshCompany();
  const { call } = await programOf(company, ['creatives', 'read']);
  const listed = async () => (await company.call('GET', '/api_tokens')).data.api_tokens[0];
  expect(await listed()).toMatchObject({ scopes: ['read', 'creatives'], created_by: 'Test Er' });
  expect(await listed()).toMatchObject({ last_used_at: null, last_used_address: null });
  const used = { last_used_at: app.clock.now.toISOString(), last_used_address: '203.0.113.7' };
  const readFrom = (address: string) => () => call('GET', '/campaign', undefined, address);
  await readFrom('203.0.113.7')();
  await app.after(60_000, readFrom('203.0.113.8'));
  expect(await listed()).toMatchObject(used);
  await app.after(60_001, readFrom('2001:db8:1:2:3:4:5:6'));
  expect((await listed()).last_used_address).toBe('2001:db8:1:2::');
});

test('a key may make as many calls a minute as it was made for, rejected ones included', async () => {
  const company = await app.freshCompany();
  const { call } = await programOf(company, ['campaigns'], { calls_per_minute: 3 });
  expect((await call('GET', '/campaign')).status).toBe(200);
  expect((await call('GET', '/finance/balance')).status).toBe(403);
  expect((await call('GET', '/campaign')).status).toBe(200);
  const limited = await call('GET', '/campaign');
  expect(limited).toMatchObject({ status: 429, data: accountApiMessages.keyRate(3) });
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  const other = await programOf(company, ['campaigns']);
  expect((await other.call('GET', '/campaign')).status).toBe(200);
  const input = { name: 'Key', calls_per_minute: 6001 };
  expect((await company.call('POST', '/api_tokens', input)).status).toBe(422);
});

test('a company has 50 keys, also when more are made at once', async () => {
  const company = await app.freshCompany();
  const made = await Promise.all(
    Array.from({ length: 60 }, async () =>
      company.call('POST', '/api_tokens', { name: 'Key', scopes: ['read'] }),
    ),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
  expect((await company.call('GET', '/api_tokens')).data.api_tokens).toHaveLength(50);
});
