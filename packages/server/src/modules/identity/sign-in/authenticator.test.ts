import { expect, test } from 'vitest';
import { type TestBrowser, testBrowser } from '@bidwell/testing/sign-in/browser';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';
import { totpCode, newTotpSecret, totpUri } from './totp.ts';

const { url, mails } = await mailServer();

const app = await testApp({ SMTP_URL: url });

const { ctx, clock } = app;

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

const MINUTE_MS = 60_000;

const WRONG = /^This code is wrong or was used/;

/** Moves the clock on, so that the app shows its next code. */
const nextCode = (secret: string): string => {
  clock.now = new Date(clock.now.getTime() + MINUTE_MS);
  return totpCode(secret, clock.now.getTime());
};

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

const sessionsOf = async (browser: { send: ReturnType<typeof testBrowser>['send'] }) =>
  (await browser.send('GET', '/account/sessions')).data.sessions;

/** Sets up an authenticator app; resolves to its secret and the recovery codes. */
async function enrolled(browser: TestBrowser): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await browser.send('POST', '/account/authenticator')).data;
  const code = totpCode(secret, clock.now.getTime());
  const { data } = await browser.send('PUT', '/account/authenticator', { code });
  return { secret, codes: data.recovery_codes };
}

/** A person with an authenticator app, who is logged in. */
async function person() {
  const company = await app.freshCompany();
  const { login } = company;
  const browser = testBrowser(app, AGENT);
  await browser.logIn(login);
  return { company, login, browser, ...(await enrolled(browser)) };
}

const give = (browser: TestBrowser, code: string) => browser.send('POST', '/login/second-factor', { code });

test('a person with an authenticator app has to give its code after the password, and each code works once', async () => {
  const { login, secret } = await person();
  const browser = testBrowser(app, AGENT);
  expect(await browser.logIn(login)).toEqual({
    status: 200,
    data: { next: 'second_factor', factors: ['code'] },
  });
  expect((await browser.send('GET', '/app')).status).toBe(401);
  expect((await browser.send('POST', '/refresh-token')).status).toBe(401);
  expect(await give(browser, '000000')).toMatchObject({ status: 422, data: expect.stringMatching(WRONG) });
  const code = nextCode(secret);
  expect((await give(browser, code)).data.access_token).toEqual(expect.any(String));
  expect((await browser.send('GET', '/app')).status).toBe(200);
  const other = testBrowser(app, AGENT);
  await other.logIn(login);
  expect((await give(other, code)).status).toBe(422);
  expect((await give(other, nextCode(secret))).status).toBe(200);
});

test('the app counts once a code of it was given, after a recent login only', async () => {
  const company = await app.freshCompany();
  const { login } = company;
  const browser = testBrowser(app, AGENT);
  await browser.logIn(login);
  const { secret } = (await browser.send('POST', '/account/authenticator')).data;
  expect((await browser.send('PUT', '/account/authenticator', { code: '000000' })).status).toBe(422);
  expect((await browser.send('GET', '/account/second-factors')).data).toMatchObject({
    has_authenticator: false,
    recovery_codes: 0,
  });
  clock.now = new Date(clock.now.getTime() + 11 * MINUTE_MS);
  const code = totpCode(secret, clock.now.getTime());
  expect((await browser.send('PUT', '/account/authenticator', { code })).status).toBe(403);
  await browser.send('POST', '/account/confirmation', { password: 'correct horse' });
  expect((await browser.send('PUT', '/account/authenticator', { code })).status).toBe(200);
  expect((await browser.send('GET', '/account/second-factors')).data).toMatchObject({
    has_authenticator: true,
    recovery_codes: 10,
  });
  expect((await browser.send('POST', '/account/authenticator')).status).toBe(409);
  const stored = await ctx.db.selectFrom('users').selectAll().where('uuid', '=', company.userId).execute();
  expect(JSON.stringify(stored)).not.toContain(secret);
});

test('changes of second factors require the password or a code again ten minutes after the login', async () => {
  const { browser, secret } = await person();
  clock.now = new Date(clock.now.getTime() + 11 * MINUTE_MS);
  expect((await browser.send('DELETE', '/account/authenticator')).status).toBe(403);
  expect((await browser.send('POST', '/account/recovery-codes')).status).toBe(403);
  expect((await browser.send('POST', '/account/confirmation', { code: '000000' })).status).toBe(422);
  expect((await browser.send('POST', '/account/confirmation', { code: nextCode(secret) })).status).toBe(200);
  expect((await browser.send('DELETE', '/account/authenticator')).status).toBe(200);
  expect((await browser.send('GET', '/account/second-factors')).data).toMatchObject({
    has_authenticator: false,
    recovery_codes: 0,
  });
});

