import { messages } from '@bidwell/contract/text/messages';
import { softwareAuthenticator } from '@bidwell/testing/sign-in/software-authenticator';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { startSession } from '../service.ts';

const app = await testApp();
const { setUp, begun, finish } = signOnOf(app);

/** Somebody who signs in at the provider of a company. */
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
  const refused = { status: 403, data: messages.ssoPasswordNeeded };
  const id = '01890000-0000-7000-8000-000000000000';
  expect(await guest.call('POST', '/account/passkeys/creation')).toMatchObject(refused);
  const passkey = await passkeyOf(company);
  expect(await guest.call('POST', '/account/passkeys', passkey)).toMatchObject(refused);
  expect(await guest.call('PUT', `/account/passkeys/${id}`, { name: 'Key' })).toMatchObject(refused);
  expect(await guest.call('DELETE', `/account/passkeys/${id}`)).toMatchObject(refused);
  expect(await guest.call('POST', '/account/authenticator')).toMatchObject(refused);
  expect(await guest.call('PUT', '/account/authenticator', { code: '000000' })).toMatchObject(refused);
  expect(await guest.call('DELETE', '/account/authenticator')).toMatchObject(refused);
  expect(await guest.call('POST', '/account/recovery-codes')).toMatchObject(refused);
});

test('whoever signed in at the provider is not asked for a second factor that the company requires', async () => {
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
