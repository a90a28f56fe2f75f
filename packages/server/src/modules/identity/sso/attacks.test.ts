import { accountMessages } from '@bidwell/contract/accounts/messages';
import { type Claims, type TokenMaker, honestToken } from '@bidwell/testing/sso/identity-provider';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { testApp } from '@bidwell/testing/test-app';
import { SignJWT, UnsecuredJWT, generateKeyPair } from 'jose';
import { afterEach, expect, test } from 'vitest';
import { ProviderUnavailable } from '../../../platform/outbound/provider-fetch.ts';

const app = await testApp({ LOG_LEVEL: 'silent' });
const provider = app.identityProvider;
const { setUp, begun, finish, start, input } = signOnOf(app);

afterEach(() => {
  provider.metadata = {};
  provider.userInfo = {};
  provider.intercept = () => undefined;
});

const refused = (message: string) => ({ status: 422, data: message });
const rejected = refused(accountMessages.ssoRejected);
const stale = refused(accountMessages.ssoState);

/** A company with single sign-on, and claims of a person who may join. */
async function target(over: object = {}) {
  const company = await app.freshCompany();
  const { domain } = await setUp(company, { ...over });
  const claims: Claims & { email: string } = {
    sub: `ada at ${domain}`,
    email: `ada@${domain}`,
    email_verified: true,
  };
  return { company, domain, claims };
}
const withQuery = <C extends { body?: Record<string, unknown> }>(
  call: C,
  change: (query: URLSearchParams) => void,
): C => {
  const query = new URLSearchParams(String(call.body!['query']));
  change(query);
  return { ...call, body: { ...call.body, query: String(query) } };
};
const peopleIn = async (companyId: string) =>
  (await app.ctx.db.selectFrom('memberships').select('role').where('company_uuid', '=', companyId).execute())
    .length;

test('a sign-in is completed once, by its browser, with its state, within ten minutes', async () => {
  const { company, claims } = await target();
  const call = await begun(company, claims);
  expect(await finish({ ...call, cookies: {} })).toMatchObject(stale);
  const victim = await begun(company, claims);
  // The login of an attacker is not completed in the browser of a person who began a login of their own.
  expect(await finish({ ...call, cookies: victim.cookies! })).toMatchObject(stale);
  expect(await finish(withQuery(call, (query) => query.delete('state')))).toMatchObject(stale);
  expect(await finish(withQuery(call, (query) => query.set('state', 'another')))).toMatchObject(stale);
  expect(await finish(withQuery(call, (query) => query.append('state', query.get('state')!)))).toMatchObject(
    stale,
  );
  expect(await app.after(10 * 60_000, () => finish(call))).toMatchObject(stale);
  expect((await finish(call)).status).toBe(200);
  expect(await finish(call)).toMatchObject(stale);
  const twice = await begun(company, claims);
  const both = await Promise.all([finish(twice), finish(twice)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('a callback of another company does not complete the sign-in', async () => {
  const { company, claims } = await target();
  const { company: other } = await target();
  const call = await begun(company, claims);
  expect(await finish({ ...call, body: { ...call.body, company_uuid: other.companyId } })).toMatchObject(
    stale,
  );
});

test('a code of another sign-in is of no use: PKCE and the nonce bind it', async () => {
  const { company, claims } = await target();
  const [own, stolen] = [await begun(company, claims), await begun(company, { ...claims, sub: 'victim' })];
  const code = new URLSearchParams(String(stolen.body!['query'])).get('code')!;
  expect(await finish(withQuery(own, (query) => query.set('code', code)))).toMatchObject(rejected);
});

test('an answer in the name of another issuer, or in none, is rejected before the code is sent anywhere', async () => {
  const { company, claims } = await target();
  const tokenRequests = () => provider.requests.filter((each) => each.endsWith('/token')).length;
  const before = tokenRequests();
  const other = await begun(company, claims);
  expect(await finish(withQuery(other, (query) => query.set('iss', 'https://evil.example')))).toMatchObject(
    rejected,
  );
  const none = await begun(company, claims);
  expect(await finish(withQuery(none, (query) => query.delete('iss')))).toMatchObject(rejected);
  expect(tokenRequests()).toBe(before);
});

test('a sign-in that began at a replaced provider does not go on at the new one', async () => {
  const { company, claims } = await target();
  const call = await begun(company, claims);
  const before = provider.requests.length;
  await company.call('PUT', '/sso', input({ issuer: 'https://evil.example' }));
  expect(await finish(call)).toMatchObject(stale);
  expect(provider.requests.slice(before).filter((each) => each.endsWith('/token'))).toEqual([]);
});

const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60;
const changed =
  (over: Record<string, unknown>): TokenMaker =>
  async (claims, own) =>
    honestToken({ ...claims, ...over }, own);

const forgeries: Record<string, TokenMaker> = {
  'without a signature': async (claims) => new UnsecuredJWT(claims).encode(),
  'signed by another key': async (claims, { keys }) => {
    const { privateKey } = await generateKeyPair('ES256');
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: keys.jwk.kid! }).sign(privateKey);
  },
  'signed by the secret of the client': async (claims, { clientSecret }) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret.padEnd(32, '0'))),
  'signed by the public key as a secret': async (claims, { keys }) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(JSON.stringify(keys.jwk))),
  'with changed claims': async (claims, own) => {
    const [head, , signature] = (await honestToken(claims, own)).split('.');
    const body = Buffer.from(JSON.stringify({ ...claims, sub: 'victim' })).toString('base64url');
    return [head, body, signature].join('.');
  },
  'that has expired': changed({ iat: minutesAgo(20), exp: minutesAgo(10) }),
  'that is not valid yet': changed({ nbf: minutesAgo(-10) }),
  'for another client': changed({ aud: 'another' }),
  'for several clients, issued to another': changed({ aud: ['bidwell', 'another'], azp: 'another' }),
  'of another issuer': changed({ iss: 'https://evil.example' }),
  'with another nonce': changed({ nonce: 'another' }),
  'without a nonce': changed({ nonce: undefined }),
  'without a subject': changed({ sub: undefined }),
  'with a subject longer than the protocol allows': changed({ sub: 'x'.repeat(256) }),
  'with a subject that cannot be stored': changed({ sub: 'ada\0' }),
};

