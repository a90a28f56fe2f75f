import type { Registration } from '@bidwell/contract/account';
import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();

type Person = Omit<Registration, 'last_name'>;

let people = 0;
/** Someone nobody has met yet; each test registers its own. */
function person(over: Record<string, unknown> = {}): Person {
  people += 1;
  const login = `ada.${'abcdefghijklmnopqrstuvwxyz'[people % 26]!.repeat(5 + Math.floor(people / 26))}`;
  const body = { login, email: 'ada@example.com', password: 'engine', first_name: 'Ada', contact: '@ada' };
  return { ...body, ...over };
}

// Every test is a visitor at an address of their own: the limits of one are not those of the next.
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
  const who = person();
  const answer = await post('/registration', who);
  expect(answer.statusCode).toBe(201);
  return { ...who, ...answer.json<{ data: { user_id: string; company_id: string } }>().data };
}

async function loggedIn(who: { login: string; password: string }) {
  const answer = await post('/login', { login: who.login, password: who.password });
  expect(answer.statusCode).toBe(200);
  return { token: tokenOf(answer), refreshToken: refreshOf(answer), answer };
}

const tokenOf = (answer: LightMyRequestResponse) =>
  answer.json<{ data: { access_token: string } }>().data.access_token;
const refreshOf = (answer: LightMyRequestResponse) =>
  answer.cookies.find((cookie) => cookie.name === 'bidwell_refresh')?.value ?? '';
const renew = (refreshToken: string) => post('/refresh-token', {}, { bidwell_refresh: refreshToken });

