import { freshAddress } from '@bidwell/testing/api-cases/case';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const app = await testApp();
const PASSWORD = 'a long passphrase';
const MINUTE_MS = 60_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) => ReturnType<typeof call>;

async function call(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  headers: Record<string, string>,
  payload?: object,
) {
  const url = `/api/operator${path}`;
  const options = { method, url, headers, remoteAddress: freshAddress(), ...(payload && { payload }) };
  const response = await app.http.inject(options);
  return { status: response.statusCode, data: response.json().data, cookies: response.cookies };
}
const later = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * MINUTE_MS);
};
/** An operator with an authenticator app, who is logged in with Chrome alone. */
async function operator() {
  const own = await app.freshOperator('viewer');
  const { uuid, login, password } = own;
  await call('DELETE', '/session', own.headers);
  const logIn = async (code: string, agent = CHROME) => {
    const answer = await call('POST', '/session', { 'user-agent': agent }, { login, password, code });
    const headers = { cookie: answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
    const send: Send = async (method, path, payload) =>
      call(method, path, { ...headers, 'user-agent': agent }, payload);
    return { ...answer, send };
  };
  const code = () => {
    later(1);
    return own.code();
  };
  return { uuid, login, code, logIn, send: (await logIn(code())).send };
}
const actsOf = async (login: string): Promise<string[]> => {
  const { acts } = (await app.operator('GET', '/acts?limit=100')).data;
  return acts
    .filter((act: { operator: string }) => act.operator === login)
    .map((act: { action: string }) => act.action);
};

test('operators see their sessions with browser, system and address, and end one or all others', async () => {
  const { send, logIn, code } = await operator();
  const office = await logIn(code(), FIREFOX);
  const { sessions } = (await send('GET', '/session/sessions')).data;
  expect(sessions).toMatchObject([
    { browser: 'Firefox', system: 'Windows', company_name: null, is_current: false },
    { browser: 'Chrome', system: 'Linux', address: expect.stringMatching(/^10\.1\./), is_current: true },
  ]);
  expect((await send('DELETE', `/session/sessions/${sessions[0].uuid}`)).data).toEqual({ ended: true });
  expect((await office.send('GET', '/session')).status).toBe(401);
  expect((await send('DELETE', `/session/sessions/${sessions[0].uuid}`)).status).toBe(404);
  const [third, fourth] = [await logIn(code()), await logIn(code())];
  expect((await send('DELETE', '/session/sessions')).data).toEqual({ ended: 2 });
  for (const ended of [third, fourth]) expect((await ended.send('GET', '/session')).status).toBe(401);
  expect((await send('GET', '/session/sessions')).data.sessions).toHaveLength(1);
});

test('an operator reaches no session of another, and the holder of the token has none', async () => {
  const [one, other] = [await operator(), await operator()];
  const [session] = (await other.send('GET', '/session/sessions')).data.sessions;
  expect((await one.send('DELETE', `/session/sessions/${session.uuid}`)).status).toBe(404);
  expect((await other.send('GET', '/session')).status).toBe(200);
  expect((await app.operator('GET', '/session/sessions')).status).toBe(404);
  expect((await app.operator('POST', '/session/recovery-codes')).status).toBe(404);
});

test('an ended session ends the views of companies that the operator opened', async () => {
  const { companyId } = await app.freshCompany();
  const { headers } = await app.freshOperator('moderator');
  const { data } = await call('POST', `/companies/${companyId}/viewer_sessions`, headers);
  const opened = await app.http.inject({
    method: 'POST',
    url: '/api/internal/viewer_session',
    payload: { code: data.address.split('#')[1] },
    remoteAddress: freshAddress(),
  });
  const authorization = `Bearer ${opened.json().data.access_token}`;
  const read = async () =>
    (await app.http.inject({ url: '/api/internal/app', headers: { authorization } })).statusCode;
  expect(await read()).toBe(200);
  expect((await call('DELETE', '/session/sessions', headers)).status).toBe(200);
  expect(await read()).toBe(401);
});

test('ten minutes after the login, changes of sessions and recovery codes require the password or a code', async () => {
  const { send, code, login } = await operator();
  later(11);
  for (const [method, path] of [
    ['DELETE', '/session/sessions'],
    ['POST', '/session/recovery-codes'],
  ] as const)
    expect((await send(method, path)).status).toBe(403);
  expect((await send('POST', '/session/confirmation', { password: 'a guess' })).status).toBe(422);
  expect((await send('POST', '/session/confirmation', { code: '000000' })).status).toBe(422);
  expect((await send('POST', '/session/confirmation', { password: PASSWORD })).status).toBe(200);
  expect((await send('DELETE', '/session/sessions')).status).toBe(200);
  later(11);
  expect((await send('DELETE', '/session/sessions')).status).toBe(403);
  expect((await send('POST', '/session/confirmation', { code: code() })).status).toBe(200);
  expect((await send('POST', '/session/recovery-codes')).data.recovery_codes).toHaveLength(10);
  expect(await actsOf(login)).toEqual(['Made recovery codes of']);
});

test('a recovery code logs in once in place of the code, which the audit log says', async () => {
  const { send, logIn, login } = await operator();
  const { recovery_codes: codes } = (await send('POST', '/session/recovery-codes')).data;
  const stored = await app.ctx.db.selectFrom('recovery_codes').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(codes[0]);
  const both = await Promise.all([logIn(codes[0].replaceAll('-', ' ')), logIn(codes[0])]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  expect((await logIn(codes[0])).status).toBe(401);
  expect((await send('GET', '/session/second-factors')).data).toMatchObject({
    has_authenticator: true,
    recovery_codes: 9,
    is_locked: false,
  });
  expect(await actsOf(login)).toEqual(['Used a recovery code of', 'Made recovery codes of']);
});

test('new recovery codes replace the old ones, and a reset of the authenticator app ends them', async () => {
  const { uuid, send, logIn, login } = await operator();
  const { recovery_codes: old } = (await send('POST', '/session/recovery-codes')).data;
  const { recovery_codes: codes } = (await send('POST', '/session/recovery-codes')).data;
  expect((await logIn(old[0])).status).toBe(401);
  expect((await logIn(codes[0])).status).toBe(200);
  await app.operator('PATCH', `/operators/${uuid}`, { reset_authenticator: true });
  expect((await logIn(codes[1])).status).toBe(401);
  expect(
    await app.ctx.db.selectFrom('recovery_codes').where('account_uuid', '=', uuid).selectAll().execute(),
  ).toEqual([]);
  expect((await call('POST', '/session', {}, { login, password: PASSWORD })).data.next).toBe('enrol');
});

test('wrong recovery codes count with wrong codes of the app for the account', async () => {
  const { uuid, logIn } = await operator();
  const wrong = 'aaaaa-aaaaa-aaaaa-aaaaa-aaaaa';
  for (let n = 0; n < 10; n += 1) {
    await logIn(n % 2 ? wrong : '000000');
    later(600);
  }
  const { operators } = (await app.operator('GET', '/operators')).data;
  expect(operators.find((one: { uuid: string }) => one.uuid === uuid).locked).toBe(true);
});
