import { DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { type TestBrowser, testBrowser } from '@bidwell/testing/sign-in/browser';
import {
  type SoftwareAuthenticator,
  softwareAuthenticator,
  byteString,
  text,
} from '@bidwell/testing/sign-in/software-authenticator';
import { testApp } from '@bidwell/testing/test-app';
import { expect, onTestFinished, test, vi, describe } from 'vitest';
import { totpCode } from '../sign-in/totp.ts';
import { operatorsWithPasskeys, peopleWithPasskeys } from '@bidwell/testing/sign-in/passkey-holders';

const ORIGIN = 'http://bidwell.test';

const MINUTE_MS = 60_000;

const AGENT = 'test';

const app = await testApp();

const { ctx, clock } = app;

const later = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * MINUTE_MS);
};

const REFUSED = { status: 422, data: accountApiMessages.passkeyRefused };

const people = peopleWithPasskeys(app);

const operators = operatorsWithPasskeys(app);

/** Makes a passkey and adds it to the account. */
async function add(browser: TestBrowser, authenticator: SoftwareAuthenticator, name = 'Phone') {
  const { data: options } = await browser.send('POST', '/account/passkeys/creation');
  return browser.send('POST', '/account/passkeys', { name, credential: authenticator.create(options) });
}

/** A person with a passkey, who is logged in. */
async function person(isCounting = true) {
  const company = await app.freshCompany();
  const { login } = company;
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

test('a person with a passkey has to give it after the password, or a recovery code', async () => {
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
  // The setup of the app is not finished, so its codes are no second factor yet.
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

test('changes of passkeys require a recent proof, which a passkey gives', async () => {
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

test('a passkey meets the requirement of the company, and the last one cannot be removed then', async () => {
  const owner = await person();
  const { companyId } = owner.company;
  const rule = { second_factor_required: true };
  const closed = vi.spyOn(ctx, 'onSessionsEnded');
  expect((await owner.company.call('PUT', `/company/${companyId}`, rule)).status).toBe(200);
  expect(closed.mock.calls.flat(2)).toEqual([]);
  closed.mockRestore();
  const guest = await app.freshPerson(owner.company, 'analyst');
  expect(await guest.call('GET', '/app')).toMatchObject({
    status: 403,
    data: accountMessages.secondFactorRequired,
  });
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
    ['that says it is someone else’s', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['to a challenge of its own', { challenge: Buffer.alloc(54).toString('base64url') }],
  ])('an answer %s logs no one in', async (_name, lies) => {
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

  test('a challenge that is no text is refused, whatever buffer could be made of it', async () => {
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
    guest.deleteCookies();
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

  test('a challenge counts for its own purpose alone', async () => {
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
    // In the same session.
    const { challenge } = await creation(browser);
    expect((await calls.prove(browser, authenticator.get(proof, { challenge }))).status).toBe(422);
    expect((await calls.prove(browser, authenticator.get(proof))).status).toBe(200);
  });

  test('the passkey of someone else is no second factor, and no proof', async () => {
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

  test('a person cannot list, rename or remove the passkey of another', async () => {
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

  test('an attestation with certificates, which the server did not ask for, is not added', async () => {
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
])('the passkey of %s logs in no account of the other kind', async (_whose, own, others) => {
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
  guest.deleteCookies();
  guest.cookies.set(others.calls.cookie, browser.cookies.get(own.calls.cookie)!);
  expect(await others.calls.logInAlone(guest, victim.authenticator.get(foreign))).toEqual(REFUSED);
});
