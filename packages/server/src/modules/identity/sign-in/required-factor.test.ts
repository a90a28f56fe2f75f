import { accountMessages } from '@bidwell/contract/accounts/messages';
import { type TestBrowser, testBrowser } from '@bidwell/testing/sign-in/browser';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { decodeJwt } from 'jose';
import { expect, test, vi } from 'vitest';
import { enrolledSessionOf } from '../service.ts';
import { totpCode } from './totp.ts';

const app = await testApp();
const { clock } = app;

type Caller = Pick<TestBrowser, 'send'>;
const asCaller = ({ call }: TestCompany): Caller => ({
  send: (method, path, body) => call(method, path, body),
});
async function enrol(caller: Caller): Promise<void> {
  const { secret } = (await caller.send('POST', '/account/authenticator')).data;
  const code = totpCode(secret, clock.now.getTime());
  expect((await caller.send('PUT', '/account/authenticator', { code })).status).toBe(200);
}
const requireFactor = async (company: TestCompany, required: boolean) =>
  company.call('PUT', `/company/${company.companyId}`, { second_factor_required: required });

test('an owner with a second factor requires one of all people, and nothing but its setup works without it', async () => {
  const owner = await app.freshCompany();
  expect(await requireFactor(owner, true)).toMatchObject({
    status: 422,
    errors: [{ field: 'second_factor_required', message: accountMessages.ownFactorFirst }],
  });
  await enrol(asCaller(owner));
  const analyst = await app.freshPerson(owner, 'analyst');
  expect((await analyst.call('GET', '/app')).status).toBe(200);
  expect((await requireFactor(owner, true)).data).toMatchObject({ second_factor_required: true });
  expect((await owner.call('GET', '/app')).status).toBe(200);

  expect(await analyst.call('GET', '/app')).toMatchObject({
    status: 403,
    data: accountMessages.secondFactorRequired,
  });
  expect(await enrolledSessionOf(app.ctx, analyst.token)).toBe('invalid');
  const own = `/users/${analyst.userId}`;
  expect((await analyst.call('GET', own)).data.needs_second_factor).toBe(true);
  await enrol(asCaller(analyst));
  expect((await analyst.call('GET', own)).data.needs_second_factor).toBe(false);
  expect((await analyst.call('GET', '/app')).status).toBe(200);
  expect(typeof (await enrolledSessionOf(app.ctx, analyst.token))).toBe('object');
  expect((await analyst.call('DELETE', '/account/authenticator')).status).toBe(409);
  expect((await requireFactor(owner, false)).status).toBe(200);
  expect((await analyst.call('DELETE', '/account/authenticator')).status).toBe(200);
});

test('a login of a person without a required second factor leads to its setup only', async () => {
  const owner = await app.freshCompany();
  const colleague = await app.freshPerson(owner, 'editor');
  const { login } = (await colleague.call('GET', `/users/${colleague.userId}`)).data;
  await enrol(asCaller(owner));
  await requireFactor(owner, true);
  const browser = testBrowser(app, 'test');
  await browser.logIn(login);
  expect(await browser.send('GET', '/campaign')).toMatchObject({
    status: 403,
    data: accountMessages.secondFactorRequired,
  });
  // Centrifugo subscribes to the channels in the token without asking the server.
  const channels = async () =>
    decodeJwt((await browser.send('POST', '/refresh-token')).data.access_token)['channels'];
  expect(await channels()).toEqual([]);
  await enrol(browser);
  expect((await browser.send('GET', '/campaign')).status).toBe(200);
  expect(await channels()).toContain(`company:${owner.companyId}`);
});

test('a new requirement closes the live connections of people without a factor, after notifying their pages', async () => {
  const owner = await app.freshCompany();
  const colleague = await app.freshPerson(owner, 'editor');
  await enrol(asCaller(owner));
  const published = vi.spyOn(app.ctx.realtime, 'toCompany');
  const closed = vi.spyOn(app.ctx, 'onSessionsEnded');
  await requireFactor(owner, true);
  const { session_id } = decodeJwt(colleague.token);
  expect(closed.mock.calls).toEqual([[[session_id]]]);
  expect(published.mock.invocationCallOrder[0]).toBeLessThan(closed.mock.invocationCallOrder[0]!);
  vi.restoreAllMocks();
});

test('an API key with the right to change the company does not change who needs a second factor', async () => {
  const owner = await app.freshCompany();
  await enrol(asCaller(owner));
  await requireFactor(owner, true);
  const { data } = await owner.call('POST', '/api_tokens', { name: 'Script', scopes: ['settings'] });
  const headers = { authorization: `Bearer ${data.token}` };
  const path = `/company/${owner.companyId}`;
  expect((await owner.call('PUT', path, { name: 'New' }, headers)).status).toBe(200);
  expect((await owner.call('PUT', path, { second_factor_required: false }, headers)).status).toBe(403);
  expect((await owner.call('GET', `/users/${owner.userId}`)).data.company.second_factor_required).toBe(true);
});
