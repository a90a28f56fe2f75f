import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import { type TestBrowser, testBrowser } from '@bidwell/testing/sign-in/browser';
import { operatorsWithPasskeys, peopleWithPasskeys } from '@bidwell/testing/sign-in/passkey-holders';
import {
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '@bidwell/testing/sign-in/software-authenticator';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const ORIGIN = 'http://bidwell.test';
const app = await testApp({ ADMIN_PORT: '9090', ADMIN_HOST: '127.0.0.1' });
const { clock } = app;
const REFUSED = { status: 401, data: operatorApiMessages.wrongOperatorPasskey };

const newBrowser = () => testBrowser(app, 'test', '/api/operator');
const later = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000);
};
/** Makes a passkey and adds it to the account. */
async function add(browser: TestBrowser, authenticator: SoftwareAuthenticator, name = 'Phone') {
  const { data: options } = await browser.send('POST', '/session/passkeys/creation');
  return browser.send('POST', '/session/passkeys', { name, credential: authenticator.create(options) });
}
/** An operator with an authenticator app and no passkey. */
async function newOperator() {
  const { uuid, login, password, code } = await app.freshOperator('viewer');
  return { uuid, credentials: { login, password }, code };
}
/** An operator with a passkey, who is logged in. */
async function operator() {
  const { uuid, credentials, code } = await newOperator();
  const browser = newBrowser();
  await browser.send('POST', '/session', { ...credentials, code: code() });
  const authenticator = softwareAuthenticator(ORIGIN);
  const { data: passkey } = await add(browser, authenticator);
  return { uuid, credentials, code, browser, authenticator, passkey };
}
/** Logs in by a passkey alone in a new browser. */
async function logInAlone(authenticator: SoftwareAuthenticator, browser = newBrowser()) {
  const { data: options } = await browser.send('POST', '/session/passkey/options');
  return browser.send('POST', '/session/passkey', { credential: authenticator.get(options) });
}
/** Logs in by a password and a passkey in a new browser. */
async function logInByBoth(
  credentials: { login: string; password: string },
  authenticator: SoftwareAuthenticator,
  browser = newBrowser(),
) {
  const { data: options } = await browser.send('POST', '/session/second-factor/passkey/options');
  return browser.send('POST', '/session', { ...credentials, passkey: authenticator.get(options) });
}
const actsOn = async (login: string) => {
  const { acts } = (await app.operator('GET', '/acts?limit=100')).data;
  return acts.filter(({ name }: { name: string }) => name === login).toReversed();
};

test('a passkey logs an operator in alone, without a password and a code, and its use is noted', async () => {
  const { browser, credentials, authenticator, passkey } = await operator();
  expect(passkey).toMatchObject({ name: 'Phone', is_synced: false, last_used_at: null });
  const guest = newBrowser();
  const { data: options } = await guest.send('POST', '/session/passkey/options');
  expect(options).toMatchObject({ rpId: 'bidwell.test', userVerification: 'required', allowCredentials: [] });
  const answer = await guest.send('POST', '/session/passkey', { credential: authenticator.get(options) });
  expect(answer).toMatchObject({ status: 200, data: { login: credentials.login, role: 'viewer' } });
  expect((await guest.send('GET', '/session')).data.last_login_at).toBe(clock.now.toISOString());
  const { data: passkeys } = await browser.send('GET', '/session/passkeys');
  expect(passkeys).toEqual([{ ...passkey, last_used_at: clock.now.toISOString() }]);
  expect((await guest.send('GET', '/session/second-factors')).data).toMatchObject({
    has_authenticator: true,
    passkeys: 1,
  });
});

