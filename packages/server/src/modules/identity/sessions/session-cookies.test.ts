import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import { totpCode } from '../sign-in/totp.ts';

const app = await testApp({ PUBLIC_URL: 'https://ads.example.com' });

async function post(path: string, payload: object, cookies: Record<string, string> = {}) {
  return app.http.inject({ method: 'POST', url: `/api/internal${path}`, payload, cookies });
}

async function loggedIn() {
  const company = await app.freshCompany();
  const response = await post('/login', { login: company.login, password: 'correct horse' });
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

test("with https the operator's cookie is bound to this host, and counts under that name only", async () => {
  const credentials = { login: 'operator.cookie', password: 'a long passphrase' };
  await app.operator('POST', '/operators', { ...credentials, name: 'Operator', role: 'viewer' });
  const logIn = async (code?: string) =>
    app.admin.inject({ method: 'POST', url: '/api/operator/session', payload: { ...credentials, code } });
  const { secret } = (await logIn()).json().data;
  const response = await logIn(totpCode(secret, app.clock.now.getTime()));
  expect(response.cookies).toMatchObject([
    { name: '__Host-bidwell_operator', secure: true, httpOnly: true, sameSite: 'Strict', path: '/' },
  ]);
  const statusWith = async (name: string) => {
    const cookies = { [name]: response.cookies[0]!.value };
    return (await app.admin.inject({ url: '/api/operator/session', cookies })).statusCode;
  };
  expect(await statusWith('__Host-bidwell_operator')).toBe(200);
  for (const name of ['bidwell_operator', '__Secure-bidwell_operator'])
    expect(await statusWith(name)).toBe(401);
});

test('a cookie that a sibling host could have set is ignored', async () => {
  const { refreshToken } = await loggedIn();
  for (const name of ['bidwell_refresh_token', 'bidwell_refresh'])
    expect((await post('/refresh-token', {}, { [name]: refreshToken })).statusCode).toBe(401);
});

test('a logout that a sibling host reports ends no session', async () => {
  const { company, refreshToken } = await loggedIn();
  const own = { '__Host-bidwell_refresh_token': refreshToken };
  for (const mark of ['1', 'everywhere']) {
    const url = '/api/internal/captcha';
    const response = await app.http.inject({ url, cookies: { ...own, bidwell_logged_out: mark } });
    expect(response.cookies).toEqual([]);
    expect((await company.call('GET', `/users/${company.userId}`)).status).toBe(200);
  }
  const response = await app.http.inject({
    url: '/api/internal/captcha',
    cookies: { ...own, '__Host-bidwell_logged_out': 'everywhere' },
  });
  expect(cookieOf(response, '__Host-bidwell_logged_out')).toMatchObject({ value: '' });
  expect((await company.call('GET', `/users/${company.userId}`)).status).toBe(401);
});

test('the response to a refresh notifies the browser’s pages of its arrival', async () => {
  const { refreshToken } = await loggedIn();
  const name = '__Host-bidwell_refreshing';
  const cookies = { '__Host-bidwell_refresh_token': refreshToken, [name]: 'a' };
  // Spent the second time.
  for (let time = 0; time < 2; time++) {
    const response = await post('/refresh-token', {}, cookies);
    expect(cookieOf(response, name)).toMatchObject({ value: '', path: '/' });
    expect(cookieOf(response, name)!.expires!.getTime()).toBeLessThan(Date.now());
  }
});