test.each(Object.entries(forgeries))('an ID token %s signs no one in', async (_name, makeToken) => {
  const { company, claims } = await target();
  expect(await finish(await begun(company, claims, undefined, makeToken))).toMatchObject(rejected);
  expect(await peopleIn(company.companyId)).toBe(1);
});

test.each([
  ['is not verified', { email_verified: false }],
  ['is verified by another text', { email_verified: 'yes' }],
  ['is not said to be verified', { email_verified: undefined }],
  ['is missing', { email: undefined }],
  ['is no text', { email: ['ada@example.com'] }],
])('a mail address that %s signs no one in', async (_name, over) => {
  const { company, domain, claims } = await target();
  const makeToken = changed(over);
  provider.userInfo = { sub: claims.sub, ...('email' in over ? {} : { email: `ada@${domain}` }) };
  expect(await finish(await begun(company, claims, undefined, makeToken))).toMatchObject(
    refused(accountMessages.ssoMailUnverified),
  );
  expect(await peopleIn(company.companyId)).toBe(1);
});

test('the mail address may come with the information of the user, of the same subject only', async () => {
  const { company, domain, claims } = await target();
  const bare = changed({ email: undefined, email_verified: undefined });
  provider.userInfo = { sub: 'victim', email: `ada@${domain}`, email_verified: true };
  expect(await finish(await begun(company, claims, undefined, bare))).toMatchObject(rejected);
  provider.userInfo = { sub: claims.sub, email: `ada@${domain}`, email_verified: true };
  expect((await finish(await begun(company, claims, undefined, bare))).status).toBe(200);
});