test('a passkey stands in for the code after the password, and codes and recovery codes go on to work', async () => {
  const { browser, credentials, authenticator, code } = await operator();
  const { recovery_codes: codes } = (await browser.send('POST', '/session/recovery-codes')).data;
  const guest = newBrowser();
  expect(await guest.send('POST', '/session', credentials)).toEqual({ status: 200, data: { next: 'code' } });
  expect(await logInByBoth(credentials, authenticator, guest)).toMatchObject({
    status: 200,
    data: { next: 'session', operator: { login: credentials.login } },
  });
  expect((await guest.send('GET', '/session')).status).toBe(200);
  later(1);
  for (const given of [code(), codes[0]])
    expect((await newBrowser().send('POST', '/session', { ...credentials, code: given })).status).toBe(200);
});

test('a passkey does not reveal whether a password is right, or who has a passkey', async () => {
  const { credentials, authenticator } = await operator();
  const other = await operator();
  const { credentials: without } = await newOperator();
  const attempts = [
    [{ ...credentials, password: 'wrong' }, authenticator],
    [{ ...credentials, login: 'nobody.at.all' }, authenticator],
    [credentials, other.authenticator],
    [without, authenticator],
  ] as const;
  for (const [given, by] of attempts) {
    const guest = newBrowser();
    const { data: options } = await guest.send('POST', '/session/second-factor/passkey/options');
    expect(options.allowCredentials).toEqual([]);
    const passkey = by.get(options);
    expect(await guest.send('POST', '/session', { ...given, passkey })).toEqual(REFUSED);
  }
});

test('wrong passwords with a passkey are limited for the account', async () => {
  const { credentials, authenticator } = await operator();
  const guest = newBrowser();
  const wrong = { ...credentials, password: 'wrong' };
  const statuses = [];
  for (let n = 0; n < 11; n += 1) statuses.push((await logInByBoth(wrong, authenticator, guest)).status);
  expect(statuses.slice(0, 10)).not.toContain(429);
  expect(statuses.at(-1)).toBe(429);
});

test('an address begins sixty logins by passkey a minute at most', async () => {
  const guest = newBrowser();
  const options = async () => (await guest.send('POST', '/session/passkey/options')).status;
  for (let n = 0; n < 60; n += 1) expect(await options()).toBe(200);
  expect(await options()).toBe(429);
});

test('passkeys are renamed and removed, the last one too, and the audit log names each change', async () => {
  const { browser, credentials, authenticator, passkey } = await operator();
  const path = `/session/passkeys/${passkey.uuid}`;
  expect((await browser.send('PUT', path, { name: 'Key' })).data).toEqual({ ...passkey, name: 'Key' });
  expect(await browser.send('DELETE', path)).toEqual({ status: 200, data: { removed: true } });
  expect((await browser.send('DELETE', path)).status).toBe(404);
  expect((await browser.send('PUT', path, { name: 'Key' })).status).toBe(404);
  expect((await browser.send('GET', '/session/passkeys')).data).toEqual([]);
  expect((await logInAlone(authenticator)).status).toBe(422);
  expect(await logInByBoth(credentials, authenticator)).toEqual(REFUSED);
  expect((await browser.send('POST', '/session/confirmation/passkey')).status).toBe(409);
  const acts = await actsOn(credentials.login);
  expect(acts.filter((act: { operator: string }) => act.operator === credentials.login)).toMatchObject([
    { action: 'Added a passkey of', before: { passkey: null }, after: { passkey: 'Phone' } },
    { action: 'Renamed a passkey of', before: { passkey: 'Phone' }, after: { passkey: 'Key' } },
    { action: 'Removed a passkey of', before: { passkey: 'Key' }, after: { passkey: null } },
  ]);
});

test('changes of passkeys ask an operator for a recent proof, which a passkey gives', async () => {
  const { browser, authenticator, passkey } = await operator();
  later(11);
  const path = `/session/passkeys/${passkey.uuid}`;
  expect((await browser.send('POST', '/session/passkeys/creation')).status).toBe(403);
  expect((await browser.send('PUT', path, { name: 'Key' })).status).toBe(403);
  expect((await browser.send('DELETE', path)).status).toBe(403);
  const { data: options } = await browser.send('POST', '/session/confirmation/passkey');
  expect(options.allowCredentials).toHaveLength(1);
  const proof = { passkey: authenticator.get(options) };
  expect((await browser.send('POST', '/session/confirmation', proof)).status).toBe(200);
  expect((await browser.send('DELETE', path)).status).toBe(200);
});

