import { DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import { messages } from '@bidwell/contract/text/messages';
import { type TestBrowser, testBrowser } from '@bidwell/testing/sign-in/browser';
import {
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '@bidwell/testing/sign-in/software-authenticator';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, onTestFinished, test, vi } from 'vitest';
import { totpCode } from '../sign-in/totp.ts';

const ORIGIN = 'http://bidwell.test';
const MINUTE_MS = 60_000;
const AGENT = 'test';
const app = await testApp();
const { ctx, clock } = app;

const loginOf = async ({ userId }: TestCompany): Promise<string> => {
  const users = ctx.db.selectFrom('users').select('login').where('uuid', '=', userId);
  return (await users.executeTakeFirstOrThrow()).login;
};
const later = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * MINUTE_MS);
};
/** Makes a passkey and adds it to the account. */
async function add(browser: TestBrowser, authenticator: SoftwareAuthenticator, name = 'Phone') {
  const { data: options } = await browser.send('POST', '/account/passkeys/creation');
  return browser.send('POST', '/account/passkeys', { name, credential: authenticator.create(options) });
}
/** A person with a passkey, who is logged in. */
async function person(isCounting = true) {
  const company = await app.freshCompany();
  const login = await loginOf(company);
  const browser = testBrowser(app, AGENT);
  await browser.logIn(login);
  const authenticator = softwareAuthenticator(ORIGIN, isCounting);
  const added = await add(browser, authenticator);
  return { company, login, browser, authenticator, ...added.data };
}
/** Logs in by a passkey alone in a new browser. */
async function logInAlone(authenticator: SoftwareAuthenticator, browser = testBrowser(app, AGENT)) {
  const { data: options } = await browser.send('POST', '/login/passkey/options');
  return browser.send('POST', '/login/passkey', { credential: authenticator.get(options) });
}

test('a passkey logs in alone, without a password, and its use is noted', async () => {
  const { browser, authenticator, passkey } = await person();
  expect(passkey).toMatchObject({ name: 'Phone', is_synced: false, last_used_at: null });
  const guest = testBrowser(app, AGENT);
  const { data: options } = await guest.send('POST', '/login/passkey/options');
  expect(options).toMatchObject({ rpId: 'bidwell.test', userVerification: 'required', allowCredentials: [] });
  const answer = await guest.send('POST', '/login/passkey', { credential: authenticator.get(options) });
  expect(answer.data.access_token).toEqual(expect.any(String));
  expect((await guest.send('GET', '/app')).status).toBe(200);
  expect((await guest.send('POST', '/refresh-token')).status).toBe(200);
  const { data: passkeys } = await browser.send('GET', '/account/passkeys');
  expect(passkeys).toEqual([{ ...passkey, last_used_at: clock.now.toISOString() }]);
});

test('whoever has a passkey is asked for it after the password, or for a recovery code', async () => {
  const { login, authenticator, recovery_codes: codes } = await person();
  expect(codes).toHaveLength(10);
  const guest = testBrowser(app, AGENT);
  expect(await guest.logIn(login)).toEqual({
    status: 200,
    data: { next: 'second_factor', factors: ['passkey'] },
  });
  expect((await guest.send('GET', '/app')).status).toBe(401);
  const { data: options } = await guest.send('POST', '/login/second-factor/passkey/options');
  expect(options.allowCredentials).toHaveLength(1);
  const credential = authenticator.get(options);
  const answer = await guest.send('POST', '/login/second-factor/passkey', { credential });
  expect(answer.data.access_token).toEqual(expect.any(String));
  await guest.logIn(login);
  expect((await guest.send('POST', '/login/second-factor', { code: codes[0] })).status).toBe(200);
});

test('recovery codes come with the first second factor and end with the last one', async () => {
  const { browser, login, authenticator, passkey, recovery_codes: codes } = await person();
  const { secret } = (await browser.send('POST', '/account/authenticator')).data;
  const pending = testBrowser(app, AGENT);
  await pending.logIn(login);
  const code = () => totpCode(secret, clock.now.getTime());
  // The app is not set up to the end, so a code of it is no second factor yet.
  expect((await pending.send('POST', '/login/second-factor', { code: code() })).status).toBe(422);
  const enabled = await browser.send('PUT', '/account/authenticator', { code: code() });
  expect(enabled).toEqual({ status: 200, data: { recovery_codes: [] } });
  expect((await add(browser, authenticator, 'Laptop')).data.recovery_codes).toEqual([]);
  const second = testBrowser(app, AGENT);
  expect((await second.logIn(login)).data.factors).toEqual(['code', 'passkey']);
  expect((await second.send('POST', '/login/second-factor', { code: codes[3] })).status).toBe(200);
  const own = async () => (await browser.send('GET', '/account/second-factors')).data;
  expect(await own()).toMatchObject({ has_authenticator: true, passkeys: 2, recovery_codes: 9 });
  for (const { uuid } of (await browser.send('GET', '/account/passkeys')).data)
    expect((await browser.send('DELETE', `/account/passkeys/${uuid}`)).status).toBe(200);
  expect(await own()).toMatchObject({ passkeys: 0, recovery_codes: 9 });
  expect((await browser.send('DELETE', '/account/authenticator')).status).toBe(200);
  expect(await own()).toMatchObject({ has_authenticator: false, recovery_codes: 0 });
  expect((await browser.send('DELETE', `/account/passkeys/${passkey.uuid}`)).status).toBe(404);
  expect((await second.logIn(login)).data.access_token).toEqual(expect.any(String));
  expect((await logInAlone(authenticator)).status).toBe(422);
});

