import { accountMessages } from '@bidwell/contract/accounts/messages';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { freshAddress } from '@bidwell/testing/api-cases/case';
import { testApp, type TestCompany } from '@bidwell/testing/test-app';
import { expect, onTestFinished, test } from 'vitest';
import { markOfAddress } from '../people/former-people-store.ts';
import { softwareAuthenticator } from '@bidwell/testing/sign-in/software-authenticator';
import { startSession } from '../service.ts';

const app = await testApp();

const provider = app.identityProvider;

const { setUp, start, begun, finish, freshDomain, listed, input } = signOnOf(app);

const verified = (domain: string, name = 'ada') => ({
  sub: `${name} at ${domain}`,
  email: `${name}@${domain}`,
  email_verified: true,
});

const refused = (message: string) => ({ status: 422, data: message });

const peopleOf = async (company: { call: Awaited<ReturnType<typeof app.freshCompany>>['call'] }) =>
  (await company.call('GET', '/people')).data.people;

const setEmail = async (userId: string, email: string) =>
  app.ctx.db.updateTable('users').set({ email }).where('uuid', '=', userId).execute();

const logIn = async ({ login }: { login: string }) => {
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/internal/login',
    payload: { login, password: 'correct horse' },
  });
  const cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
  return { status: response.statusCode, data: response.json().data, cookies };
};

const notInvited = { status: 422, data: accountMessages.ssoNotInvited };

const remove = async (company: TestCompany, userId: string) =>
  expect((await company.call('DELETE', `/people/${userId}`)).status).toBe(200);

test('a person of a proven mail domain joins by signing in, and signs in again as the same person', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  const claims = { ...verified(domain), given_name: 'Ada', family_name: 'Lovelace' };
  const joined = await finish(await begun(company, claims));
  expect(joined.status).toBe(200);
  expect(await peopleOf(company)).toMatchObject([
    { role: 'owner' },
    { role: 'analyst', first_name: 'Ada', last_name: 'Lovelace', email: `ada@${domain}` },
  ]);
  expect((await joined.call('GET', '/app')).status).toBe(200);
  expect((await joined.call('POST', '/api_tokens', { name: 'Program' })).status).toBe(403);
  const again = await finish(await begun(company, claims));
  expect(again.data.session.user_id).toBe(joined.data.session.user_id);
  expect(await peopleOf(company)).toHaveLength(2);
  const { changes } = (await company.call('GET', `/company/${company.companyId}/changes`)).data;
  expect(changes[0]).toMatchObject({ entity_type: 'user', action: 'create', author: 'Ada Lovelace' });
});

test.each([
  ['basic', 400, ['basic'], ['basic']],
  ['raw', 400, ['basic', 'basic'], ['basic']],
  ['post', 401, ['basic', 'basic', 'post'], ['post']],
] as const)(
  'a provider that takes the secret as %s gets it so, and first at the next sign-in',
  async (form, status, first, next) => {
    const company = await app.freshCompany();
    const { domain } = await setUp(company);
    Object.assign(provider, { secretForm: form, refusedStatus: status });
    onTestFinished(() => void Object.assign(provider, { secretForm: 'basic', refusedStatus: 400 }));
    for (const sent of [first, next]) {
      provider.proofs.length = 0;
      expect((await finish(await begun(company, verified(domain)))).status).toBe(200);
      expect(provider.proofs).toEqual(sent);
    }
  },
);

test('a provider that names its forms of a secret gets one of them first', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  Object.assign(provider, {
    secretForm: 'post',
    metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
  });
  onTestFinished(() => void Object.assign(provider, { secretForm: 'basic', metadata: {} }));
  provider.proofs.length = 0;
  expect((await finish(await begun(company, verified(domain)))).status).toBe(200);
  expect(provider.proofs).toEqual(['post']);
});

test.each([
  ['says by a text that the address is verified', { email_verified: 'true' }, 200],
  ['has a clock that is 110 s ahead', { iat: 110, nbf: 110, exp: 410 }, 200],
  ['has a clock that is an hour ahead', { iat: 3600, nbf: 3600, exp: 7200 }, 422],
])('a provider that %s', async (_name, over: Record<string, unknown>, status) => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  const seconds = Math.floor(Date.now() / 1000);
  const claims = Object.entries(over).map(([name, value]) => [
    name,
    typeof value === 'number' ? seconds + value : value,
  ]);
  const person = { ...verified(domain), ...Object.fromEntries(claims) };
  expect((await finish(await begun(company, person))).status).toBe(status);
});

