import { CONSOLE_API, type Endpoint } from '@bidwell/contract/lib/endpoint';
import { expect, test } from 'vitest';
import { changesOf } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const HOUR_MS = 3_600_000;

const prepare = async ({ companyId }: TestCompany): Promise<string> => {
  const { data } = await app.operator('POST', `/companies/${companyId}/viewer_sessions`);
  return data.address;
};
const open = (address: string) =>
  app.http.inject({
    method: 'POST',
    url: '/api/internal/viewer_session',
    payload: { code: address.split('#')[1] },
  });
const view = async (company: TestCompany) => (await open(await prepare(company))).json().data;
const send = (token: string, method: Endpoint['method'], path: string, payload?: object) =>
  app.http.inject({
    method,
    url: CONSOLE_API + path,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });

test('it reads the same as the company, without its secrets', async () => {
  const company = await app.freshCompany();
  const { access_token: token, user_id: userId } = await view(company);
  expect(userId).toBe(company.userId);
  for (const path of [`/users/${userId}`, '/campaign', '/finance/balance', '/notifications', '/api_tokens'])
    expect((await send(token, 'GET', path)).statusCode).toBe(200);
  const own = (await company.call('GET', '/postbacks')).data;
  const shown = await send(token, 'GET', '/postbacks');
  expect(shown.statusCode).toBe(200);
  expect(shown.body).not.toContain(own.secret);
});

test('it cannot be renewed or become another session', async () => {
  const company = await app.freshCompany();
  const address = await prepare(company);
  const opened = await open(address);
  expect(opened.headers['set-cookie']).toBeUndefined();
  const { access_token: token } = opened.json().data;
  const refreshed = await send(token, 'POST', '/refresh-token');
  expect([refreshed.statusCode, refreshed.cookies.filter(({ value }) => value !== '')]).toEqual([401, []]);
  expect((await send(token, 'POST', '/api_tokens', { name: 'Mine' })).statusCode).toBe(403);
  const password = { password: 'another horse', password_confirmation: 'another horse' };
  expect((await send(token, 'PUT', `/users/${company.userId}`, password)).statusCode).toBe(403);
  // An operator's call does not take it either.
  const asOperator = await app.http.inject({
    url: '/api/operator/companies',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(asOperator.statusCode).toBe(401);
});

test('the code works once, within a minute', async () => {
  const company = await app.freshCompany();
  const address = await prepare(company);
  expect((await open(address)).statusCode).toBe(200);
  expect((await open(address)).statusCode).toBe(401);
  const late = await prepare(company);
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  expect((await open(late)).statusCode).toBe(401);
});

test('it ends after an hour, at its end, and when the operator gets another role', async () => {
  const company = await app.freshCompany();
  const reads = async (token: string) => (await send(token, 'GET', '/campaign')).statusCode;
  const { access_token: old, expires_at: expiresAt } = await view(company);
  expect(Date.parse(expiresAt) - app.clock.now.getTime()).toBe(HOUR_MS);
  app.clock.now = new Date(app.clock.now.getTime() + HOUR_MS - 1000);
  expect(await reads(old)).toBe(200);
  app.clock.now = new Date(app.clock.now.getTime() + 2000);
  expect(await reads(old)).toBe(401);

  const { access_token: ended } = await view(company);
  expect(await reads(ended)).toBe(200);
  expect((await send(ended, 'DELETE', '/viewer_session')).statusCode).toBe(200);
  expect(await reads(ended)).toBe(401);

  const { headers, uuid } = await app.freshOperator('moderator');
  const prepared = await app.http.inject({
    method: 'POST',
    url: `/api/operator/companies/${company.companyId}/viewer_sessions`,
    headers,
  });
  const { access_token: token } = (await open(prepared.json().data.address)).json().data;
  expect(await reads(token)).toBe(200);
  const unopened = await app.http.inject({
    method: 'POST',
    url: `/api/operator/companies/${company.companyId}/viewer_sessions`,
    headers,
  });
  await app.operator('PATCH', `/operators/${uuid}`, { role: 'finance' });
  expect(await reads(token)).toBe(401);
  expect((await open(unopened.json().data.address)).statusCode).toBe(401);
});

test('the company and the log of operators see who viewed it and when; other roles may not', async () => {
  const company = await app.freshCompany();
  const path = `/api/operator/companies/${company.companyId}/viewer_sessions`;
  for (const role of ['finance', 'viewer'] as const) {
    const { headers } = await app.freshOperator(role);
    expect((await app.http.inject({ method: 'POST', url: path, headers })).statusCode).toBe(403);
  }
  const { headers, login } = await app.freshOperator('admin');
  expect((await app.http.inject({ method: 'POST', url: path, headers })).statusCode).toBe(201);
  const [change] = await changesOf(app, company, company.companyId);
  expect(change).toMatchObject({ author: 'Operator', action: 'view', entity_type: 'company' });
  expect(change?.fields).toContainEqual({ field: 'operator', before: null, after: login });
  expect(change?.fields).toContainEqual({ field: 'viewed_as', before: null, after: company.login });
  const { acts } = (await app.operator('GET', `/acts?company_uuid=${company.companyId}`)).data;
  expect(acts[0]).toMatchObject({ operator: login, action: 'Viewed', entity: 'company' });
});
