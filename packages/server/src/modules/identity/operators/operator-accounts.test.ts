import { type Endpoint, addressOf } from '@bidwell/contract/lib/endpoint';
import * as accountEndpoints from '@bidwell/contract/operator-accounts/endpoints';
import * as passkeyEndpoints from '@bidwell/contract/operator-accounts/passkey-endpoints';
import * as signInEndpoints from '@bidwell/contract/operator-accounts/sign-in-endpoints';
import * as operatorEndpoints from '@bidwell/contract/operator/endpoints';
import { roleHas } from '@bidwell/contract/operator-accounts/permissions';
import { OPERATOR_ROLES } from '@bidwell/contract/operator-accounts/schema';
import { expect, onTestFinished, test } from 'vitest';
import { CPU_QUEUE_LIMITS, passwordQueue } from '../../../platform/concurrency/cpu-queues.ts';
import { freshAddress } from '@bidwell/testing/api-cases/case';
import { holdQueue } from '@bidwell/testing/held-queue';
import { testApp } from '@bidwell/testing/test-app';
import { totpCode } from '../sign-in/totp.ts';

const app = await testApp();
const PASSWORD = 'a long passphrase';
const unknown = '01890000-0000-7000-8000-000000000000';

const { decisions, BACKUP: _type, ...calls } = operatorEndpoints;
const endpoints: Endpoint[] = [
  ...Object.values(accountEndpoints),
  ...Object.values(passkeyEndpoints),
  ...Object.values(signInEndpoints),
  ...Object.values(calls),
  ...Object.values(decisions),
];

const send = (
  method: Endpoint['method'],
  path: string,
  headers: Record<string, string>,
  payload?: object,
  remoteAddress = freshAddress(),
) =>
  app.http.inject({
    method,
    url: `/api/operator${path}`,
    headers,
    remoteAddress,
    ...(payload && { payload }),
  });

const logIn = async (login: string, password: string, code?: string) =>
  send('POST', '/session', {}, { login, password, ...(code && { code }) });

test('each role may make exactly the calls of the permission table', async () => {
  for (const role of OPERATOR_ROLES) {
    const { headers } = await app.freshOperator(role);
    for (const { method, path, permission, isPublic } of endpoints) {
      // The backup streams everything; logging out ends the session that the other calls need.
      const isAside = path === '/backup' || (method === 'DELETE' && path === '/session');
      if (isPublic) continue;
      const mayCall = roleHas(role, permission!);
      if (isAside && mayCall) continue;
      const params = { uuid: unknown, user_uuid: unknown, slug: 'nobody', currency: 'euro' };
      const { statusCode } = await send(
        method,
        addressOf({ path }, { params }),
        headers,
        method === 'GET' ? undefined : {},
      );
      expect([role, method, path, statusCode === 403]).toEqual([role, method, path, !mayCall]);
      expect([role, method, path, statusCode]).not.toEqual([role, method, path, 401]);
    }
  }
});

test('a viewer changes nothing, and only admins see secrets', async () => {
  await app.operator('PUT', '/ssps/secretive', { name: 'Secretive' });
  const { companyId } = await app.freshCompany();
  for (const role of OPERATOR_ROLES) {
    const { headers } = await app.freshOperator(role);
    const company = (await send('GET', `/companies/${companyId}`, headers)).json().data;
    const { ssps } = (await send('GET', '/ssps', headers)).json().data;
    const exchange = ssps.find(({ slug }: { slug: string }) => slug === 'secretive');
    const isShown = role === 'admin';
    expect([role, company.postback_secret !== '', exchange.secret !== '', exchange.path !== '']).toEqual([
      role,
      isShown,
      isShown,
      isShown,
    ]);
  }
});

test('a new operator sets up an authenticator app, and every login needs its code', async () => {
  await app.operator('POST', '/operators', {
    login: 'new.person',
    name: 'New',
    role: 'viewer',
    password: PASSWORD,
  });
  expect((await logIn('new.person', 'wrong')).json().data).toEqual({ next: 'code' });
  const first = (await logIn('new.person', PASSWORD)).json().data;
  expect(first).toMatchObject({ next: 'enrol', uri: expect.stringMatching(/^otpauth:\/\/totp\/Bidwell/) });
  // A second login before a code was given gets the same secret: it may be in the app already.
  expect((await logIn('new.person', PASSWORD)).json().data.secret).toBe(first.secret);
  expect((await logIn('new.person', PASSWORD, '000000')).statusCode).toBe(401);

  const code = totpCode(first.secret, app.clock.now.getTime());
  const done = await logIn('new.person', PASSWORD, code);
  expect(done.json().data).toMatchObject({
    next: 'session',
    operator: { login: 'new.person', enrolled: true },
  });
  const [cookie] = done.cookies;
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/operator' });
  const headers = { cookie: `${cookie!.name}=${cookie!.value}` };
  expect((await send('GET', '/session', headers)).json().data.login).toBe('new.person');

  expect((await logIn('new.person', PASSWORD)).json().data).toEqual({ next: 'code' });
  // A code is accepted once.
  expect((await logIn('new.person', PASSWORD, code)).statusCode).toBe(401);
});

