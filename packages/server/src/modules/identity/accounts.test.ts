import type { Registration } from '@bidwell/contract/accounts/schema';
import type { LightMyRequestResponse } from 'fastify';
import { SignJWT, decodeJwt } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import { LoginAttempts } from './login-attempts.ts';

const app = await testApp();

type Person = Omit<Registration, 'last_name'>;

let people = 0;
/** Data of a new person; each test registers its own. */
function person(over: Record<string, unknown> = {}): Person {
  people += 1;
  const login = `ada.${'abcdefghijklmnopqrstuvwxyz'[people % 26]!.repeat(5 + Math.floor(people / 26))}`;
  const body = { login, email: 'ada@example.com', password: 'engine', first_name: 'Ada', contact: '@ada' };
  return { ...body, ...over };
}

// Each test has its own client address, so that rate limits do not carry over.
let address = 0;
beforeEach(() => {
  address += 1;
});

async function post(path: string, payload: object, cookies: Record<string, string> = {}) {
  const remoteAddress = `10.0.0.${address}`;
  return app.http.inject({ method: 'POST', url: `/api/internal${path}`, payload, cookies, remoteAddress });
}

async function read(path: string, token: string) {
  return app.http.inject({ url: `/api/internal${path}`, headers: { authorization: `Bearer ${token}` } });
}

async function registered() {
  const { login, userId } = await app.freshCompany();
  return { login, password: 'correct horse', user_id: userId };
}

async function loggedIn(who: { login: string; password: string }) {
  const response = await post('/login', { login: who.login, password: who.password });
  expect(response.statusCode).toBe(200);
  return { token: tokenOf(response), refreshToken: refreshOf(response), response };
}

const tokenOf = (response: LightMyRequestResponse) =>
  response.json<{ data: { access_token: string } }>().data.access_token;
const refreshOf = (response: LightMyRequestResponse) =>
  response.cookies.find((cookie) => cookie.name === 'bidwell_refresh_token')?.value ?? '';
const renew = (refreshToken: string) => post('/refresh-token', {}, { bidwell_refresh_token: refreshToken });

test('a registration logs the new user in, and answers the ids alone', async () => {
  const response = await post('/registration', person());
  const { user_id, company_id } = response.json<{ data: { user_id: string; company_id: string } }>().data;
  expect(response.json()).toEqual({ data: { user_id, company_id } });
  const renewed = await renew(refreshOf(response));
  expect(renewed.json<{ data: object }>().data).toMatchObject({ user_id });
  expect((await read(`/users/${user_id}`, tokenOf(renewed))).statusCode).toBe(200);
});

test('a registration may name the company, which otherwise has the name of the person', async () => {
  const named = { ...person(), company_name: ' Northlight ' };
  const response = await post('/registration', named);
  const { user_id } = response.json<{ data: { user_id: string } }>().data;
  const own = await read(`/users/${user_id}`, tokenOf(await renew(refreshOf(response))));
  expect(own.json()).toMatchObject({ data: { first_name: 'Ada', company: { name: 'Northlight' } } });
  const long = await post('/registration', { ...person(), company_name: 'x'.repeat(200) });
  expect(long.json()).toMatchObject({ errors: [{ field: 'company_name' }] });
});

test('a visitor registers, logs in, and reads their own account', async () => {
  const who = person();
  const { user_id, company_id } = (await post('/registration', who)).json().data;
  const { token, response } = await loggedIn(who);
  expect(response.json()).toEqual({ data: { access_token: token, expires_in: 900, user_id } });
  const own = await read(`/users/${user_id}`, token);
  expect(own.json()).toMatchObject({
    data: {
      login: who.login,
      first_name: 'Ada',
      last_name: '',
      avatar: null,
      company: { uuid: company_id, name: 'Ada', time_zone: 'UTC' },
      moderation: 'manual',
    },
  });
  expect(own.body).not.toContain('password');
});