test('the browser goes to the provider with the code flow, PKCE, state and nonce, and to the address of the company alone', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  const { data, setCookies } = await start(`Ada@${domain.toUpperCase()}`);
  const { origin, searchParams } = new URL(data.location);
  expect(origin).toBe('https://id.example');
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'bidwell',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `http://bidwell.test/sso/callback/${company.companyId}`,
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    login_hint: `Ada@${domain.toUpperCase()}`,
  });
  const cookie = setCookies.find(({ name }) => name === 'bidwell_sso')!;
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 600 });
  // Nothing that is stored completes a sign-in.
  const rows = await app.ctx.db.selectFrom('sso_sign_ins').selectAll().execute();
  for (const secret of [searchParams.get('state')!, searchParams.get('nonce')!, cookie.value])
    expect(JSON.stringify(rows)).not.toContain(secret);
});

test('an address without single sign-on gets the same answer, whatever the reason, and no provider is asked', async () => {
  const company = await app.freshCompany();
  const { domain: unproven } = await listed(company, { isProven: true });
  const withoutProvider = freshDomain();
  const before = provider.requests.length;
  const unknown = { status: 422, data: accountMessages.ssoUnknown };
  expect(await start('ada@unknown.example')).toMatchObject(unknown);
  expect(await start(`ada@${unproven}`)).toMatchObject(unknown);
  expect(await start(`ada@${withoutProvider}`)).toMatchObject(unknown);
  expect(provider.requests).toHaveLength(before);
  // The server looks up no person: people inside and outside the company get the same response.
  const { domain } = await setUp(company);
  const known = await start(`tester@${domain}`);
  const stranger = await start(`nobody@${domain}`);
  expect(Object.keys(stranger.data)).toEqual(Object.keys(known.data));
});

test('a person of the company is linked by the mail address once, and recognized by the subject from then on', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company, { may_join: false });
  const person = await app.freshPerson(company, 'editor');
  await setEmail(person.userId, `ADA@${domain}`);
  const first = await finish(await begun(company, verified(domain)));
  expect(first.data.session.user_id).toBe(person.userId);
  // The address may change at the provider.
  const renamed = await finish(await begun(company, { ...verified(domain), email: `countess@${domain}` }));
  expect(renamed.data.session.user_id).toBe(person.userId);
  // The provider may give the address to another person.
  const heir = await finish(await begun(company, { ...verified(domain), sub: 'another' }));
  expect(heir).toMatchObject(refused(accountMessages.ssoLinkFirst));
});

test('a person who is in no company, or in another, joins by an invitation only where people may not join by signing in', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company, { may_join: false });
  const claims = verified(domain);
  expect(await finish(await begun(company, claims))).toMatchObject(refused(accountMessages.ssoNotInvited));
  await company.call('POST', '/people/invitations', { email: `ada@${domain}`, role: 'finance' });
  const joined = await finish(await begun(company, claims));
  expect(joined.status).toBe(200);
  const { people, invitations } = (await company.call('GET', '/people')).data;
  expect([people[1].role, invitations]).toEqual(['finance', []]);
  const { user_id: userId } = joined.data.session;
  await company.call('DELETE', `/people/${userId}`);
  expect((await joined.call('GET', '/users/x')).status).toBe(401);
  await company.call('PUT', '/sso', input({ client_secret: null }));
  expect(await finish(await begun(company, claims))).toMatchObject(refused(accountMessages.ssoNotInvited));
  await company.call('POST', '/people/invitations', { email: `ada@${domain}`, role: 'editor' });
  expect((await finish(await begun(company, claims))).data.session.user_id).toBe(userId);
});

