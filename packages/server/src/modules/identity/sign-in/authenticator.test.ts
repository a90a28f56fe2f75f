import { expect, test } from 'vitest';
import { type TestBrowser, testBrowser } from '@bidwell/testing/sign-in/browser';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { totpCode } from './totp.ts';

const { url, mails } = await mailServer();
const app = await testApp({ SMTP_URL: url });
const { ctx, clock } = app;

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const MINUTE_MS = 60_000;
const WRONG = /^This code is wrong or was used/;

const loginOf = async ({ userId }: TestCompany): Promise<string> => {
  const users = ctx.db.selectFrom('users').select('login').where('uuid', '=', userId);
  return (await users.executeTakeFirstOrThrow()).login;
};
/** Moves the clock on, so that the app shows its next code. */
const nextCode = (secret: string): string => {
  clock.now = new Date(clock.now.getTime() + MINUTE_MS);
  return totpCode(secret, clock.now.getTime());
};
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
  const login = await loginOf(company);
  const browser = testBrowser(app, AGENT);
  await browser.logIn(login);
  return { company, login, browser, ...(await enrolled(browser)) };
}
const give = (browser: TestBrowser, code: string) => browser.send('POST', '/login/second-factor', { code });

test('whoever has an authenticator app is asked for its code after the password, and each code works once', async () => {
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
  const login = await loginOf(company);
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

test('changes of second factors ask for the password or a code again ten minutes after the login', async () => {
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
  again.forget();
  again.cookies.set('bidwell_login', used);
  expect(await give(again, other.codes[1]!)).toEqual(over);
});