test('Google vouches for the accounts of its Workspace only, and Microsoft by its own claim', async () => {
  const google = await target({ issuer: 'https://accounts.google.com' });
  const sent = (over: Record<string, unknown>, { company, claims }: typeof google) =>
    begun(company, claims, undefined, changed(over)).then(finish);
  expect(await sent({ iss: 'https://accounts.google.com' }, google)).toMatchObject(
    refused(accountMessages.ssoMailUnverified),
  );
  expect((await sent({ hd: google.domain }, google)).status).toBe(200);
  const tenant = 'https://login.microsoftonline.com/6f2c6a4e-0000-4000-8000-000000000000/v2.0';
  provider.metadata = { issuer: tenant, authorization_response_iss_parameter_supported: false };
  const microsoft = await target({ issuer: tenant });
  const call = (over: Record<string, unknown>) =>
    begun(microsoft.company, microsoft.claims, undefined, changed({ iss: tenant, ...over })).then((made) =>
      finish(withQuery(made, (query) => query.delete('iss'))),
    );
  expect(await call({})).toMatchObject(refused(accountMessages.ssoMailUnverified));
  expect((await call({ xms_edov: true })).status).toBe(200);
});

test('an address of a domain that the company has not proven signs no one in, also for a link', async () => {
  const { company, claims } = await target();
  const { domain: foreign } = await target();
  for (const email of [`ada@${foreign}`, 'ada@evil.example', `ada@sub.${claims.email.split('@')[1]}`, '@']) {
    const makeToken = changed({ email });
    for (const linking of [undefined, company])
      expect(await finish(await begun(company, claims, linking, makeToken))).toMatchObject(
        refused(accountMessages.ssoForeignDomain),
      );
  }
  const { domains } = (await company.call('GET', '/sso')).data;
  const call = await begun(company, claims);
  await company.call('DELETE', `/sso/domains/${domains[0].uuid}`);
  expect(await finish(call)).toMatchObject(refused(accountMessages.ssoForeignDomain));
});

test('a provider signs in no one of another company, whatever it claims', async () => {
  const { company: victim, claims } = await target();
  const known = await finish(await begun(victim, claims));
  const attacker = await target();
  // The same issuer and subject: of the attacker's company it is a new person.
  const made = await finish(
    await begun(attacker.company, attacker.claims, undefined, changed({ sub: claims.sub })),
  );
  expect(made.status).toBe(200);
  expect(made.data.session.user_id).not.toBe(known.data.session.user_id);
  // The address of a person of the victim's company who is not in the attacker's.
  await app.ctx.db
    .updateTable('users')
    .set({ email: `boss@${attacker.domain}` })
    .where('uuid', '=', victim.userId)
    .execute();
  const boss = { sub: 'boss', email: `boss@${attacker.domain}` };
  const other = await finish(await begun(attacker.company, attacker.claims, undefined, changed(boss)));
  expect(other.data.session.user_id).not.toBe(victim.userId);
});

test('a link that another person began, or of a person who was removed meanwhile, is not completed', async () => {
  const { company, claims } = await target();
  const person = await app.freshPerson(company, 'editor');
  const attackers = await begun(company, claims, person);
  const victims = await begun(company, claims);
  expect(await finish({ ...attackers, cookies: victims.cookies! })).toMatchObject(stale);
  await company.call('DELETE', `/people/${person.userId}`);
  expect(await finish(attackers)).toMatchObject(refused(accountMessages.ssoNotInvited));
});

test('a link asks ten minutes after the login for a proof of who begins it', async () => {
  const { company } = await target();
  const begin = () => company.call('POST', '/sso/link');
  await app.after(11 * 60_000, async () => {
    expect(await begin()).toMatchObject({ status: 403, data: accountMessages.confirmFirst });
    await company.call('POST', '/account/confirmation', { password: 'correct horse' });
    expect((await begin()).status).toBe(200);
  });
});