test('an operator has 20 passkeys at most', async () => {
  const { browser, authenticator } = await operator();
  const { data: options } = await browser.send('POST', '/session/passkeys/creation');
  const credential = authenticator.create(options);
  for (let n = 1; n < 20; n += 1) expect((await add(browser, authenticator)).status).toBe(201);
  const refused = { status: 409, data: accountApiMessages.passkeysFull };
  expect(await browser.send('POST', '/session/passkeys/creation')).toEqual(refused);
  expect(await browser.send('POST', '/session/passkeys', { name: 'More', credential })).toEqual(refused);
});

test('a reset by another admin removes the passkeys and ends the sessions, and the audit log names them', async () => {
  const { uuid, browser, credentials, authenticator } = await operator();
  await add(browser, authenticator, 'Laptop');
  const reset = { reset_authenticator: true };
  expect((await app.operator('PATCH', `/operators/${uuid}`, reset)).data.enrolled).toBe(false);
  expect((await browser.send('GET', '/session')).status).toBe(401);
  expect((await logInAlone(authenticator)).status).toBe(422);
  expect(await logInByBoth(credentials, authenticator)).toEqual(REFUSED);
  expect((await newBrowser().send('POST', '/session', credentials)).data.next).toBe('enrol');
  expect((await actsOn(credentials.login)).at(-1)).toMatchObject({
    action: 'Changed',
    before: { passkeys: 'Phone, Laptop' },
    after: { authenticator: 'reset', passkeys: 'removed' },
  });
});

test('a passkey logs in no operator who is deactivated, and again one who is active', async () => {
  const { uuid, credentials, authenticator } = await operator();
  const beforehand = newBrowser();
  const { data: options } = await beforehand.send('POST', '/session/passkey/options');
  await app.operator('PATCH', `/operators/${uuid}`, { active: false });
  const credential = authenticator.get(options);
  expect((await beforehand.send('POST', '/session/passkey', { credential })).status).toBe(422);
  expect(await logInByBoth(credentials, authenticator)).toEqual(REFUSED);
  await app.operator('PATCH', `/operators/${uuid}`, { active: true });
  expect((await logInAlone(authenticator)).status).toBe(200);
});

test('passkeys work at the port of the operator console too', async () => {
  const { calls } = operatorsWithPasskeys(app);
  const { authenticator } = await operator();
  const answerAt = async (origin: string) => {
    const guest = newBrowser();
    const { data: options } = await calls.optionsAlone(guest);
    expect(options.rpId).toBe('bidwell.test');
    return (await calls.logInAlone(guest, authenticator.get(options, { origin }))).status;
  };
  expect(await answerAt(`${ORIGIN}:9090`)).toBe(200);
  expect(await answerAt(ORIGIN)).toBe(200);
  expect(await answerAt(`${ORIGIN}:9091`)).toBe(422);
  // For people it is not an allowed origin.
  const person = peopleWithPasskeys(app);
  const guest = person.newBrowser();
  const { authenticator: phone } = await person.holder();
  const { data: options } = await person.calls.optionsAlone(guest);
  const credential = phone.get(options, { origin: `${ORIGIN}:9090` });
  expect((await person.calls.logInAlone(guest, credential)).status).toBe(422);
});

test('the holder of the token has no passkeys', async () => {
  const uuid = '01890000-0000-7000-8000-000000000000';
  expect((await app.operator('GET', '/session/passkeys')).status).toBe(404);
  expect((await app.operator('POST', '/session/passkeys/creation')).status).toBe(404);
  expect((await app.operator('DELETE', `/session/passkeys/${uuid}`)).status).toBe(404);
  expect((await app.operator('POST', '/session/confirmation/passkey')).status).toBe(404);
});
