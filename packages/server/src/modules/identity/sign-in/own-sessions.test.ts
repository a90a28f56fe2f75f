import { expect, test } from 'vitest';
import { testBrowser } from '@bidwell/testing/sign-in/browser';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const { url, mails } = await mailServer();
const app = await testApp({ SMTP_URL: url });
const { ctx, clock } = app;

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const MINUTE_MS = 60_000;

const loginOf = async ({ userId }: TestCompany): Promise<string> => {
  const users = ctx.db.selectFrom('users').select('login').where('uuid', '=', userId);
  return (await users.executeTakeFirstOrThrow()).login;
};
/** A person who is logged in with two browsers. */
async function twice() {
  const company = await app.freshCompany();
  const login = await loginOf(company);
  const desk = testBrowser(app, FIREFOX);
  const phone = testBrowser(app, SAFARI);
  await desk.logIn(login);
  await phone.logIn(login);
  return { company, login, desk, phone };
}
const sessionsOf = async (browser: { send: ReturnType<typeof testBrowser>['send'] }) =>
  (await browser.send('GET', '/account/sessions')).data.sessions;

test('a person sees where they are logged in, by browser, system, address and times', async () => {
  const { desk, phone } = await twice();
  const sessions = await sessionsOf(desk);
  expect(sessions).toMatchObject([
    { browser: 'Safari', system: 'iOS', address: phone.address, is_current: false },
    {
      browser: 'Firefox',
      system: 'Windows',
      address: desk.address,
      company_name: 'Test Er',
      is_current: true,
    },
    // The test's own session, as of an earlier release.
    { browser: null, system: null, address: null, is_current: false },
  ]);
  expect(sessions[0].started_at).toBe(clock.now.toISOString());
});

test('the last use of a session is noted, once in five minutes', async () => {
  const { desk, phone } = await twice();
  const start = clock.now;
  clock.now = new Date(start.getTime() + 4 * MINUTE_MS);
  await phone.send('GET', '/app');
  const lastUse = async () =>
    (await sessionsOf(desk)).find(({ browser }: { browser: string }) => browser === 'Safari').last_used_at;
  expect(await lastUse()).toBe(start.toISOString());
  clock.now = new Date(start.getTime() + 6 * MINUTE_MS);
  await phone.send('GET', '/app');
  expect(await lastUse()).toBe(clock.now.toISOString());
  expect((await phone.send('POST', '/refresh-token')).status).toBe(200);
  expect(await sessionsOf(desk)).toHaveLength(3);
});

test('a person ends one session or all others, at once, and nobody else’s', async () => {
  const { company, login, desk, phone } = await twice();
  const uuidOf = async (browser: string) =>
    (await sessionsOf(desk)).find((session: { browser: string }) => session.browser === browser).uuid;
  const stranger = await twice();
  const phoneSession = await uuidOf('Safari');
  expect((await stranger.desk.send('DELETE', `/account/sessions/${phoneSession}`)).status).toBe(404);
  expect((await phone.send('GET', '/app')).status).toBe(200);
  expect((await desk.send('DELETE', `/account/sessions/${phoneSession}`)).status).toBe(200);
  expect((await phone.send('GET', '/app')).status).toBe(401);
  expect((await phone.send('POST', '/refresh-token')).status).toBe(401);
  expect((await desk.send('DELETE', `/account/sessions/${phoneSession}`)).status).toBe(404);

  await phone.logIn(login);
  expect(await desk.send('DELETE', '/account/sessions')).toMatchObject({ status: 200, data: { ended: 2 } });
  expect(await sessionsOf(desk)).toHaveLength(1);
  expect((await company.call('GET', '/app')).status).toBe(401);
  expect((await stranger.phone.send('GET', '/app')).status).toBe(200);
});