/** Moves the clock for the rest of the test. */
function later(ms: number): void {
  const before = app.clock.now;
  app.clock.now = new Date(before.getTime() + ms);
  onTestFinished(() => {
    app.clock.now = before;
  });
}

const isLocked = async (uuid: string): Promise<boolean> =>
  (await app.operator('GET', '/operators')).data.operators.find((one: { uuid: string }) => one.uuid === uuid)
    .locked;

test('a login without a code does not reveal whether a password is right', async () => {
  const { login } = await app.freshOperator('admin');
  const attempts = [
    [login, PASSWORD],
    [login, 'wrong'],
    ['nobody.at.all', PASSWORD],
  ] as const;
  for (const [name, password] of attempts) {
    const first = await logIn(name, password);
    expect([first.statusCode, first.json()]).toEqual([200, { data: { next: 'code' } }]);
    const second = await logIn(name, password, '000000');
    expect(second.statusCode).toBe(401);
    expect(second.json().data).toMatch(/^Login, password or code is wrong\./);
  }
});

test('wrong codes count by account from wherever they come, and the tenth locks it until a reset', async () => {
  const { uuid, login, code } = await app.freshOperator('admin');
  for (let attempt = 0; attempt < 40; attempt += 1) {
    // After the pause, and in a new window of the limits by login.
    later(3_600_000);
    expect((await logIn(login, PASSWORD, '000000')).statusCode).toBe(401);
    expect(await isLocked(uuid)).toBe(attempt >= 9);
  }
  later(86_400_000);
  const right = await logIn(login, PASSWORD, code());
  expect(right.statusCode).toBe(401);
  expect(right.json()).toEqual((await logIn(login, 'wrong', code())).json());

  expect(await app.operator('PATCH', `/operators/${uuid}`, { password: 'another passphrase' })).toMatchObject(
    {
      data: { locked: true },
    },
  );
  expect(await app.operator('PATCH', `/operators/${uuid}`, { reset_authenticator: true })).toMatchObject({
    data: { locked: false, enrolled: false },
  });
  const again = (await logIn(login, 'another passphrase')).json().data;
  const newCode = totpCode(again.secret, app.clock.now.getTime());
  expect((await logIn(login, 'another passphrase', newCode)).json().data.next).toBe('session');
});

test('the operator whose codes are locked cannot unlock them with a running session', async () => {
  const { uuid, login, headers } = await app.freshOperator('admin');
  for (let attempt = 0; attempt < 10; attempt += 1) {
    later(3_600_000);
    await logIn(login, PASSWORD, '000000');
  }
  // Back within the session's twelve hours.
  later(-2 * 3_600_000);
  const response = await send('PATCH', `/operators/${uuid}`, headers, { reset_authenticator: true });
  expect([response.statusCode, response.json().data]).toEqual([
    409,
    'Your codes are locked after wrong ones. Ask another admin to reset your authenticator app.',
  ]);
});

test('after three wrong codes the next one counts after a pause, and a right one ends the count', async () => {
  const { login, code } = await app.freshOperator('admin');
  later(3_600_000);
  for (let attempt = 0; attempt < 3; attempt += 1) await logIn(login, PASSWORD, '000000');
  expect((await logIn(login, PASSWORD, code())).statusCode).toBe(401);
  later(30_000);
  expect((await logIn(login, PASSWORD, code())).json().data.next).toBe('session');
  later(60_000);
  await logIn(login, PASSWORD, '000000');
  expect((await logIn(login, PASSWORD, code())).json().data.next).toBe('session');
});

test('wrong passwords lock no account', async () => {
  const { uuid, login, code } = await app.freshOperator('admin');
  for (let attempt = 0; attempt < 12; attempt += 1) await logIn(login, 'wrong', '000000');
  expect(await isLocked(uuid)).toBe(false);
  later(60_000);
  expect((await logIn(login, PASSWORD, code())).json().data.next).toBe('session');
});