test('a logged-in person links an account of another address, and one identity is of one person', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  const claims = verified(domain);
  const linked = await finish(await begun(company, claims, company));
  expect(linked).toMatchObject({ status: 200, data: { session: null } });
  expect((await company.call('GET', '/sso/link')).data).toEqual({ is_offered: true, is_linked: true });
  expect((await finish(await begun(company, claims))).data.session.user_id).toBe(company.userId);
  const other = await app.freshPerson(company, 'editor');
  expect(await finish(await begun(company, claims, other))).toMatchObject({
    status: 409,
    data: accountMessages.ssoLinkedToOther,
  });
  expect((await other.call('GET', '/sso/link')).data).toEqual({ is_offered: true, is_linked: false });
});

test('people with the same address are not linked by it', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  for (const role of ['editor', 'analyst'] as const)
    await setEmail((await app.freshPerson(company, role)).userId, `ada@${domain}`);
  expect(await finish(await begun(company, verified(domain)))).toMatchObject(
    refused(accountMessages.ssoLinkFirst),
  );
});

test('a session by single sign-on is of its company: no other one, no change of the profile, no password', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const { domain } = await setUp(company, { may_join: false });
  const person = await app.freshPerson(company, 'editor');
  await setEmail(person.userId, `ada@${domain}`);
  await app.ctx.db
    .insertInto('memberships')
    .values({
      company_uuid: other.companyId,
      user_uuid: person.userId,
      role: 'owner',
      created_at: new Date(),
    })
    .execute();
  const session = await finish(await begun(company, verified(domain)));
  const forbidden = { status: 403, data: accountMessages.ssoPasswordNeeded };
  expect(await session.call('POST', `/companies/${other.companyId}/session`)).toMatchObject(forbidden);
  expect((await session.call('GET', '/companies')).data.companies).toMatchObject([
    { uuid: company.companyId },
  ]);
  const profile = { email: `ada@${domain}`, first_name: 'Ada', last_name: 'L', contact: 'c' };
  const change = (over: object) => session.call('PUT', `/users/${person.userId}`, { ...profile, ...over });
  expect(await change({ first_name: 'Renamed' })).toMatchObject(forbidden);
  expect(await change({ avatar: null })).toMatchObject(forbidden);
  expect(await change({ email: 'attacker@example.com' })).toMatchObject(forbidden);
  const password = { password: 'another horse', password_confirmation: 'another horse' };
  expect(await change(password)).toMatchObject(forbidden);
  expect((await change({ ...password, current_password: 'correct horse' })).status).toBe(403);
  const third = await app.freshCompany();
  const { data } = await third.call('POST', '/people/invitations', { email: profile.email, role: 'editor' });
  const token = data.link.split('#')[1];
  expect(await session.call('POST', '/companies/invitation', { token })).toMatchObject(forbidden);
  expect((await person.call('GET', '/companies')).data.companies).toHaveLength(2);
});

test('a session by single sign-on ends twelve hours after it began, and with another issuer or none', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  const claims = verified(domain);
  const { cookies } = await finish(await begun(company, claims));
  const cookie = cookies.find(({ name }) => name === 'bidwell_refresh_token')!;
  expect(cookie.maxAge).toBe(12 * 3600);
  const renew = async (value: string) =>
    app.http.inject({
      method: 'POST',
      url: '/api/internal/refresh-token',
      cookies: { bidwell_refresh_token: value },
    });
  const renewed = await app.after(11 * 3_600_000, () => renew(cookie.value));
  expect(renewed.cookies.find(({ name }) => name === 'bidwell_refresh_token')!.maxAge).toBe(3600);
  const next = renewed.cookies.find(({ name }) => name === 'bidwell_refresh_token')!;
  expect((await app.after(13 * 3_600_000, () => renew(next.value))).statusCode).toBe(401);
  const first = await finish(await begun(company, claims));
  expect((await first.call('GET', '/app')).status).toBe(200);
  await company.call('PUT', '/sso', input({ issuer: 'https://other.example' }));
  expect((await first.call('GET', '/app')).status).toBe(401);
  const second = await finish(await begun(company, claims));
  expect((await second.call('GET', '/app')).status).toBe(200);
  await company.call('DELETE', '/sso');
  expect((await second.call('GET', '/app')).status).toBe(401);
  expect((await company.call('GET', '/app')).status).toBe(200);
});