const wrongRegistrations: [string, Record<string, unknown>, string, string][] = [
  ['a short login', { login: 'ada' }, 'login', 'Login is not valid! It should contain at least 5 characters'],
  ['no login', { login: undefined }, 'login', 'Login is not valid! It should contain at least 5 characters'],
  ['capitals', { login: 'Adalove' }, 'login', 'Login must contain only lowercase latin letters and dots'],
  ['digits', { login: 'ada123' }, 'login', 'Login must contain only lowercase latin letters and dots'],
  ['two dots', { login: 'ada..love' }, 'login', 'Login must contain only lowercase latin letters and dots'],
  ['a dot first', { login: '.adalove' }, 'login', 'Login must contain only lowercase latin letters and dots'],
  [
    'a long part',
    { login: 'a'.repeat(31) },
    'login',
    'Login must contain only lowercase latin letters and dots',
  ],
  ['an email that is none', { email: 'ada@' }, 'email', 'Email is not valid!'],
  ['a short password', { password: '12345' }, 'password', 'Password must be at least 6 characters long'],
  ['no first name', { first_name: '  ' }, 'first_name', 'Required'],
  ['no contact', { contact: '' }, 'contact', 'Required'],
];
for (const [what, over, field, message] of wrongRegistrations) {
  test(`registration rejects ${what}`, async () => {
    const response = await post('/registration', person(over));
    expect(response.statusCode).toBe(422);
    expect(response.json()).toEqual({ data: message, errors: [{ field, message }] });
  });
}

test('a part of a login may have 30 letters, and a login several parts', async () => {
  const login = `${'a'.repeat(30)}.${'b'.repeat(30)}.c`;
  expect((await post('/registration', person({ login }))).statusCode).toBe(201);
});

test('a taken login is a conflict on its field', async () => {
  const who = await registered();
  const again = await post('/registration', person({ login: who.login }));
  expect(again.statusCode).toBe(409);
  expect(again.json()).toEqual({
    data: 'This login is taken',
    errors: [{ field: 'login', message: 'This login is taken' }],
  });
});

test('a wrong login and a wrong password get the same response', async () => {
  const who = await registered();
  const wrongPassword = await post('/login', { login: who.login, password: 'nonsense' });
  const wrongLogin = await post('/login', { login: 'nobody.here', password: who.password });
  expect(wrongPassword.statusCode).toBe(422);
  expect(wrongPassword.json()).toEqual({ data: 'wrong login or password' });
  expect(wrongLogin.statusCode).toBe(422);
  expect(wrongLogin.body).toBe(wrongPassword.body);
  expect(wrongPassword.cookies.some((cookie) => cookie.name === 'bidwell_refresh_token')).toBe(false);
});

test('login names the missing fields', async () => {
  const response = await post('/login', { login: '' });
  expect(response.json<{ errors: unknown[] }>().errors).toEqual([
    { field: 'login', message: 'Required' },
    { field: 'password', message: 'Required' },
  ]);
});

test('scripts cannot read the refresh token, and other sites cannot send it', async () => {
  const { response } = await loggedIn(await registered());
  const secret = response.cookies.find((cookie) => cookie.name === 'bidwell_refresh_token');
  expect(secret).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 30 * 86_400 });
  const hint = response.cookies.find((cookie) => cookie.name === 'bidwell_session');
  expect(hint).toMatchObject({ value: '1', path: '/', sameSite: 'Strict' });
  expect(hint?.httpOnly).toBeUndefined();
});

test('an access token expires after 15 minutes', async () => {
  const who = await registered();
  const { token } = await loggedIn(who);
  const readOwn = () => read(`/users/${who.user_id}`, token);
  expect((await app.after(14 * 60_000, readOwn)).statusCode).toBe(200);
  const late = await app.after(15 * 60_000 + 1000, readOwn);
  expect(late.statusCode).toBe(401);
  expect(late.json()).toEqual({ data: 'Please log in.' });
});

test('a modified token, or one with another signature, is not a session', async () => {
  const { userId, companyId, token } = await app.freshCompany();
  const [head, , signature] = token.split('.');
  const claims = Buffer.from(JSON.stringify({ user_id: userId, company_id: companyId, exp: 9e9 }));
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  const body = claims.toString('base64url');
  for (const forged of [`${head}.${body}.${signature}`, `${none}.${body}.`, 'x', '']) {
    expect((await read(`/users/${userId}`, forged)).statusCode).toBe(401);
  }
});

test('a refresh token works once and is replaced', async () => {
  const who = await registered();
  const { refreshToken } = await loggedIn(who);
  const renewed = await renew(refreshToken);
  expect(renewed.statusCode).toBe(200);
  expect(refreshOf(renewed)).not.toBe(refreshToken);
  expect((await read(`/users/${who.user_id}`, tokenOf(renewed))).statusCode).toBe(200);
  expect((await renew(refreshOf(renewed))).statusCode).toBe(200);
});

