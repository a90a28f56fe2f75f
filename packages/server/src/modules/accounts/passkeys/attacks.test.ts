import { apiMessages } from '@bidwell/contract/text/messages';
import { type TestBrowser, testBrowser } from '@bidwell/testing/sign-in/browser';
import { byteString, softwareAuthenticator, text } from '@bidwell/testing/sign-in/software-authenticator';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const ORIGIN = 'http://bidwell.test';
const app = await testApp();
const { ctx, clock } = app;
const REFUSED = { status: 422, data: apiMessages.passkeyRefused };

/** A person with a passkey, in a browser that is logged in. */
async function person() {
  const company = await app.freshCompany();
  const users = ctx.db.selectFrom('users').select('login').where('uuid', '=', company.userId);
  const { login } = await users.executeTakeFirstOrThrow();
  const browser = testBrowser(app, 'test');
  await browser.logIn(login);
  const authenticator = softwareAuthenticator(ORIGIN);
  const credential = authenticator.create(await creation(browser));
  await browser.send('POST', '/account/passkeys', { name: 'Phone', credential });
  return { company, login, browser, authenticator, passkey: credential.id };
}
const creation = async (browser: TestBrowser) =>
  (await browser.send('POST', '/account/passkeys/creation')).data;
const optionsOf = async (browser: TestBrowser) => (await browser.send('POST', '/login/passkey/options')).data;
const answer = async (browser: TestBrowser, credential: object) =>
  browser.send('POST', '/login/passkey', { credential });

test.each([
  ['of another origin', { origin: 'https://bidwe11.test' }],
  ['for another domain', { rpId: 'bidwe11.test' }],
  ['without user verification', { isVerified: false as const }],
  ['that does not say whose it is', { userHandle: null }],
  ['that says it is somebody else’s', { userHandle: Buffer.alloc(16).toString('base64url') }],
  ['to a challenge of its own', { challenge: Buffer.alloc(54).toString('base64url') }],
])('an answer %s logs nobody in', async (_name, lies) => {
  const { authenticator } = await person();
  const guest = testBrowser(app, 'test');
  const options = await optionsOf(guest);
  expect(await answer(guest, authenticator.get(options, lies))).toEqual(REFUSED);
  expect((await guest.send('GET', '/app')).status).toBe(401);
  expect((await answer(guest, authenticator.get(await optionsOf(guest)))).status).toBe(200);
});

test('an answer logs in once, in the browser that got the options, and within five minutes', async () => {
  const { authenticator } = await person();
  const guest = testBrowser(app, 'test');
  const options = await optionsOf(guest);
  const secret = guest.cookies.get('bidwell_passkey')!;
  const credential = authenticator.get(options);
  expect(await answer(testBrowser(app, 'test'), credential)).toEqual(REFUSED);
  const thief = testBrowser(app, 'test');
  await optionsOf(thief);
  expect(await answer(thief, credential)).toEqual(REFUSED);
  expect((await answer(guest, credential)).status).toBe(200);
  guest.forget();
  guest.cookies.set('bidwell_passkey', secret);
  expect(await answer(guest, credential)).toEqual(REFUSED);
  // With a greater counter too.
  guest.cookies.set('bidwell_passkey', secret);
  expect(await answer(guest, authenticator.get(options))).toEqual(REFUSED);

  const late = await optionsOf(guest);
  clock.now = new Date(clock.now.getTime() + 301_000);
  expect(await answer(guest, authenticator.get(late))).toEqual(REFUSED);
});

