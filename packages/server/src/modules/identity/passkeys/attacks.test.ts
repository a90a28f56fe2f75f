import { apiMessages } from '@bidwell/contract/text/messages';
import type { TestBrowser } from '@bidwell/testing/sign-in/browser';
import { operatorsWithPasskeys, peopleWithPasskeys } from '@bidwell/testing/sign-in/passkey-holders';
import { byteString, softwareAuthenticator, text } from '@bidwell/testing/sign-in/software-authenticator';
import { testApp } from '@bidwell/testing/test-app';
import { describe, expect, test } from 'vitest';

const ORIGIN = 'http://bidwell.test';
const app = await testApp();
const { clock } = app;
const REFUSED = { status: 422, data: apiMessages.passkeyRefused };

const people = peopleWithPasskeys(app);
const operators = operatorsWithPasskeys(app);

describe.each([
  ['people', people],
  ['operators', operators],
])('%s', (_kind, { calls, holder, newBrowser, refusedFactor }) => {
  const creation = async (browser: TestBrowser) => (await calls.creation(browser)).data;
  const optionsOf = async (browser: TestBrowser) => (await calls.optionsAlone(browser)).data;
  const answer = calls.logInAlone;

  test.each([
    ['of another origin', { origin: 'https://bidwe11.test' }],
    ['for another domain', { rpId: 'bidwe11.test' }],
    ['without user verification', { isVerified: false as const }],
    ['that does not say whose it is', { userHandle: null }],
    ['that says it is somebody else’s', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['to a challenge of its own', { challenge: Buffer.alloc(54).toString('base64url') }],
  ])('an answer %s logs nobody in', async (_name, lies) => {
    const { authenticator } = await holder();
    const guest = newBrowser();
    const options = await optionsOf(guest);
    expect(await answer(guest, authenticator.get(options, lies))).toEqual(REFUSED);
    expect(await calls.read(guest)).toBe(401);
    expect((await answer(guest, authenticator.get(await optionsOf(guest)))).status).toBe(200);
    expect(await calls.read(guest)).toBe(200);
  });

  test.each([
    ['of another origin', { origin: 'https://bidwe11.test' }],
    ['for another domain', { rpId: 'bidwe11.test' }],
    ['without user verification', { isVerified: false as const }],
    ['to a challenge of its own', { challenge: Buffer.alloc(54).toString('base64url') }],
  ])('an answer %s completes no login', async (_name, lies) => {
    const { authenticator, credentialId, beginLogin, completeLogin } = await holder();
    const guest = newBrowser();
    const { data: options } = await beginLogin(guest);
    const lie = authenticator.get(options, lies, credentialId);
    expect(await completeLogin(guest, lie)).toEqual(refusedFactor);
    expect(await calls.read(guest)).toBe(401);
    const { data: again } = await beginLogin(guest);
    expect((await completeLogin(guest, authenticator.get(again))).status).toBe(200);
    expect(await calls.read(guest)).toBe(200);
  });

  test('a challenge that is no text is refused, whatever a buffer is made of it', async () => {
    const { authenticator, browser, credentialId } = await holder();
    const guest = newBrowser();
    const disguised = ({ challenge }: { challenge: string }) => Buffer.from(challenge, 'base64url').toJSON();
    const options = await optionsOf(guest);
    const lies = { challenge: disguised(options) };
    expect(await answer(guest, authenticator.get(options, lies, credentialId))).toEqual(REFUSED);
    const { data: proof } = await calls.proofOptions(browser);
    const passkey = authenticator.get(proof, { challenge: disguised(proof) });
    expect((await calls.prove(browser, passkey)).status).toBe(422);
    const made = await creation(browser);
    const credential = softwareAuthenticator(ORIGIN).create(made, { challenge: disguised(made) });
    expect(await calls.add(browser, { name: 'Other', credential })).toEqual(REFUSED);
  });

  test('an answer logs in once, in the browser that got the options, and within five minutes', async () => {
    const { authenticator } = await holder();
    const guest = newBrowser();
    const options = await optionsOf(guest);
    const secret = guest.cookies.get(calls.cookie)!;
    const credential = authenticator.get(options);
    expect(await answer(newBrowser(), credential)).toEqual(REFUSED);
    const thief = newBrowser();
    await optionsOf(thief);
    expect(await answer(thief, credential)).toEqual(REFUSED);
    expect((await answer(guest, credential)).status).toBe(200);
    guest.forget();
    guest.cookies.set(calls.cookie, secret);
    expect(await answer(guest, credential)).toEqual(REFUSED);
    // With a greater counter too.
    guest.cookies.set(calls.cookie, secret);
    expect(await answer(guest, authenticator.get(options))).toEqual(REFUSED);

    const late = await optionsOf(guest);
    clock.now = new Date(clock.now.getTime() + 301_000);
    expect(await answer(guest, authenticator.get(late))).toEqual(REFUSED);
  });

  test('of two calls with one answer at once one logs in', async () => {
    const { authenticator } = await holder();
    const guest = newBrowser();
    const credential = authenticator.get(await optionsOf(guest));
    const answers = await Promise.all([answer(guest, credential), answer(guest, credential)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  test('a challenge counts for what it was given alone', async () => {
    const { browser, authenticator, credentialId, beginLogin, completeLogin } = await holder();
    const guest = newBrowser();
    const { data: second } = await beginLogin(guest);
    const { data: proof } = await calls.proofOptions(browser);
    const cookie = guest.cookies.get(calls.cookie);
    const alone = await optionsOf(guest);
    const secret = guest.cookies.get(calls.cookie)!;
    // Where one cookie is both's, the one that the challenge was given with.
    if (cookie !== undefined) guest.cookies.set(calls.cookie, cookie);
    expect(await answer(guest, authenticator.get(second))).toEqual(REFUSED);
    await optionsOf(guest);
    expect(await answer(guest, authenticator.get(proof))).toEqual(REFUSED);
    guest.cookies.set(calls.cookie, secret);
    const credential = authenticator.get(alone, {}, credentialId);
    expect(await completeLogin(guest, credential)).toEqual(refusedFactor);
    expect((await calls.prove(browser, credential)).status).toBe(422);
    // Of the same session.
    const { challenge } = await creation(browser);
    expect((await calls.prove(browser, authenticator.get(proof, { challenge }))).status).toBe(422);
    expect((await calls.prove(browser, authenticator.get(proof))).status).toBe(200);
  });

  test('the passkey of somebody else is no second factor, and no proof', async () => {
    const { browser, beginLogin, completeLogin } = await holder();
    const other = await holder();
    const guest = newBrowser();
    const { data: options } = await beginLogin(guest);
    const credential = other.authenticator.get(options, {}, other.credentialId);
    expect(await completeLogin(guest, credential)).toEqual(refusedFactor);
    const { data: proof } = await calls.proofOptions(browser);
    const passkey = other.authenticator.get(proof, {}, other.credentialId);
    expect((await calls.prove(browser, passkey)).status).toBe(422);
  });

  test('nobody lists, renames or removes the passkey of somebody else', async () => {
    const { browser, uuid } = await holder();
    const other = await holder();
    expect((await other.browser.send('PUT', calls.path(uuid), { name: 'Mine' })).status).toBe(404);
    expect((await other.browser.send('DELETE', calls.path(uuid))).status).toBe(404);
    const { data: listed } = await calls.list(browser);
    expect(listed).toMatchObject([{ uuid, name: 'Phone' }]);
    expect(JSON.stringify((await calls.list(other.browser)).data)).not.toContain(uuid);
  });

  test('a counter that goes back is refused and its person notified, from a right signature only', async () => {
    const { authenticator, refusedCopies } = await holder();
    const guest = newBrowser();
    expect((await answer(guest, authenticator.get(await optionsOf(guest), { counter: 7 }))).status).toBe(200);
    const forged = authenticator.get(await optionsOf(guest), { counter: 3 });
    forged.response.signature = authenticator.get(await optionsOf(guest)).response.signature;
    expect(await answer(guest, forged)).toEqual(REFUSED);
    expect(await refusedCopies()).toBe(0);
    for (const counter of [7, 0])
      expect(await answer(guest, authenticator.get(await optionsOf(guest), { counter }))).toEqual(REFUSED);
    expect(await refusedCopies()).toBe(2);
    expect((await answer(guest, authenticator.get(await optionsOf(guest), { counter: 8 }))).status).toBe(200);
  });

  test.each([
    ['of another origin', { origin: 'https://bidwe11.test' }],
    ['for another domain', { rpId: 'bidwe11.test' }],
    ['without user verification', { isVerified: false as const }],
  ])('a passkey made %s is not added', async (_name, lies) => {
    const { browser } = await holder();
    const credential = softwareAuthenticator(ORIGIN).create(await creation(browser), lies);
    expect(await calls.add(browser, { name: 'Other', credential })).toEqual(REFUSED);
  });

  test('a passkey is added once, in the session that began it, to one account', async () => {
    const { browser, credentialId } = await holder();
    const options = await creation(browser);
    const credential = softwareAuthenticator(ORIGIN).create(options);
    const added = (at: TestBrowser) => calls.add(at, { name: 'Other', credential });
    expect(await added((await holder()).browser)).toEqual(REFUSED);
    expect((await added(browser)).status).toBe(201);
    expect(await added(browser)).toEqual(REFUSED);

    const thief = await holder();
    const copy = softwareAuthenticator(ORIGIN).create(await creation(thief.browser));
    const stolen = { name: 'Mine', credential: { ...copy, id: credentialId, rawId: credentialId } };
    expect(await calls.add(thief.browser, stolen)).toEqual(REFUSED);
    expect((await calls.list(browser)).data).toHaveLength(2);
  });

  test('an attestation with certificates, which nobody asked for, is not added', async () => {
    const { browser } = await holder();
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
      expect(await calls.add(browser, { name: 'Other', credential })).toEqual(REFUSED);
    }
  });
});

test.each([
  ['a person', people, operators],
  ['an operator', operators, people],
])('the passkey of %s logs in nobody of the other kind', async (_whose, own, others) => {
  const { authenticator, browser } = await own.holder();
  const victim = await others.holder();
  const guest = others.newBrowser();
  const { data: options } = await others.calls.optionsAlone(guest);
  expect(await others.calls.logInAlone(guest, authenticator.get(options))).toEqual(REFUSED);
  const { data: second } = await victim.beginLogin(guest);
  const { data: listed } = await own.calls.list(browser);
  expect(listed).toHaveLength(1);
  const credential = authenticator.get({ ...second, allowCredentials: [] });
  expect(await victim.completeLogin(guest, credential)).toEqual(others.refusedFactor);
  expect(await others.calls.read(guest)).toBe(401);

  // A challenge of the other login, with its secret.
  const { data: foreign } = await own.calls.optionsAlone(browser);
  guest.forget();
  guest.cookies.set(others.calls.cookie, browser.cookies.get(own.calls.cookie)!);
  expect(await others.calls.logInAlone(guest, victim.authenticator.get(foreign))).toEqual(REFUSED);
});