test('reuse of a refresh token ends its token family, and no other login', async () => {
  const who = await registered();
  const elsewhere = await loggedIn(who);
  const { refreshToken } = await loggedIn(who);
  const renewed = await renew(refreshToken);
  const stolen = await renew(refreshToken);
  expect(stolen.statusCode).toBe(401);
  expect(stolen.cookies.every((cookie) => cookie.value === '')).toBe(true);
  expect((await renew(refreshOf(renewed))).statusCode).toBe(401);
  expect((await renew(elsewhere.refreshToken)).statusCode).toBe(200);
});

test('two concurrent uses of a refresh token end the session', async () => {
  const { refreshToken } = await loggedIn(await registered());
  const responses = await Promise.all([renew(refreshToken), renew(refreshToken)]);
  expect(responses.map((response) => response.statusCode).toSorted()).toEqual([200, 401]);
  const winner = responses.find((response) => response.statusCode === 200)!;
  expect((await renew(refreshOf(winner))).statusCode).toBe(401);
});

const DAY_MS = 86_400_000;

test('a refresh token expires 30 days after its last use', async () => {
  const { refreshToken } = await loggedIn(await registered());
  await app.after(20 * DAY_MS, async () => {
    const renewed = await renew(refreshToken);
    expect(renewed.statusCode).toBe(200);
    await app.after(30 * DAY_MS + 1000, async () => {
      expect((await renew(refreshOf(renewed))).statusCode).toBe(401);
    });
  });
});

test('a session expires 90 days after its login, however often it is used', async () => {
  const who = await registered();
  let { refreshToken } = await loggedIn(who);
  for (const day of [25, 50, 75])
    await app.after(day * DAY_MS, async () => {
      const renewed = await renew(refreshToken);
      refreshToken = refreshOf(renewed);
      const cookie = renewed.cookies.find(({ name }) => name === 'bidwell_refresh_token');
      expect(cookie?.maxAge).toBe(Math.min(30, 90 - day) * 86_400);
    });
  await app.after(90 * DAY_MS - 60_000, async () => {
    const last = await renew(refreshToken);
    expect(last.json()).toMatchObject({ data: { expires_in: 60 } });
    await app.after(61_000, async () => {
      expect((await read(`/users/${who.user_id}`, tokenOf(last))).statusCode).toBe(401);
      expect((await renew(refreshOf(last))).statusCode).toBe(401);
    });
  });
});

test('refresh without a token, or with an unknown one, is rejected', async () => {
  expect((await post('/refresh-token', {})).statusCode).toBe(401);
  expect((await renew('made-up')).statusCode).toBe(401);
});

test('logout ends the session and clears the cookies', async () => {
  const { refreshToken } = await loggedIn(await registered());
  const out = await post('/logout', {}, { bidwell_refresh_token: refreshToken });
  expect(out.json()).toEqual({ data: { logged_out: true } });
  expect(out.cookies.map((cookie) => cookie.value)).toEqual(['', '']);
  expect((await renew(refreshToken)).statusCode).toBe(401);
  expect((await post('/logout', {})).statusCode).toBe(200);
});

test('after a logout its access token is rejected at once', async () => {
  const who = await registered();
  const [one, other] = [await loggedIn(who), await loggedIn(who)];
  await post('/logout', {}, { bidwell_refresh_token: one.refreshToken });
  expect((await read(`/users/${who.user_id}`, one.token)).statusCode).toBe(401);
  expect((await read(`/users/${who.user_id}`, other.token)).statusCode).toBe(200);
});

test('an ended session is rejected by every process, also by one that started later', async () => {
  const who = await registered();
  const one = await loggedIn(who);
  // Ended as by another process: only the database records it.
  await app.ctx.db
    .updateTable('refresh_tokens')
    .set({ revoked_at: app.clock.now })
    .where('user_uuid', '=', who.user_id)
    .execute();
  expect((await read(`/users/${who.user_id}`, one.token)).statusCode).toBe(401);
});

