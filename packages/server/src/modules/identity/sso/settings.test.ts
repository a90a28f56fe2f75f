import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { testApp } from '@bidwell/testing/test-app';
import { expect, onTestFinished, test } from 'vitest';
import { untilAborted } from '../../../platform/concurrency/time-limits.ts';
import { listNotifications } from '../../messaging/notifications/service.ts';
import { checkDomainRecords } from './domains.ts';

const app = await testApp();
const provider = app.identityProvider;
const { input, listed, setUp, freshDomain } = signOnOf(app);

test('an owner sets a provider, whose secret is stored encrypted and never returned', async () => {
  const company = await app.freshCompany();
  const { data } = await company.call('PUT', '/sso', input({ role: 'editor' }));
  expect(data).toMatchObject({
    provider: {
      issuer: 'https://id.example',
      client_id: 'bidwell',
      has_client_secret: true,
      role: 'editor',
      may_join: true,
      is_required: false,
    },
    domains: [],
    redirect_uri: `http://bidwell.test/sso/callback/${company.companyId}`,
  });
  const read = await company.call('GET', '/sso');
  const stored = await app.ctx.db
    .selectFrom('sso_providers')
    .selectAll()
    .where('company_uuid', '=', company.companyId)
    .executeTakeFirstOrThrow();
  const { changes } = (await company.call('GET', `/company/${company.companyId}/changes`)).data;
  for (const text of [read.data, stored, changes].map((value) => JSON.stringify(value)))
    expect(text).not.toContain(provider.clientSecret);
  expect(stored.client_secret).toMatch(/^enc:1:/);
  expect(changes[0].fields).toContainEqual({
    field: 'sso_issuer',
    before: null,
    after: 'https://id.example',
  });
});

test('the secret stays where none is sent, and goes to no other issuer', async () => {
  const company = await app.freshCompany();
  const without = input({ client_secret: null });
  const needed = {
    status: 422,
    errors: [{ field: 'client_secret', message: accountMessages.ssoSecretNeeded }],
  };
  expect(await company.call('PUT', '/sso', without)).toMatchObject(needed);
  await company.call('PUT', '/sso', input());
  expect((await company.call('PUT', '/sso', { ...without, client_id: 'other' })).status).toBe(200);
  expect(await company.call('PUT', '/sso', { ...without, issuer: 'https://evil.example' })).toMatchObject(
    needed,
  );
});

test.each([
  ['http://id.example', accountMessages.ssoIssuer],
  ['https://name:password@id.example', accountMessages.ssoIssuer],
  ['https://id.example/?tenant=1', accountMessages.ssoIssuer],
  ['https://login.microsoftonline.com/common/v2.0', accountMessages.ssoSharedIssuer],
  ['https://login.microsoftonline.com/organizations/v2.0', accountMessages.ssoSharedIssuer],
])('the issuer %s is not accepted', async (issuer, message) => {
  const company = await app.freshCompany();
  expect(await company.call('PUT', '/sso', input({ issuer }))).toMatchObject({
    status: 422,
    errors: [{ field: 'issuer', message }],
  });
});

test.each([
  ['https://id.example/o/bidwell', 'https://id.example/o/bidwell/'],
  ['https://id.example/o/bidwell/', 'https://id.example/o/bidwell'],
  ['https://id.example/o/bidwell/.well-known/openid-configuration', 'https://id.example/o/bidwell'],
])('the issuer %s is found where the provider names itself %s', async (issuer, named) => {
  const company = await app.freshCompany();
  app.identityProvider.metadata = { issuer: named };
  onTestFinished(() => void (app.identityProvider.metadata = {}));
  expect(await company.call('PUT', '/sso', input({ issuer }))).toMatchObject({
    status: 200,
    data: { provider: { issuer: named } },
  });
});

test('where the provider names itself otherwise, that name is said', async () => {
  const company = await app.freshCompany();
  app.identityProvider.metadata = { issuer: 'https://id.example/realms/ads' };
  onTestFinished(() => void (app.identityProvider.metadata = {}));
  expect(await company.call('PUT', '/sso', input({ issuer: 'https://id.example' }))).toMatchObject({
    status: 422,
    errors: [
      {
        field: 'issuer',
        message: 'The provider there names itself https://id.example/realms/ads: enter that.',
      },
    ],
  });
});

test('a mail domain is proven by its DNS record, and is of one company', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const { uuid, domain, txt_record: record } = await listed(company, { isProven: false });
  expect(record).toMatch(/^bidwell-verification=[\w-]{43}$/);
  const verify = () => company.call('POST', `/sso/domains/${uuid}/verification`);
  expect(await verify()).toMatchObject({ status: 409, data: accountApiMessages.ssoRecordMissing });
  // The record of one company proves nothing for another one.
  provider.txt.set(domain, [record]);
  const copy = (await other.call('POST', '/sso/domains', { domain: domain.toUpperCase() })).data;
  expect(copy.domain).toBe(domain);
  const verifyCopy = () => other.call('POST', `/sso/domains/${copy.uuid}/verification`);
  expect((await verifyCopy()).status).toBe(409);
  expect((await verify()).data.verified_at).not.toBeNull();
  provider.txt.set(domain, [copy.txt_record]);
  expect(await verifyCopy()).toMatchObject({ status: 409, data: accountApiMessages.ssoDomainTaken });
  await company.call('DELETE', `/sso/domains/${uuid}`);
  expect((await verifyCopy()).status).toBe(200);
  const { changes } = (await company.call('GET', `/company/${company.companyId}/changes`)).data;
  expect(changes[0].fields).toEqual([{ field: 'sso_domain', before: domain, after: null }]);
});