test('of two calls with one answer at once one logs in', async () => {
  const { authenticator } = await person();
  const guest = testBrowser(app, 'test');
  const credential = authenticator.get(await optionsOf(guest));
  const answers = await Promise.all([answer(guest, credential), answer(guest, credential)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

test('a challenge counts for what it was given alone', async () => {
  const { browser, login, authenticator } = await person();
  const guest = testBrowser(app, 'test');
  await guest.logIn(login);
  const { data: second } = await guest.send('POST', '/login/second-factor/passkey/options');
  const { data: proof } = await browser.send('POST', '/account/confirmation/passkey');
  const alone = await optionsOf(guest);
  expect(await answer(guest, authenticator.get(second))).toEqual(REFUSED);
  await optionsOf(guest);
  expect(await answer(guest, authenticator.get(proof))).toEqual(REFUSED);
  const credential = authenticator.get(alone);
  expect(await guest.send('POST', '/login/second-factor/passkey', { credential })).toEqual(REFUSED);
  expect((await browser.send('POST', '/account/confirmation', { passkey: credential })).status).toBe(422);
  // Of the same session.
  const { challenge } = await creation(browser);
  const passkey = authenticator.get(proof, { challenge });
  expect((await browser.send('POST', '/account/confirmation', { passkey })).status).toBe(422);
  expect(
    (await browser.send('POST', '/account/confirmation', { passkey: authenticator.get(proof) })).status,
  ).toBe(200);
});

test('the passkey of somebody else is no second factor, and no proof', async () => {
  const { browser, login } = await person();
  const other = await person();
  const guest = testBrowser(app, 'test');
  await guest.logIn(login);
  const { data: options } = await guest.send('POST', '/login/second-factor/passkey/options');
  const credential = other.authenticator.get(options, {}, other.passkey);
  expect(await guest.send('POST', '/login/second-factor/passkey', { credential })).toEqual(REFUSED);
  const { data: proof } = await browser.send('POST', '/account/confirmation/passkey');
  const passkey = other.authenticator.get(proof, {}, other.passkey);
  expect((await browser.send('POST', '/account/confirmation', { passkey })).status).toBe(422);
});

test('a counter that goes back is refused and its person notified, from a right signature only', async () => {
  const { browser, authenticator } = await person();
  const guest = testBrowser(app, 'test');
  expect((await answer(guest, authenticator.get(await optionsOf(guest), { counter: 7 }))).status).toBe(200);
  const noticesOf = async () => {
    const { data } = await browser.send('GET', '/notifications');
    return data.filter(({ title }: { title: string }) => title === 'Passkey refused').length;
  };
  const forged = authenticator.get(await optionsOf(guest), { counter: 3 });
  forged.response.signature = authenticator.get(await optionsOf(guest)).response.signature;
  expect(await answer(guest, forged)).toEqual(REFUSED);
  expect(await noticesOf()).toBe(0);
  for (const counter of [7, 0])
    expect(await answer(guest, authenticator.get(await optionsOf(guest), { counter }))).toEqual(REFUSED);
  expect(await noticesOf()).toBe(2);
  expect((await answer(guest, authenticator.get(await optionsOf(guest), { counter: 8 }))).status).toBe(200);
});

test.each([
  ['of another origin', { origin: 'https://bidwe11.test' }],
  ['for another domain', { rpId: 'bidwe11.test' }],
  ['without user verification', { isVerified: false as const }],
])('a passkey made %s is not added', async (_name, lies) => {
  const { browser } = await person();
  const credential = softwareAuthenticator(ORIGIN).create(await creation(browser), lies);
  expect(await browser.send('POST', '/account/passkeys', { name: 'Other', credential })).toEqual(REFUSED);
});

test('a passkey is added once, in the session that began it, to one account', async () => {
  const { browser, login, passkey } = await person();
  const options = await creation(browser);
  const credential = softwareAuthenticator(ORIGIN).create(options);
  const added = (at: TestBrowser) => at.send('POST', '/account/passkeys', { name: 'Other', credential });
  expect(await added((await person()).browser)).toEqual(REFUSED);
  expect((await added(browser)).status).toBe(201);
  expect(await added(browser)).toEqual(REFUSED);

  const thief = await person();
  const copy = softwareAuthenticator(ORIGIN).create(await creation(thief.browser));
  const stolen = { name: 'Mine', credential: { ...copy, id: passkey, rawId: passkey } };
  expect(await thief.browser.send('POST', '/account/passkeys', stolen)).toEqual(REFUSED);
  expect((await testBrowser(app, 'test').logIn(login)).data.factors).toEqual(['passkey']);
});

test('an attestation with certificates, which nobody asked for, is not added', async () => {
  const { browser } = await person();
  const certificates = Buffer.concat([Buffer.from([0x81]), byteString(Buffer.from('certificate'))]);
  const statement = Buffer.concat([
    Buffer.from([0xa3]),
    text('alg'),
    Buffer.from([0x26]),
    text('sig'),
    byteString(Buffer.from('signature')),
    text('x5c'),
    certificates,
  ]);
  for (const format of ['packed', 'tpm', 'android-safetynet']) {
    const lies = { attestation: { format, statement } };
    const credential = softwareAuthenticator(ORIGIN).create(await creation(browser), lies);
    expect(await browser.send('POST', '/account/passkeys', { name: 'Other', credential })).toEqual(REFUSED);
  }
});