test('a token for another purpose with the same secret is not an access token', async () => {
  const who = await registered();
  const { token } = await loggedIn(who);
  const claims = decodeJwt(token);
  expect(claims).toMatchObject({ iss: 'bidwell', aud: 'bidwell-api' });
  const key = Buffer.from(app.ctx.config.accessTokenSecret);
  const sign = (over: object) =>
    new SignJWT({ ...claims, ...over }).setProtectedHeader({ alg: 'HS256' }).sign(key);
  expect((await read(`/users/${who.user_id}`, await sign({}))).statusCode).toBe(200);
  for (const over of [{ iss: 'other' }, { aud: 'other' }, { iss: undefined }, { aud: undefined }])
    expect((await read(`/users/${who.user_id}`, await sign(over))).statusCode).toBe(401);
});

test('a page that could not send its logout is logged out by its next call', async () => {
  const who = await registered();
  for (const path of ['/captcha', '/refresh-token', '/login']) {
    const { token, refreshToken } = await loggedIn(who);
    const cookies = { bidwell_refresh_token: refreshToken, bidwell_logged_out: '1' };
    const next =
      path === '/captcha'
        ? await app.http.inject({ url: '/api/internal/captcha', cookies, remoteAddress: `10.0.0.${address}` })
        : await post(path, { login: who.login, password: who.password }, cookies);
    expect(next.statusCode).toBe(path === '/refresh-token' ? 401 : 200);
    expect(next.cookies).toContainEqual(expect.objectContaining({ name: 'bidwell_logged_out', value: '' }));
    expect((await renew(refreshToken)).statusCode).toBe(401);
    expect((await read(`/users/${who.user_id}`, token)).statusCode).toBe(401);
    // The login call opened its own session.
    if (path === '/login') expect((await renew(refreshOf(next))).statusCode).toBe(200);
  }
});

test('a login ends the previous session of the browser', async () => {
  const who = await registered();
  const before = await loggedIn(who);
  const { login, password } = who;
  const next = await post('/login', { login, password }, { bidwell_refresh_token: before.refreshToken });
  expect((await renew(before.refreshToken)).statusCode).toBe(401);
  expect((await renew(refreshOf(next))).statusCode).toBe(200);
});

test('a password is used as typed, including spaces', async () => {
  for (const password of ['a secret of mine ', ' a secret of mine', '      ']) {
    const who = person({ password });
    expect((await post('/registration', who)).statusCode).toBe(201);
    await loggedIn({ login: who.login, password });
    const trimmed = await post('/login', { login: who.login, password: password.trim() || 'x' });
    expect(trimmed.statusCode).toBe(422);
  }
});

test.each(['123456', 'Password1', 'QWERTYUIOP', 'secret1'])(
  'the common password %s is rejected',
  async (password) => {
    const response = await post('/registration', person({ password }));
    const message = 'This password is one of the most common ones. Please choose another';
    expect(response.statusCode).toBe(422);
    expect(response.json()).toEqual({ data: message, errors: [{ field: 'password', message }] });
  },
);

test("the user's own login or email is rejected as a password", async () => {
  const who = person();
  for (const password of [who.login.toUpperCase(), who.email]) {
    const response = await post('/registration', { ...who, password });
    const message = 'A password must not be your login or your email';
    expect(response.json()).toMatchObject({ errors: [{ field: 'password', message }] });
  }
});

test('logging out everywhere ends all sessions of the user, and no others', async () => {
  const [who, somebody] = [await registered(), await registered()];
  const [one, other, theirs] = [await loggedIn(who), await loggedIn(who), await loggedIn(somebody)];
  const out = await post('/logout', { everywhere: true }, { bidwell_refresh_token: one.refreshToken });
  expect(out.statusCode).toBe(200);
  for (const { token, refreshToken } of [one, other]) {
    expect((await read(`/users/${who.user_id}`, token)).statusCode).toBe(401);
    expect((await renew(refreshToken)).statusCode).toBe(401);
  }
  expect((await read(`/users/${somebody.user_id}`, theirs.token)).statusCode).toBe(200);
  expect((await renew(theirs.refreshToken)).statusCode).toBe(200);
});

test('the eleventh attempt for one login from one address must wait, and other addresses need not', async () => {
  const who = await registered();
  const wrong = { login: who.login, password: 'nonsense' };
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect((await post('/login', wrong)).statusCode).toBe(422);
  const limited = await post('/login', { login: who.login, password: who.password });
  expect(limited.statusCode).toBe(429);
  expect(limited.json().data).toMatch(/^Too many attempts. Please try again in (9|10) minutes.$/);
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  const other = await post('/login', { login: 'somebody.else', password: 'nonsense' });
  expect(other.statusCode).toBe(422);
  address += 1;
  expect((await post('/login', { login: who.login, password: who.password })).statusCode).toBe(200);
});