test('a passkey is renamed and written to the change log, its owner is notified of it, and no other person reaches it', async () => {
  const { browser, login, passkey } = await person();
  const other = await person();
  const path = `/account/passkeys/${passkey.uuid}`;
  expect((await other.browser.send('PUT', path, { name: 'Mine' })).status).toBe(404);
  expect((await other.browser.send('DELETE', path)).status).toBe(404);
  expect((await browser.send('PUT', path, { name: 'Key' })).data).toEqual({ ...passkey, name: 'Key' });
  const { data: notices } = await browser.send('GET', '/notifications');
  expect(notices.find(({ title }: { title: string }) => title === 'Passkey added').text).toBe(
    `${login} can log in with the passkey “Phone” from now on.`,
  );
  await browser.send('DELETE', path);
  const changes = ctx.db.selectFrom('changes').select('fields').where('entity_name', '=', login);
  const logged = (await changes.orderBy('created_at').orderBy('uuid').execute()).flatMap(({ fields }) =>
    (fields as { field: string; before: unknown; after: unknown }[]).filter(
      ({ field }) => field === 'passkey',
    ),
  );
  expect(logged).toMatchObject([
    { before: null, after: 'Phone' },
    { before: 'Phone', after: 'Key' },
    { before: 'Key', after: null },
  ]);
});

test('changes of passkeys ask for a recent proof, which a passkey gives', async () => {
  const { browser, authenticator, passkey } = await person();
  later(11);
  const path = `/account/passkeys/${passkey.uuid}`;
  expect((await browser.send('POST', '/account/passkeys/creation')).status).toBe(403);
  expect((await browser.send('PUT', path, { name: 'Key' })).status).toBe(403);
  expect((await browser.send('DELETE', path)).status).toBe(403);
  const { data: options } = await browser.send('POST', '/account/confirmation/passkey');
  const proof = { passkey: authenticator.get(options) };
  expect((await browser.send('POST', '/account/confirmation', proof)).status).toBe(200);
  expect((await browser.send('DELETE', path)).status).toBe(200);
});

test('a passkey meets what the company requires, and the last one cannot be removed then', async () => {
  const owner = await person();
  const { companyId } = owner.company;
  const rule = { second_factor_required: true };
  const closed = vi.spyOn(ctx, 'onSessionsEnded');
  expect((await owner.company.call('PUT', `/company/${companyId}`, rule)).status).toBe(200);
  expect(closed.mock.calls.flat(2)).toEqual([]);
  closed.mockRestore();
  const guest = await app.freshPerson(owner.company, 'analyst');
  expect(await guest.call('GET', '/app')).toMatchObject({ status: 403, data: messages.secondFactorRequired });
  const { data: options } = await guest.call('POST', '/account/passkeys/creation');
  const credential = softwareAuthenticator(ORIGIN).create(options);
  const { data } = await guest.call('POST', '/account/passkeys', { name: 'Phone', credential });
  expect((await guest.call('GET', '/app')).status).toBe(200);
  expect((await guest.call('DELETE', `/account/passkeys/${data.passkey.uuid}`)).status).toBe(409);
  expect((await guest.call('GET', '/account/passkeys')).data).toHaveLength(1);
});

test('an account has 20 passkeys at most, and no passkey twice', async () => {
  const { browser, authenticator } = await person(false);
  const { data: options } = await browser.send('POST', '/account/passkeys/creation');
  const credential = authenticator.create(options);
  const first = await browser.send('POST', '/account/passkeys', { name: 'Synced', credential });
  expect(first.data.passkey).toMatchObject({ name: 'Synced', is_synced: true });
  for (let n = 2; n < 20; n += 1) expect((await add(browser, authenticator)).status).toBe(201);
  expect((await browser.send('POST', '/account/passkeys/creation')).status).toBe(409);
});

test('an operator removes the passkeys of a person who lost them', async () => {
  const { company, login, authenticator } = await person();
  const path = `/companies/${company.companyId}/people/${company.userId}/second-factor`;
  expect((await app.operator('DELETE', path)).status).toBe(200);
  expect((await logInAlone(authenticator)).status).toBe(422);
  expect((await testBrowser(app, AGENT).logIn(login)).data.access_token).toEqual(expect.any(String));
});

test('passkeys work at the domains of the brand too, which browsers read at a known address', async () => {
  const { authenticator } = await person();
  const answerAt = async (origin: string) => {
    const guest = testBrowser(app, AGENT);
    const { data: options } = await guest.send('POST', '/login/passkey/options');
    expect(options.rpId).toBe('bidwell.test');
    const credential = authenticator.get(options, { origin });
    return (await guest.send('POST', '/login/passkey', { credential })).status;
  };
  const related = async () => (await app.http.inject({ url: '/.well-known/webauthn' })).json();
  expect(await answerAt('http://ads.acme.example')).toBe(422);
  expect(await related()).toEqual({ origins: [ORIGIN] });
  const brand = { ...DEFAULT_BRAND, name: 'Acme Ads', domains: ['ads.acme.example'] };
  expect((await app.operator('PUT', '/brand', brand)).status).toBe(200);
  onTestFinished(async () => void (await app.operator('PUT', '/brand', DEFAULT_BRAND)));
  expect(await related()).toEqual({ origins: [ORIGIN, 'http://ads.acme.example'] });
  expect(await answerAt('http://ads.acme.example')).toBe(200);
  expect(await answerAt('https://ads.acme.example')).toBe(422);
  expect(await answerAt(ORIGIN)).toBe(200);

  const { browser } = await person();
  const { data: options } = await browser.send('POST', '/account/passkeys/creation');
  expect(options.rp).toEqual({ id: 'bidwell.test', name: 'Acme Ads' });
});