test('owners are notified once of a proven domain whose record has been gone for seven days, and nothing else happens', async () => {
  const company = await app.freshCompany();
  const editor = await app.freshPerson(company, 'editor');
  const { domain } = await setUp(company);
  const byOperator = `operator-${domain}`;
  const proven = await app.operator('PUT', `/companies/${company.companyId}/sso-domain`, {
    domain: byOperator,
  });
  expect(proven.status).toBe(200);
  const records = app.identityProvider.txt;
  const record = records.get(domain)!;
  const startMs = app.clock.now.getTime();
  const onDay = async (day: number) => {
    app.clock.now = new Date(startMs + day * 86_400_000);
    await checkDomainRecords(app.ctx);
  };
  const noticesOf = async (userId: string) =>
    (
      await listNotifications(app.ctx, {
        companyId: company.companyId,
        userId,
        role: 'person',
        companyRole: 'owner',
      })
    )
      .filter(({ kind }) => kind === 'sso_domain')
      .map(({ text }) => text);
  records.set(domain, []);
  await onDay(1);
  await onDay(6.9);
  records.set(domain, record);
  await onDay(8);
  records.set(domain, []);
  await onDay(14);
  expect(await noticesOf(company.userId)).toEqual([]);
  await onDay(15);
  await onDay(16.1);
  expect(await noticesOf(company.userId)).toEqual([
    expect.stringContaining(`proves ${domain} has not been found for 7 days`),
  ]);
  expect(await noticesOf(editor.userId)).toEqual([]);
  // Also once the notification is deleted, as old ones are.
  await app.ctx.db.deleteFrom('notifications').where('company_uuid', '=', company.companyId).execute();
  await onDay(120);
  expect(await noticesOf(company.userId)).toEqual([]);
  // A record that is lost again is notified again.
  records.set(domain, record);
  await onDay(121.1);
  records.set(domain, []);
  await onDay(129);
  expect(await noticesOf(company.userId)).toHaveLength(1);
  const rows = app.ctx.db.selectFrom('sso_domains').select('verified_at');
  expect((await rows.where('domain', '=', domain).execute())[0]?.verified_at).not.toBeNull();
  app.clock.now = new Date();
});

test('of two companies that prove a domain at once one has it', async () => {
  const companies = [await app.freshCompany(), await app.freshCompany()];
  const domain = freshDomain();
  const rows = [];
  for (const company of companies)
    rows.push({ company, ...(await company.call('POST', '/sso/domains', { domain })).data });
  provider.txt.set(
    domain,
    rows.map(({ txt_record }) => txt_record),
  );
  const both = await Promise.all(
    rows.map(({ company, uuid }) => company.call('POST', `/sso/domains/${uuid}/verification`)),
  );
  expect(both.map(({ status }: { status: number }) => status).toSorted()).toEqual([200, 409]);
});

test('a company lists at most twenty mail domains', async () => {
  const company = await app.freshCompany();
  for (let n = 0; n < 20; n += 1)
    expect((await company.call('POST', '/sso/domains', { domain: freshDomain() })).status).toBe(201);
  expect((await company.call('POST', '/sso/domains', { domain: freshDomain() })).status).toBe(409);
});

test.each(['localhost', 'a@example.com', 'example', '-', 'exa mple.com', '1.2.3.4', ''])(
  '“%s” is no mail domain',
  async (domain) => {
    const company = await app.freshCompany();
    expect((await company.call('POST', '/sso/domains', { domain })).status).toBe(422);
  },
);

test('single sign-on is not required before a mail domain is proven', async () => {
  const company = await app.freshCompany();
  const required = input({ is_required: true });
  expect(await company.call('PUT', '/sso', required)).toMatchObject({
    status: 422,
    errors: [{ field: 'is_required', message: accountMessages.ssoDomainFirst }],
  });
  await setUp(company);
  expect((await company.call('PUT', '/sso', required)).data.provider.is_required).toBe(true);
});

test('name servers that do not answer do not delay a stop, and the domain keeps its state', async () => {
  const company = await app.freshCompany();
  const { domain } = await setUp(company);
  const checkedAt = async () =>
    (
      await app.ctx.db
        .selectFrom('sso_domains')
        .select('record_checked_at')
        .where('domain', '=', domain)
        .executeTakeFirstOrThrow()
    ).record_checked_at;
  const before = await checkedAt();
  const startMs = app.clock.now.getTime();
  app.clock.now = new Date(startMs + 2 * 86_400_000);
  const stopping = new AbortController();
  const resolveTxt = (_domain: string, signal?: AbortSignal) => {
    stopping.abort();
    return untilAborted(new Promise<string[]>(() => {}), signal!);
  };
  await checkDomainRecords({ ...app.ctx, resolveTxt }, stopping.signal);
  expect(await checkedAt()).toEqual(before);
  await checkDomainRecords(app.ctx);
  expect(await checkedAt()).toEqual(app.clock.now);
  app.clock.now = new Date(startMs);
});