test('ten minutes after the login a session is ended after the password only', async () => {
  const { desk, phone } = await twice();
  clock.now = new Date(clock.now.getTime() + 11 * MINUTE_MS);
  const denied = { status: 403, data: 'Prove that it is you first: enter your password again.' };
  expect(await desk.send('DELETE', '/account/sessions')).toMatchObject(denied);
  const [session] = await sessionsOf(desk);
  expect(await desk.send('DELETE', `/account/sessions/${session.uuid}`)).toMatchObject(denied);
  expect((await phone.send('GET', '/app')).status).toBe(200);
  expect((await desk.send('POST', '/account/confirmation', { password: 'a guess' })).status).toBe(422);
  expect(await desk.send('DELETE', '/account/sessions')).toMatchObject(denied);
  const proved = await desk.send('POST', '/account/confirmation', { password: 'correct horse' });
  expect(new Date(proved.data.confirmed_until).getTime()).toBe(clock.now.getTime() + 10 * MINUTE_MS);
  // What one session proved does not hold for another.
  expect(await phone.send('DELETE', '/account/sessions')).toMatchObject(denied);
  expect((await desk.send('DELETE', '/account/sessions')).status).toBe(200);
});

test('switching to another company leaves one session of the same device', async () => {
  const { desk, company } = await twice();
  const other = await app.freshCompany();
  await ctx.db
    .insertInto('memberships')
    .values({
      company_uuid: other.companyId,
      user_uuid: company.userId,
      role: 'editor',
      created_at: clock.now,
    })
    .execute();
  expect((await desk.send('POST', `/companies/${other.companyId}/session`)).status).toBe(200);
  const sessions = await sessionsOf(desk);
  expect(sessions).toHaveLength(3);
  expect(sessions.filter((session: { is_current: boolean }) => session.is_current)).toMatchObject([
    { browser: 'Firefox', address: desk.address },
  ]);
});

test('from an hour after the registration on, a login from a new device is notified by mail and in the console', async () => {
  const company = await app.freshCompany();
  const login = await loginOf(company);
  await ctx.db
    .updateTable('users')
    .set({ email: 'devices@example.com' })
    .where('uuid', '=', company.userId)
    .execute();
  const known = testBrowser(app, FIREFOX);
  await known.logIn(login);
  clock.now = new Date(clock.now.getTime() + 61 * MINUTE_MS);
  await known.logIn(login);
  const noticesOf = async () => {
    const { data } = await known.send('GET', '/notifications');
    return data.filter(({ title }: { title: string }) => title === 'Login from a new device');
  };
  const desk = testBrowser(app, FIREFOX);
  await desk.logIn(login, 'a guess');
  expect(await noticesOf()).toEqual([]);
  await desk.logIn(login);
  const [first, ...others] = await noticesOf();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ kind: 'sign_in', is_own: true, read: false });
  const colleague = await app.freshPerson(company, 'owner');
  expect((await colleague.call('GET', '/notifications')).data).toEqual([]);
  expect(first.text).toContain(
    `${login} logged in with Firefox on Windows, from the address ${desk.address}`,
  );
  await eventually(() => {
    const mail = mails.find(({ to }) => to === 'devices@example.com');
    expect(mail?.text).toContain(`Firefox on Windows, from the address ${desk.address}`);
    expect(mail?.text).toContain('http://bidwell.test/profile?tab=sign-in');
  });
  await desk.logIn(login);
  expect(await noticesOf()).toHaveLength(1);
  desk.forget();
  await desk.logIn(login);
  expect(await noticesOf()).toHaveLength(2);
});

test('the browser of the registration is known, and 20 devices are remembered of an account', async () => {
  const visitor = testBrowser(app, FIREFOX);
  const person = { email: 'a@example.com', password: 'correct horse', first_name: 'New', contact: 'none' };
  expect((await visitor.send('POST', '/registration', { login: 'devices.many', ...person })).status).toBe(
    201,
  );
  const { user_id } = (await visitor.send('POST', '/refresh-token')).data;
  expect((await visitor.send('GET', '/notifications')).data).toEqual([]);
  for (let n = 0; n < 21; n += 1) await testBrowser(app, SAFARI).logIn('devices.many');
  const devices = ctx.db.selectFrom('known_devices').selectAll().where('account_uuid', '=', user_id);
  expect(await devices.execute()).toHaveLength(20);
  const cookie = visitor.cookies.get('bidwell_device');
  expect(cookie).toHaveLength(43);
  expect(JSON.stringify(await devices.execute())).not.toContain(cookie);
});