test('a successful login resets the count of its attempts', async () => {
  const who = await registered();
  for (let round = 0; round < 3; round += 1) {
    for (let attempt = 0; attempt < 5; attempt += 1)
      await post('/login', { login: who.login, password: 'nonsense' });
    await loggedIn(who);
  }
});

test('attempts from one IPv6 network of 64 bits count together', async () => {
  const who = await registered();
  const attempt = async (remoteAddress: string) =>
    (
      await app.http.inject({
        method: 'POST',
        url: '/api/internal/login',
        payload: { login: who.login, password: 'nonsense' },
        remoteAddress,
      })
    ).statusCode;
  for (let n = 1; n <= 10; n += 1) expect(await attempt(`2001:db8:2:1::${n}`)).toBe(422);
  expect(await attempt('2001:db8:2:1:ffff::1')).toBe(429);
  expect(await attempt('2001:db8:2:2::1')).toBe(422);
});

test('attempts from many addresses delay a login and lock no one out', () => {
  const attempts = new LoginAttempts(() => new Date(0));
  const delays = Array.from({ length: 60 }, (_, index) => attempts.count('login:ada', `10.1.1.${index}`));
  expect(delays.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 0));
  expect(delays.slice(20, 23)).toEqual([250, 500, 750]);
  expect(delays.at(-1)).toBe(4000);
  expect(attempts.count('login:grace', '10.1.1.1')).toBe(0);
});

test('each address has its own limit', async () => {
  const responses = [];
  for (let attempt = 0; attempt < 61; attempt += 1) {
    const login = `nobody.${'abcdefghij'[attempt % 10]}${'abcdefghij'[Math.floor(attempt / 10)]}`;
    responses.push(
      await app.http.inject({ url: '/api/internal/captcha', remoteAddress: '10.9.9.9', query: { login } }),
    );
  }
  expect(responses.at(59)?.statusCode).toBe(200);
  expect(responses.at(60)?.statusCode).toBe(429);
  expect(responses.at(60)?.headers['retry-after']).toBeDefined();
});

test('the user of another company cannot be read', async () => {
  const one = await app.freshCompany();
  const other = await app.freshCompany();
  expect(await one.call('GET', `/users/${other.userId}`)).toMatchObject({
    status: 404,
    data: 'User not found',
  });
  expect(await one.call('GET', '/users/not-a-uuid')).toMatchObject({ status: 404 });
});

test('a suspended company can read everything and change only its password', async () => {
  const company = await app.freshCompany();
  const { uuid } = (await company.call('POST', '/api_tokens', { name: 'Script' })).data;
  const suspend = (suspended: boolean) =>
    app.operator('PUT', `/companies/${company.companyId}/suspension`, { suspended });
  await suspend(true);
  const rejection = {
    status: 403,
    data: 'Your company is suspended: you can view everything, but not change anything until an operator lifts the suspension.',
  };
  const changes: [Parameters<typeof company.call>[0], string][] = [
    ['POST', '/app'],
    ['POST', '/finance/top_up'],
    ['POST', '/api_tokens'],
    ['PUT', '/campaign/01890000-0000-7000-8000-000000000000'],
    ['POST', '/campaign/01890000-0000-7000-8000-000000000000/start'],
    ['DELETE', '/app/batch'],
  ];
  for (const [method, path] of changes) expect(await company.call(method, path, {})).toMatchObject(rejection);
  const range = { start_date: '2026-01-01', end_date: '2026-01-07' };
  expect((await company.call('GET', '/app')).status).toBe(200);
  expect((await company.call('POST', '/analytics/bundle', range)).status).toBe(200);
  expect((await company.call('DELETE', `/api_tokens/${uuid}`)).status).toBe(200);
  const names = { email: 'a@example.com', first_name: 'A', last_name: 'B', contact: 'c' };
  const password = { password: 'battery staple', password_confirmation: 'battery staple' };
  expect((await company.call('PUT', `/users/${company.userId}`, { ...names, ...password })).status).toBe(200);
  const { refreshToken } = await loggedIn({ login: company.login, password: 'battery staple' });
  expect((await post('/logout', {}, { bidwell_refresh_token: refreshToken })).statusCode).toBe(200);
  await suspend(false);
  expect((await company.call('POST', '/finance/top_up', { amount: 20 })).status).toBe(201);
});