test('where single sign-on is required, people of the domain use no password for the company; owners and others do', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'editor');
  const linked = await app.freshPerson(company, 'editor');
  const outsider = await app.freshPerson(company, 'editor');
  const { domain } = await setUp(company);
  await setEmail(person.userId, `ada@${domain}`);
  await setEmail(company.userId, `owner@${domain}`);
  await finish(await begun(company, { ...verified(domain, 'grace') }, linked));
  const before = await logIn(person);
  expect(before.status).toBe(200);
  const renewable = before.cookies['bidwell_refresh_token']!;
  await company.call('PUT', '/sso', input({ client_secret: null, is_required: true }));
  expect(await logIn(person)).toMatchObject(refused(accountMessages.ssoRequired));
  // Also with an address of another domain on the profile.
  expect(await logIn(linked)).toMatchObject(refused(accountMessages.ssoRequired));
  expect((await logIn(outsider)).status).toBe(200);
  expect((await logIn(company)).status).toBe(200);
  const renewed = await app.http.inject({
    method: 'POST',
    url: '/api/internal/refresh-token',
    cookies: { bidwell_refresh_token: renewable },
  });
  expect(renewed.statusCode).toBe(401);
  expect((await finish(await begun(company, verified(domain)))).status).toBe(200);
  // Another company of theirs does not require it, and does not lead to this one.
  const other = await app.freshCompany();
  await app.ctx.db
    .insertInto('memberships')
    .values({
      company_uuid: other.companyId,
      user_uuid: person.userId,
      role: 'editor',
      created_at: new Date(),
    })
    .execute();
  const elsewhere = await logIn(person);
  expect(elsewhere.status).toBe(200);
  const switched = await app.http.inject({
    method: 'POST',
    url: `/api/internal/companies/${company.companyId}/session`,
    headers: { authorization: `Bearer ${elsewhere.data.access_token}` },
  });
  expect([switched.statusCode, switched.json().data]).toEqual([403, accountMessages.ssoRequired]);
});

test('a person invited where single sign-on is required joins at the provider, not by a password', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company, { may_join: false, is_required: true });
  const invited = async (email: string, role: string) => {
    const { data } = await company.call('POST', '/people/invitations', { email, role });
    const token = String(data.link).split('#')[1];
    const visit = async (path: string, payload: object) => {
      const url = `/api/internal${path}`;
      const response = await app.http.inject({ method: 'POST', url, payload, remoteAddress: freshAddress() });
      return { status: response.statusCode, data: response.json().data, cookies: response.cookies };
    };
    const person = { login: `new.${domain.replaceAll(/[^a-z]/g, '')}`, first_name: 'New', contact: 'none' };
    return {
      offered: await visit('/invitation', { token }),
      register: () =>
        visit('/invitation/registration', { token, ...person, password: 'a long passphrase', last_name: '' }),
    };
  };
  const ada = await invited(`ada@${domain}`, 'editor');
  expect(ada.offered.data.needs_single_sign_on).toBe(true);
  expect(await ada.register()).toEqual({ status: 409, data: accountMessages.ssoInvited, cookies: [] });
  // The invitation is still open.
  const joined = await finish(await begun(company, verified(domain)));
  expect(joined.status).toBe(200);
  const people = (await company.call('GET', '/people')).data;
  expect(people.people).toEqual(
    expect.arrayContaining([expect.objectContaining({ email: `ada@${domain}`, role: 'editor' })]),
  );
  expect(people.invitations).toEqual([]);
  // Owners are the way back in, and people with other addresses cannot sign in there.
  const heir = await invited(`heir@${domain}`, 'owner');
  expect(heir.offered.data.needs_single_sign_on).toBe(false);
  const outsider = await invited('guest@elsewhere.example', 'editor');
  expect(outsider.offered.data.needs_single_sign_on).toBe(false);
  expect((await outsider.register()).status).toBe(201);
});

test('an account that joined by signing in has no password, until one is chosen by a link', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  const joined = await finish(await begun(company, verified(domain)));
  const { data: user } = await company.call('GET', `/users/${joined.data.session.user_id}`);
  expect(await logIn(user)).toMatchObject({ status: 422 });
});