test('a visitor registers, logs in, and reads their own account', async () => {
  const who = await registered();
  const { token, answer } = await loggedIn(who);
  expect(answer.json()).toEqual({
    data: { access_token: token, expires_in: 900, user_id: who.user_id },
  });
  const own = await read(`/users/${who.user_id}`, token);
  expect(own.json()).toMatchObject({
    data: {
      login: who.login,
      first_name: 'Ada',
      last_name: '',
      avatar: null,
      company: { uuid: who.company_id, name: 'Ada', time_zone: 'UTC' },
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
  test(`registration refuses ${what}`, async () => {
    const answer = await post('/registration', person(over));
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({ data: message, errors: [{ field, message }] });
  });
}

test('a login part may have 30 letters, and a login several parts', async () => {
  const login = `${'a'.repeat(30)}.${'b'.repeat(30)}.c`;
  expect((await post('/registration', person({ login }))).statusCode).toBe(201);
});

test('a login that is taken is a conflict on its field', async () => {
  const who = await registered();
  const again = await post('/registration', person({ login: who.login }));
  expect(again.statusCode).toBe(409);
  expect(again.json()).toEqual({
    data: 'This login is taken',
    errors: [{ field: 'login', message: 'This login is taken' }],
  });
});

test('a wrong login and a wrong password get the same answer', async () => {
  const who = await registered();
  const wrongPassword = await post('/login', { login: who.login, password: 'nonsense' });
  const wrongLogin = await post('/login', { login: 'nobody.here', password: who.password });
  expect(wrongPassword.statusCode).toBe(422);
  expect(wrongPassword.json()).toEqual({ data: 'wrong login or password' });
  expect(wrongLogin.statusCode).toBe(422);
  expect(wrongLogin.body).toBe(wrongPassword.body);
  expect(wrongPassword.cookies.some((cookie) => cookie.name === 'bidwell_refresh')).toBe(false);
});

test('login says which fields are missing', async () => {
  const answer = await post('/login', { login: '' });
  expect(answer.json<{ errors: unknown[] }>().errors).toEqual([
    { field: 'login', message: 'Required' },
    { field: 'password', message: 'Required' },
  ]);
});

test('the refresh token travels to two paths only, and no script can read it', async () => {
  const { answer } = await loggedIn(await registered());
  const secret = answer.cookies.filter((cookie) => cookie.name === 'bidwell_refresh');
  expect(secret.map((cookie) => cookie.path).toSorted()).toEqual([
    '/api/internal/logout',
    '/api/internal/refresh-token',
  ]);
  for (const cookie of secret) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', maxAge: 30 * 86_400 });
  }
  const hint = answer.cookies.find((cookie) => cookie.name === 'bidwell_session');
  expect(hint).toMatchObject({ value: '1', path: '/', sameSite: 'Strict' });
  expect(hint?.httpOnly).toBeUndefined();
});

test('an access token ends after 15 minutes', async () => {
  const who = await registered();
  const { token } = await loggedIn(who);
  const start = app.clock.now;
  try {
    app.clock.now = new Date(start.getTime() + 14 * 60_000);
    expect((await read(`/users/${who.user_id}`, token)).statusCode).toBe(200);
    app.clock.now = new Date(start.getTime() + 15 * 60_000 + 1000);
    const late = await read(`/users/${who.user_id}`, token);
    expect(late.statusCode).toBe(401);
    expect(late.json()).toEqual({ data: 'Please log in.' });
  } finally {
    app.clock.now = start;
  }
});

test('a token that was tampered with, or signed otherwise, is not a session', async () => {
  const who = await registered();
  const { token } = await loggedIn(who);
  const [head, , signature] = token.split('.');
  const claims = Buffer.from(JSON.stringify({ user_id: who.user_id, company_id: who.company_id, exp: 9e9 }));
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  const body = claims.toString('base64url');
  for (const forged of [`${head}.${body}.${signature}`, `${none}.${body}.`, 'x', '']) {
    expect((await read(`/users/${who.user_id}`, forged)).statusCode).toBe(401);
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

test('using a spent refresh token ends the whole family, and no other login', async () => {
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

test('of two at once with the same refresh token, neither keeps a session', async () => {
  const { refreshToken } = await loggedIn(await registered());
  const answers = await Promise.all([renew(refreshToken), renew(refreshToken)]);
  expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 401]);
  const winner = answers.find((answer) => answer.statusCode === 200)!;
  expect((await renew(refreshOf(winner))).statusCode).toBe(401);
});

test('a refresh token ends after 30 days', async () => {
  const { refreshToken } = await loggedIn(await registered());
  const start = app.clock.now;
  try {
    app.clock.now = new Date(start.getTime() + 30 * 86_400_000 + 1000);
    expect((await renew(refreshToken)).statusCode).toBe(401);
  } finally {
    app.clock.now = start;
  }
});

test('refresh without a token, or with one of nobody, is not a session', async () => {
  expect((await post('/refresh-token', {})).statusCode).toBe(401);
  expect((await renew('made-up')).statusCode).toBe(401);
});

test('logout ends the session and clears the cookies', async () => {
  const { refreshToken } = await loggedIn(await registered());
  const out = await post('/logout', {}, { bidwell_refresh: refreshToken });
  expect(out.json()).toEqual({ data: { logged_out: true } });
  expect(out.cookies.map((cookie) => cookie.value)).toEqual(['', '', '']);
  expect((await renew(refreshToken)).statusCode).toBe(401);
  expect((await post('/logout', {})).statusCode).toBe(200);
});

test('a session that was logged out ends at once, whatever its access token says', async () => {
  const who = await registered();
  const [one, other] = [await loggedIn(who), await loggedIn(who)];
  await post('/logout', {}, { bidwell_refresh: one.refreshToken });
  expect((await read(`/users/${who.user_id}`, one.token)).statusCode).toBe(401);
  expect((await read(`/users/${who.user_id}`, other.token)).statusCode).toBe(200);
});

test('logging out everywhere ends every session of the user, and of nobody else', async () => {
  const [who, somebody] = [await registered(), await registered()];
  const [one, other, theirs] = [await loggedIn(who), await loggedIn(who), await loggedIn(somebody)];
  const out = await post('/logout', { everywhere: true }, { bidwell_refresh: one.refreshToken });
  expect(out.statusCode).toBe(200);
  for (const { token, refreshToken } of [one, other]) {
    expect((await read(`/users/${who.user_id}`, token)).statusCode).toBe(401);
    expect((await renew(refreshToken)).statusCode).toBe(401);
  }
  expect((await read(`/users/${somebody.user_id}`, theirs.token)).statusCode).toBe(200);
  expect((await renew(theirs.refreshToken)).statusCode).toBe(200);
});

test('the eleventh attempt on one login has to wait, from wherever it comes', async () => {
  const who = await registered();
  const wrong = { login: who.login, password: 'nonsense' };
  for (let attempt = 0; attempt < 10; attempt += 1) {
    address += 1;
    expect((await post('/login', wrong)).statusCode).toBe(422);
  }
  const limited = await post('/login', wrong);
  expect(limited.statusCode).toBe(429);
  expect(limited.json()).toEqual({ data: 'Too many attempts. Please wait a moment.' });
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  const { statusCode } = await post('/login', { login: 'somebody.else', password: 'nonsense' });
  expect(statusCode).toBe(422);
});

test('an address has a limit of its own', async () => {
  const answers = [];
  for (let attempt = 0; attempt < 61; attempt += 1) {
    const login = `nobody.${'abcdefghij'[attempt % 10]}${'abcdefghij'[Math.floor(attempt / 10)]}`;
    answers.push(
      await app.http.inject({ url: '/api/internal/captcha', remoteAddress: '10.9.9.9', query: { login } }),
    );
  }
  expect(answers.at(59)?.statusCode).toBe(200);
  expect(answers.at(60)?.statusCode).toBe(429);
  expect(answers.at(60)?.headers['retry-after']).toBeDefined();
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
