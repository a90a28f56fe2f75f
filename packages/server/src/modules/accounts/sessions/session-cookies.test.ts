import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import { totpCode } from '../sign-in/totp.ts';
import { hashToken } from './access-tokens.ts';

const app = await testApp({ PUBLIC_URL: 'https://ads.example.com' });

async function post(path: string, payload: object, cookies: Record<string, string> = {}) {
  return app.http.inject({ method: 'POST', url: `/api/internal${path}`, payload, cookies });
}

async function loggedIn() {
  const company = await app.freshCompany();
  const { data: user } = await company.call('GET', `/users/${company.userId}`);
  const response = await post('/login', { login: user.login, password: 'correct horse' });
  return { company, response, refreshToken: cookieOf(response, '__Host-bidwell_refresh_token')!.value };
}

const cookieOf = (response: LightMyRequestResponse, expected: string) =>
  response.cookies.find(({ name }) => name === expected);

test('with https every cookie has the prefix that binds it to this host', async () => {
  const { response, refreshToken } = await loggedIn();
  const names = response.cookies.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(1);
  for (const cookie of response.cookies) {
    expect(cookie.name).toMatch(/^__Host-/);
    expect(cookie).toMatchObject({ secure: true, path: '/', sameSite: 'Strict' });
    expect(cookie.domain).toBeUndefined();
  }
  const renewed = await post('/refresh-token', {}, { '__Host-bidwell_refresh_token': refreshToken });
  expect(renewed.statusCode).toBe(200);
});

test("with https the operator's cookie is bound to it, and sent to the API of operators only", async () => {
  const credentials = { login: 'operator.cookie', password: 'a long passphrase' };
  await app.operator('POST', '/operators', { ...credentials, name: 'Operator', role: 'viewer' });
  const logIn = async (code?: string) =>
    app.admin.inject({ method: 'POST', url: '/api/operator/session', payload: { ...credentials, code } });
  const { secret } = (await logIn()).json().data;
  const response = await logIn(totpCode(secret, app.clock.now.getTime()));
  expect(response.cookies).toMatchObject([
    {
      name: '__Secure-bidwell_operator',
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
      path: '/api/operator',
    },
  ]);
});

test('a cookie that a sibling host could have set is ignored', async () => {
  const { refreshToken } = await loggedIn();
  for (const name of ['bidwell_refresh_token', 'bidwell_refresh'])
    expect((await post('/refresh-token', {}, { [name]: refreshToken })).statusCode).toBe(401);
});

test('a session with the old cookie name continues under the new one', async () => {
  const { refreshToken } = await loggedIn();
  // Tokens of earlier versions had no prefix.
  const old = 'a-token-of-the-version-before-this-one';
  await app.ctx.db
    .updateTable('refresh_tokens')
    .set({ token_hash: hashToken(old) })
    .where('token_hash', '=', hashToken(refreshToken))
    .execute();
  const renewed = await post('/refresh-token', {}, { bidwell_refresh: old, bidwell_session: '1' });
  expect(renewed.statusCode).toBe(200);
  expect(cookieOf(renewed, '__Host-bidwell_refresh_token')?.value).toMatch(/^v2\./);
  const removed = renewed.cookies.filter(({ value }) => value === '');
  expect(removed.map(({ name, path }) => `${name} ${path}`).toSorted()).toEqual([
    'bidwell_refresh /api/internal/logout',
    'bidwell_refresh /api/internal/refresh-token',
    'bidwell_session /',
  ]);
});

test('the response to a refresh tells the pages of the browser that it has arrived', async () => {
  const { refreshToken } = await loggedIn();
  for (const name of ['bidwell_refreshing', '__Host-bidwell_refreshing']) {
    // Spent the second time.
    const response = await post(
      '/refresh-token',
      {},
      { '__Host-bidwell_refresh_token': refreshToken, [name]: 'a' },
    );
    expect(cookieOf(response, name)).toMatchObject({ value: '', path: '/' });
    expect(cookieOf(response, name)!.expires!.getTime()).toBeLessThan(Date.now());
  }
});