/** A company where people join by signing in, and functions of its people. */
async function open() {
  const company = await app.freshCompany();
  const { domain } = await setUp(company, { role: 'editor' });
  const signIn = async (sub: string, name: string) =>
    finish(await begun(company, { sub, email: `${name}@${domain}`, email_verified: true }));
  const invite = async (name: string) =>
    company.call('POST', '/people/invitations', { email: `${name}@${domain}`, role: 'analyst' });
  return { company, domain, signIn, invite };
}

test('a person who was removed while they had a password only comes back by an invitation', async () => {
  const { company, domain, signIn, invite } = await open();
  const person = await app.freshPerson(company, 'analyst');
  await setEmail(person.userId, `ada@${domain}`);
  await remove(company, person.userId);
  for (const name of ['ada', 'ADA']) expect(await signIn(name, name)).toMatchObject(notInvited);
  expect((await signIn('grace', 'grace')).status).toBe(200);
  await invite('ada');
  expect((await signIn('ada', 'ada')).status).toBe(200);
  const { people } = (await company.call('GET', '/people')).data;
  expect(people.at(-1)).toMatchObject({ email: `ada@${domain}`, role: 'analyst' });
});

test('a removed person is recognized by each address and each identity that they had', async () => {
  const { company, domain, signIn } = await open();
  const person = await app.freshPerson(company, 'analyst');
  await setEmail(person.userId, `ada@${domain}`);
  const link = async (sub: string, name: string) => {
    const claims = { sub, email: `${name}@${domain}`, email_verified: true };
    expect((await finish(await begun(company, claims, person))).status).toBe(200);
  };
  await link('first', 'lovelace');
  await link('second', 'ada');
  expect((await signIn('second', 'countess')).status).toBe(200);
  const profile = { first_name: 'Ada', last_name: 'L', contact: 'c', email: 'ada@home.example' };
  expect((await person.call('PUT', `/users/${person.userId}`, profile)).status).toBe(200);
  await remove(company, person.userId);
  for (const name of ['ada', 'lovelace', 'countess'])
    expect(await signIn(`new ${name}`, name)).toMatchObject(notInvited);
  for (const sub of ['first', 'second']) expect(await signIn(sub, 'other')).toMatchObject(notInvited);
});

test('former people are remembered by each company alone, and a person who is still there is not refused for a former address', async () => {
  const [here, there] = [await open(), await open()];
  const { user_id: userId } = (await here.signIn('ada', 'ada')).data.session;
  await here.signIn('ada', 'lovelace');
  await remove(here.company, userId);
  expect((await there.signIn('ada', 'ada')).status).toBe(200);
  const stayed = await there.signIn('ada', 'lovelace');
  expect(stayed.status).toBe(200);
  // The address was given to a colleague.
  expect((await there.signIn('heir', 'lovelace')).status).toBe(200);
});

test('an address has one mark, regardless of its case and Unicode form, and another one in each company', () => {
  const mark = markOfAddress('a company', 'ada@b\u00FCcher.example');
  for (const same of [
    'ADA@B\u00DCCHER.example',
    '\uFF21da@bu\u0308cher.example',
    ' ada@xn--bcher-kva.example',
  ])
    expect(markOfAddress('a company', same)).toBe(mark);
  expect(markOfAddress('a company', 'ada@bucher.example')).not.toBe(mark);
  expect(markOfAddress('another', 'ada@b\u00FCcher.example')).not.toBe(mark);
});