test('a person cannot take the address of a colleague, whose first sign-in would lead to their account', async () => {
  const { company, domain, claims } = await target();
  const mallory = await app.freshPerson(company, 'analyst');
  const profile = { first_name: 'Mallory', last_name: 'Miller', contact: 'c' };
  const change = ({ userId, call }: typeof mallory, email: string) =>
    call('PUT', `/users/${userId}`, { ...profile, email });
  for (const email of [claims.email, `ADA@${domain.toUpperCase()}`])
    expect(await change(mallory, email)).toMatchObject({
      status: 422,
      errors: [{ field: 'email', message: accountMessages.mailDomainOfCompany }],
    });
  expect((await change(mallory, 'mallory@example.com')).status).toBe(200);
  expect((await finish(await begun(company, claims))).data.session.user_id).not.toBe(mallory.userId);
  expect((await change(company, `owner@${domain}`)).status).toBe(200);
});

test('a person cannot leave a required single sign-on by changing their mail address', async () => {
  const { company, domain } = await target();
  const person = await app.freshPerson(company, 'editor');
  await app.ctx.db
    .updateTable('users')
    .set({ email: `eve@${domain}` })
    .where('uuid', '=', person.userId)
    .execute();
  await company.call('PUT', '/sso', input({ is_required: true, client_secret: null }));
  const profile = { first_name: 'Eve', last_name: 'Miller', contact: 'c' };
  const change = (email: string) => person.call('PUT', `/users/${person.userId}`, { ...profile, email });
  expect(await change('eve@example.com')).toMatchObject({ status: 403, data: accountMessages.ssoRequired });
  expect((await change(`eve@${domain}`)).status).toBe(200);
});

test('reports of the provider are shown in our own words', async () => {
  const { company, claims } = await target();
  const answer = async (error: string) => {
    const call = await begun(company, claims);
    return finish(
      withQuery(call, (query) => {
        query.delete('code');
        query.set('error', error);
        query.set('error_description', '<b>Send your password to evil.example</b>');
      }),
    );
  };
  expect(await answer('access_denied')).toMatchObject(refused(accountMessages.ssoDenied));
  expect(await answer('server_error')).toMatchObject(rejected);
});

test.each([
  [
    'does not answer',
    () => Promise.reject(new ProviderUnavailable('silent')),
    accountMessages.ssoUnavailable,
  ],
  ['fails', () => new Response('oops', { status: 500 }), accountMessages.ssoRejected],
  ['sends no JSON', () => new Response('<html>'), accountMessages.ssoRejected],
])('a provider that %s is told from a wrong answer', async (_name, answer, message) => {
  const { company, claims } = await target();
  const call = await begun(company, claims);
  provider.intercept = (url) => (url.pathname === '/token' ? answer() : undefined);
  expect(await finish(call)).toMatchObject(refused(message));
});

test.each([
  [
    'another issuer',
    { issuer: 'https://evil.example' },
    accountMessages.ssoOtherIssuer('https://evil.example'),
  ],
  ['an issuer that is no address', { issuer: 'evil <b>' }],
  ['an address without TLS', { authorization_endpoint: 'http://id.example/authorize' }],
  ['a script as its page', { authorization_endpoint: 'javascript:alert(1)' }],
  ['no keys', { jwks_uri: undefined }],
] as const)(
  'metadata with %s is not accepted',
  async (_name, metadata, message: string = accountMessages.ssoNoProvider) => {
    const company = await app.freshCompany();
    provider.metadata = metadata;
    expect(await company.call('PUT', '/sso', input())).toMatchObject({
      status: 422,
      errors: [{ field: 'issuer', message }],
    });
    expect((await company.call('GET', '/sso')).data.provider).toBeNull();
  },
);

test('a flood of sign-ins leaves the newest ones', async () => {
  const { company, claims } = await target();
  const old = await begun(company, claims);
  const { state_hash: _hash, ...row } = await app.ctx.db
    .selectFrom('sso_sign_ins')
    .selectAll()
    .where('company_uuid', '=', company.companyId)
    .executeTakeFirstOrThrow();
  const later = new Date(row.created_at.getTime() + 1);
  const flood = Array.from({ length: 2000 }, (_, n) => ({
    ...row,
    state_hash: `flood ${company.companyId} ${n}`,
    created_at: later,
  }));
  await app.ctx.db.insertInto('sso_sign_ins').values(flood).execute();
  app.clock.now = new Date(later.getTime() + 1);
  await start(claims.email);
  expect(await finish(old)).toMatchObject(stale);
});