test('a recovery code stands in for the app once, and its use is notified', async () => {
  const { company, login, codes } = await person();
  await ctx.db
    .updateTable('users')
    .set({ email: 'lost@example.com' })
    .where('uuid', '=', company.userId)
    .execute();
  expect(new Set(codes).size).toBe(10);
  expect(codes[0]).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){4}$/);
  const stored = await ctx.db.selectFrom('recovery_codes').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(codes[0]);
  const browser = testBrowser(app, AGENT);
  await browser.logIn(login);
  expect((await give(browser, codes[0]!.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
  const { data: notices } = await browser.send('GET', '/notifications');
  expect(notices.find(({ title }: { title: string }) => title === 'Recovery code used').text).toBe(
    `${login} logged in with a recovery code in place of the second factor. 9 codes are left.`,
  );
  await eventually(() => {
    expect(
      mails.find(({ to, text }) => to === 'lost@example.com' && text.includes('9 codes are left')),
    ).toBeDefined();
  });
  await browser.logIn(login);
  expect((await give(browser, codes[0]!)).status).toBe(422);
  expect((await give(browser, codes[1]!)).status).toBe(200);
  const renewed = await browser.send('POST', '/account/recovery-codes');
  await browser.logIn(login);
  expect((await give(browser, codes[2]!)).status).toBe(422);
  expect((await give(browser, renewed.data.recovery_codes[0])).status).toBe(200);
});

test('of two browsers that use a recovery code at once one logs in', async () => {
  const { login, codes } = await person();
  const browsers = [testBrowser(app, AGENT), testBrowser(app, AGENT)];
  for (const browser of browsers) await browser.logIn(login);
  const answers = await Promise.all(browsers.map((browser) => give(browser, codes[0]!)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

test('wrong codes of both kinds are counted together: pauses after three, none accepted after ten until an operator resets it', async () => {
  const { company, login, secret, codes } = await person();
  const browser = testBrowser(app, AGENT);
  await browser.logIn(login);
  for (const code of ['000000', 'aaaaa-aaaaa-aaaaa-aaaaa', '000000']) await give(browser, code);
  expect((await give(browser, codes[0]!)).status).toBe(422);
  for (let n = 3; n < 10; n += 1) {
    clock.now = new Date(clock.now.getTime() + 120 * MINUTE_MS);
    await browser.logIn(login);
    expect((await give(browser, '000000')).status).toBe(422);
  }
  clock.now = new Date(clock.now.getTime() + 24 * 60 * MINUTE_MS);
  await browser.logIn(login);
  expect((await give(browser, nextCode(secret))).status).toBe(422);
  expect((await give(browser, codes[0]!)).status).toBe(422);

  const path = `/companies/${company.companyId}/people/${company.userId}/second-factor`;
  expect((await app.operator('DELETE', path)).status).toBe(200);
  expect((await browser.logIn(login)).data.access_token).toEqual(expect.any(String));
  const { data } = await app.operator('GET', '/acts');
  expect(data.acts[0]).toMatchObject({ action: 'Reset the second factor of', name: login });
});

test('a begun login is of one browser, ends after ten minutes, with a new password and once it is complete', async () => {
  const { company, login, secret, codes } = await person();
  const over = { status: 422, data: 'This login took too long. Enter your login and password again.' };
  expect(await give(testBrowser(app, AGENT), codes[0]!)).toEqual(over);
  const browser = testBrowser(app, AGENT);
  await browser.logIn(login);
  clock.now = new Date(clock.now.getTime() + 11 * MINUTE_MS);
  expect(await give(browser, nextCode(secret))).toEqual(over);
  await browser.logIn(login);
  const step = browser.cookies.get('bidwell_login')!;
  await ctx.db
    .updateTable('users')
    .set({ password_hash: 'other' })
    .where('uuid', '=', company.userId)
    .execute();
  expect(await give(browser, codes[0]!)).toEqual(over);
  expect(step).toHaveLength(43);

  const other = await person();
  const again = testBrowser(app, AGENT);
  await again.logIn(other.login);
  const used = again.cookies.get('bidwell_login')!;
  await give(again, other.codes[0]!);
  again.deleteCookies();
  again.cookies.set('bidwell_login', used);
  expect(await give(again, other.codes[1]!)).toEqual(over);
});

/** A person who is logged in with two browsers. */
async function twice() {
  const company = await app.freshCompany();
  const { login } = company;
  const desk = testBrowser(app, FIREFOX);
  const phone = testBrowser(app, SAFARI);
  await desk.logIn(login);
  await phone.logIn(login);
  return { company, login, desk, phone };
}

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

test('a person ends one session or all others, at once, and no one else’s', async () => {
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
  // A proof in one session does not count in another.
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
  const { login } = company;
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
  desk.deleteCookies();
  await desk.logIn(login);
  expect(await noticesOf()).toHaveLength(2);
});

test('the browser of the registration is known, and 20 devices are remembered of an account', async () => {
  const visitor = testBrowser(app, FIREFOX);
  const registration = {
    email: 'a@example.com',
    password: 'correct horse',
    first_name: 'New',
    contact: 'none',
  };
  expect(
    (await visitor.send('POST', '/registration', { login: 'devices.many', ...registration })).status,
  ).toBe(201);
  const { user_id } = (await visitor.send('POST', '/refresh-token')).data;
  expect((await visitor.send('GET', '/notifications')).data).toEqual([]);
  for (let n = 0; n < 21; n += 1) await testBrowser(app, SAFARI).logIn('devices.many');
  const devices = ctx.db.selectFrom('known_devices').selectAll().where('account_uuid', '=', user_id);
  expect(await devices.execute()).toHaveLength(20);
  const cookie = visitor.cookies.get('bidwell_device');
  expect(cookie).toHaveLength(43);
  expect(JSON.stringify(await devices.execute())).not.toContain(cookie);
});

test.each([
  ['Acme: Ads', 'Acme Ads'],
  ['Acme:Ads', 'Acme Ads'],
  [' Acme  Ads: ', 'Acme Ads'],
  ['Bücher & Söhne', 'Bücher & Söhne'],
])('the brand %s is named %s to authenticator apps, with one colon before the login', (brand, issuer) => {
  const { pathname, searchParams } = new URL(totpUri(newTotpSecret(), 'ada', brand));
  expect(searchParams.get('issuer')).toBe(issuer);
  expect(decodeURIComponent(pathname).replace(/^\/+(totp\/)?/, '')).toBe(`${issuer}:ada`);
});