test('an address is not stored in the memory', async () => {
  const { company, domain, signIn } = await open();
  const { user_id: userId } = (await signIn('subject of ada', 'ada')).data.session;
  await remove(company, userId);
  const rows = await app.ctx.db.selectFrom('people_marks').selectAll().execute();
  expect(rows.filter(({ user_uuid }) => user_uuid === userId)).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${domain}|subject of ada`));
});

test('a person cannot join a suspended company by signing in', async () => {
  const { company, signIn } = await open();
  await app.operator('PUT', `/companies/${company.companyId}/suspension`, { suspended: true });
  expect(await signIn('ada', 'ada')).toMatchObject(notInvited);
});

/** A person who signs in at the provider of a company. */
async function guestOf(company: TestCompany) {
  const { domain } = await setUp(company);
  const claims = { sub: 'ada', email: `ada@${domain}`, email_verified: true };
  return finish(await begun(company, claims));
}

/** Adds a passkey of a company's owner; resolves to it as it was sent. */
async function passkeyOf({ call }: Pick<TestCompany, 'call'>) {
  const { data: options } = await call('POST', '/account/passkeys/creation');
  const passkey = { name: 'Phone', credential: softwareAuthenticator('http://bidwell.test').create(options) };
  expect((await call('POST', '/account/passkeys', passkey)).status).toBe(201);
  return passkey;
}

test('a session by single sign-on changes no second factor, which holds for the person’s other companies too', async () => {
  const company = await app.freshCompany();
  const guest = await guestOf(company);
  const forbidden = { status: 403, data: accountMessages.ssoPasswordNeeded };
  const id = '01890000-0000-7000-8000-000000000000';
  expect(await guest.call('POST', '/account/passkeys/creation')).toMatchObject(forbidden);
  const passkey = await passkeyOf(company);
  expect(await guest.call('POST', '/account/passkeys', passkey)).toMatchObject(forbidden);
  expect(await guest.call('PUT', `/account/passkeys/${id}`, { name: 'Key' })).toMatchObject(forbidden);
  expect(await guest.call('DELETE', `/account/passkeys/${id}`)).toMatchObject(forbidden);
  expect(await guest.call('POST', '/account/authenticator')).toMatchObject(forbidden);
  expect(await guest.call('PUT', '/account/authenticator', { code: '000000' })).toMatchObject(forbidden);
  expect(await guest.call('DELETE', '/account/authenticator')).toMatchObject(forbidden);
  expect(await guest.call('POST', '/account/recovery-codes')).toMatchObject(forbidden);
});

test('a person who signed in at the provider is not asked for a second factor that the company requires', async () => {
  const company = await app.freshCompany();
  const guest = await guestOf(company);
  await passkeyOf(company);
  const rule = { second_factor_required: true };
  expect((await company.call('PUT', `/company/${company.companyId}`, rule)).status).toBe(200);
  expect((await guest.call('GET', '/app')).status).toBe(200);
  const own = (await guest.call('GET', `/users/${guest.data.session.user_id}`)).data;
  expect(own).toMatchObject({ needs_second_factor: false, signed_in_by_sso: true });
  const { data: owner } = await company.call('GET', `/users/${company.userId}`);
  expect(owner.signed_in_by_sso).toBe(false);
});

test('a colleague is not said to have signed in as the caller did', async () => {
  const company = await app.freshCompany();
  const guest = await guestOf(company);
  const own = (await guest.call('GET', `/users/${guest.data.session.user_id}`)).data;
  const { data: colleague } = await guest.call('GET', `/users/${company.userId}`);
  expect([own.signed_in_by_sso, colleague.signed_in_by_sso]).toEqual([true, false]);
});

test('a session by single sign-on neither sees nor ends the person’s sessions in other companies', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const guest = await guestOf(company);
  const userId: string = guest.data.session.user_id;
  const membership = { company_uuid: other.companyId, user_uuid: userId, created_at: new Date() };
  await app.ctx.db
    .insertInto('memberships')
    .values({ ...membership, role: 'editor' })
    .execute();
  const elsewhere = { userId, companyId: other.companyId };
  const { tokens } = await startSession(app.ctx, elsewhere);
  const ofAll = { method: 'GET', url: '/api/internal/account/sessions' } as const;
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const all = (await app.http.inject({ ...ofAll, headers })).json().data.sessions;
  expect(all).toHaveLength(2);
  const { sessions } = (await guest.call('GET', '/account/sessions')).data;
  expect(sessions).toMatchObject([{ is_current: true }]);
  const hidden = all.find(({ uuid }: { uuid: string }) => uuid !== sessions[0].uuid).uuid;
  expect((await guest.call('DELETE', `/account/sessions/${hidden}`)).status).toBe(404);
  expect((await guest.call('DELETE', '/account/sessions')).status).toBeLessThan(300);
  expect((await app.http.inject({ ...ofAll, headers })).statusCode).toBe(200);
});