test('a session ends at logout, after twelve hours, and with the account', async () => {
  const statusOf = async (headers: Record<string, string>) =>
    (await send('GET', '/session', headers)).statusCode;
  const leaving = await app.freshOperator('viewer');
  expect((await send('DELETE', '/session', leaving.headers)).statusCode).toBe(200);
  expect(await statusOf(leaving.headers)).toBe(401);

  const dismissed = await app.freshOperator('finance');
  await app.operator('PATCH', `/operators/${dismissed.uuid}`, { active: false });
  expect(await statusOf(dismissed.headers)).toBe(401);

  const { headers } = await app.freshOperator('viewer');
  expect(await app.after(12 * 3_600_000, () => statusOf(headers))).toBe(401);
});

test('the last active admin stays one', async () => {
  for (const { uuid, role, active } of (await app.operator('GET', '/operators')).data.operators)
    if (role === 'admin' && active) await app.operator('PATCH', `/operators/${uuid}`, { role: 'viewer' });
  const { operators } = (await app.operator('GET', '/operators')).data;
  const admins = operators.filter(
    (one: { role: string; active: boolean }) => one.role === 'admin' && one.active,
  );
  expect(admins.length).toBeLessThanOrEqual(1);
  for (const { uuid } of admins)
    expect(await app.operator('PATCH', `/operators/${uuid}`, { active: false })).toMatchObject({
      status: 409,
    });
});

test('every action has an audit entry with person, reason, before and after', async () => {
  const { companyId } = await app.freshCompany();
  const { login, headers } = await app.freshOperator('finance');
  await send('POST', `/companies/${companyId}/credit`, headers, { amount: 40, reason: 'Contract 7' });
  await app.operator('PUT', `/companies/${companyId}/suspension`, { suspended: true });
  const { acts, total } = (await send('GET', `/acts?company_uuid=${companyId}`, headers)).json().data;
  expect(total).toBe(2);
  expect(acts).toMatchObject([
    { operator: 'token', action: 'Suspended', before: { suspended: false }, after: { suspended: true } },
    {
      operator: login,
      action: 'Credited',
      reason: 'Contract 7',
      before: { balance: 0 },
      after: { balance: 40, amount: 40 },
    },
  ]);
});

test('a change of an operator that changes nothing is not logged', async () => {
  const { uuid } = await app.freshOperator('viewer');
  const total = async () => (await app.operator('GET', '/acts')).data.total;
  const before = await total();
  expect((await app.operator('PATCH', `/operators/${uuid}`, { role: 'viewer' })).status).toBe(200);
  expect(await total()).toBe(before);
  await app.operator('PATCH', `/operators/${uuid}`, { name: 'Vera' });
  expect(await total()).toBe(before + 1);
});

test('two operators use the same idempotency key for different calls', async () => {
  const { companyId } = await app.freshCompany();
  for (const amount of [3, 4]) {
    const { headers } = await app.freshOperator('finance');
    const body = { amount, reason: 'Start' };
    for (const expected of [undefined, 'true']) {
      const response = await send(
        'POST',
        `/companies/${companyId}/credit`,
        { ...headers, 'idempotency-key': 'same' },
        body,
      );
      expect([response.statusCode, response.headers['idempotent-replayed']]).toEqual([201, expected]);
    }
  }
  expect((await app.operator('GET', `/companies/${companyId}`)).data.balance).toBe(7);
});

test('one address may try to log in sixty times a minute, for any login', async () => {
  const tried = async (number: number, remoteAddress: string) => {
    const login = `nobody.${number.toString(2).replaceAll('0', 'a').replaceAll('1', 'b')}`;
    return send('POST', '/session', {}, { login, password: PASSWORD }, remoteAddress);
  };
  const responses = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => (await tried(n, `2001:db8:7:1::${n}`)).statusCode),
  );
  for (let n = 20; n < 60; n += 1) responses.push((await tried(n, `2001:db8:7:1:${n}::1`)).statusCode);
  expect(responses).not.toContain(429);
  // Rejected before a password is hashed: here, while none can be hashed.
  const free = await holdQueue(passwordQueue, CPU_QUEUE_LIMITS.passwords);
  const rejected = await tried(60, '2001:db8:7:1:ffff::1');
  expect([rejected.statusCode, rejected.json().data]).toEqual([
    429,
    'Too many attempts. Please wait a moment.',
  ]);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  free();
  expect((await tried(61, '2001:db8:7:2::1')).statusCode).not.toBe(429);
});
