import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { CompanySummary } from '@bidwell/contract/company-overview/schema';
import { statementsOf } from '@bidwell/testing/engines/statements';
import { eventually } from '@bidwell/testing/eventually';
import { apiKeyOf, viewerTokenOf } from '@bidwell/testing/caller-tokens';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { QueryTooLarge } from '../../../platform/clickhouse/client.ts';

const app = await testApp();
const { ctx } = app;
const { setUp, begun, finish, input } = signOnOf(app);
afterEach(() => {
  app.clock.now = new Date();
});

/** Makes a person a member of another company, too. */
const join = async ({ userId }: TestCompany, { companyId }: TestCompany, role: CompanyRole) =>
  ctx.db
    .insertInto('memberships')
    .values({ company_uuid: companyId, user_uuid: userId, role, created_at: ctx.now() })
    .execute();
const summariesOf = async ({ call }: Pick<TestCompany, 'call'>): Promise<CompanySummary[]> =>
  (await call('GET', '/companies/summary')).data.companies;
/** Waits until all expected figures could be read in time: other programs may take the processor for seconds. */
const readInTime = async (
  read: () => Promise<CompanySummary[]>,
  isExpected: (uuid: string) => boolean = () => true,
): Promise<CompanySummary[]> =>
  eventually(async () => {
    const summaries = await read();
    expect(summaries.filter((each) => isExpected(each.uuid) && each.is_incomplete)).toEqual([]);
    return summaries;
  });
const of = (summaries: readonly CompanySummary[], { companyId }: TestCompany) =>
  summaries.find(({ uuid }) => uuid === companyId);
const unknown = {
  spend_today: null,
  spend_7_days: null,
  balance: null,
  active_campaigns: null,
  unread_warnings: null,
};
/** Stores spend of a company at an instant, in dollars, of a campaign that is Active. */
async function spent(company: TestCompany, spend: readonly (readonly [at: string, dollars: number])[]) {
  const campaignId = await makeCampaign(ctx, company, 'One');
  await makeCampaign(ctx, company, 'Paused');
  await ctx.db.updateTable('campaigns').set({ status: 'Active' }).where('uuid', '=', campaignId).execute();
  await storeEvents(
    ctx,
    company.companyId,
    spend.map(([at, dollars]) => ({ at, kind: 'billing', campaignId, spendMicros: dollars * 1e6 })),
  );
}

test('a person sees the figures of all their companies at once, as far as the role in each allows', async () => {
  app.clock.now = new Date('2026-03-20T21:00:00Z');
  const [own, read, paid, funded, foreign] = [
    await app.freshCompany(),
    await app.freshCompany(),
    await app.freshCompany(),
    await app.freshCompany(),
    await app.freshCompany(),
  ];
  await join(own, read, 'analyst');
  await join(own, paid, 'finance');
  await join(own, funded, 'editor');
  // Its days begin at 18:30 UTC: it is the 21st there.
  await read.call('PUT', `/company/${read.companyId}`, { time_zone: 'Asia/Kolkata' });
  const spend = [
    ['2026-03-20T20:00:00Z', 1],
    ['2026-03-20T18:20:00Z', 2.25],
    ['2026-03-14T01:00:00Z', 4],
    ['2026-03-13T01:00:00Z', 8],
  ] as const;
  const credit = async ({ companyId }: TestCompany, amount: number) =>
    app.operator('POST', `/companies/${companyId}/credit`, { amount, reason: 'Test' });
  await credit(funded, 12.5);
  for (const company of [own, read, paid, foreign]) {
    // More than is spent: a balance below zero would be one more warning.
    await credit(company, 100);
    await spent(company, spend);
  }
  await app.operator('PUT', `/companies/${paid.companyId}/suspension`, { suspended: true });
  const summaries = await readInTime(() => summariesOf(own));
  expect(summaries).toHaveLength(4);
  const known = { requires: null, is_incomplete: false };
  // The spend since then is subtracted from the balance of the others.
  expect(of(summaries, funded)).toMatchObject({
    ...known,
    role: 'editor',
    spend_today: 0,
    spend_7_days: 0,
    balance: 12.5,
    active_campaigns: 0,
  });
  expect(of(summaries, own)).toMatchObject({
    ...known,
    role: 'owner',
    is_current: true,
    spend_today: 3.25,
    spend_7_days: 7.25,
    balance: expect.any(Number),
    active_campaigns: 1,
    unread_warnings: 0,
  });
  expect(of(summaries, read)).toMatchObject({
    ...known,
    role: 'analyst',
    is_current: false,
    spend_today: 1,
    spend_7_days: 3.25,
    balance: expect.any(Number),
    active_campaigns: 1,
  });
  // A suspended company is still read; finance sees no campaigns.
  expect(of(summaries, paid)).toMatchObject({
    ...known,
    role: 'finance',
    is_suspended: true,
    spend_today: 3.25,
    spend_7_days: 7.25,
    balance: expect.any(Number),
    active_campaigns: null,
    unread_warnings: 1,
  });
});

test('a company whose figures cannot be read does not affect the figures of the others', async () => {
  const [own, slow] = [await app.freshCompany(), await app.freshCompany()];
  await join(own, slow, 'editor');
  const { query } = ctx.clickhouse;
  const failing = vi.spyOn(ctx.clickhouse, 'query').mockImplementation(async (sql, params, ...rest) => {
    if (JSON.stringify(params).includes(slow.companyId)) throw new QueryTooLarge('Timeout exceeded');
    return query(sql, params, ...rest);
  });
  onTestFinished(() => failing.mockRestore());
  const summaries = await readInTime(
    () => summariesOf(own),
    (uuid) => uuid !== slow.companyId,
  );
  expect(of(summaries, own)).toMatchObject({ spend_today: 0, spend_7_days: 0, is_incomplete: false });
  expect(of(summaries, slow)).toMatchObject({
    spend_today: null,
    spend_7_days: null,
    balance: 0,
    active_campaigns: 0,
    is_incomplete: true,
  });
});

test('the balances of all companies are one query', async () => {
  const own = await app.freshCompany();
  for (let count = 0; count < 4; count += 1) await join(own, await app.freshCompany(), 'finance');
  const read = (statements: readonly string[]) => statements.filter((text) => text.includes('ledger_'));
  const statements = await statementsOf(ctx, async () => summariesOf(own));
  expect(read(statements)).toHaveLength(1);
});

test('no further figures are read once the connection of the call is closed', async () => {
  const own = await app.freshCompany();
  const companies = [own];
  for (let count = 0; count < 5; count += 1) {
    const other = await app.freshCompany();
    await join(own, other, 'editor');
    companies.push(other);
  }
  await app.listen();
  const { port } = app.http.server.address() as AddressInfo;
  const { query } = ctx.clickhouse;
  /** What ends each query for the spend of one of these companies; queries of background work go on. */
  const reading: (() => void)[] = [];
  let isSlow = true;
  let read = 0;
  const slow = vi.spyOn(ctx.clickhouse, 'query').mockImplementation(async (sql, params, ...rest) => {
    const text = JSON.stringify(params);
    if (!companies.some(({ companyId }) => text.includes(companyId))) return query(sql, params, ...rest);
    read += 1;
    return isSlow ? new Promise((done) => reading.push(() => done([]))) : [];
  });
  onTestFinished(() => slow.mockRestore());
  let isClosed = false;
  app.http.server.once('request', (_request, response) => response.once('close', () => (isClosed = true)));
  const page = new AbortController();
  const gone = fetch(`http://127.0.0.1:${port}/api/internal/companies/summary`, {
    headers: { authorization: `Bearer ${own.token}` },
    signal: page.signal,
  });
  // Three companies at once.
  await eventually(() => expect(reading).toHaveLength(3));
  page.abort();
  await expect(gone).rejects.toThrow();
  await eventually(() => expect(isClosed).toBe(true));
  isSlow = false;
  for (const end of reading) end();
  expect(await summariesOf(own)).toHaveLength(6);
  // Six companies in this call, and only the three that the aborted call had begun.
  expect(read).toBe(9);
});

test('the requirements of a company for a login apply to its figures, too', async () => {
  const [own, strict, enrolled] = [
    await app.freshCompany(),
    await app.freshCompany(),
    await app.freshCompany(),
  ];
  for (const company of [strict, enrolled]) await join(own, company, 'editor');
  const { domain } = await setUp(strict);
  await ctx.db
    .updateTable('users')
    .set({ email: `ada@${domain}` })
    .where('uuid', '=', own.userId)
    .execute();
  await strict.call('PUT', '/sso', input({ client_secret: null, is_required: true }));
  await ctx.db
    .updateTable('companies')
    .set({ second_factor_required: true })
    .where('uuid', '=', enrolled.companyId)
    .execute();
  const summaries = await readInTime(() => summariesOf(own));
  const hidden = { ...unknown, is_incomplete: false };
  expect(of(summaries, strict)).toMatchObject({ ...hidden, requires: 'single_sign_on' });
  expect(of(summaries, enrolled)).toMatchObject({ ...hidden, requires: 'second_factor' });
  expect(of(summaries, own)).toMatchObject({ requires: null, balance: 0 });
  // The provider of one company proves nothing about the person at other companies.
  const claims = { sub: 'ada', email: `ada@${domain}`, email_verified: true };
  const session = await finish(await begun(strict, claims));
  const bySso = await readInTime(() => summariesOf(session));
  expect(bySso).toMatchObject([{ uuid: strict.companyId, is_current: true, requires: null, balance: 0 }]);
});

test('a passkey is a second factor for the figures of a company that requires one', async () => {
  const [own, strict] = [await app.freshCompany(), await app.freshCompany()];
  await join(own, strict, 'editor');
  await ctx.db
    .updateTable('companies')
    .set({ second_factor_required: true })
    .where('uuid', '=', strict.companyId)
    .execute();
  const passkey = { credential_id: uuidv7(), public_key: 'AA', sign_count: 0, transports: [], synced: false };
  await ctx.db
    .insertInto('passkeys')
    .values({
      uuid: uuidv7(),
      account_uuid: own.userId,
      ...passkey,
      name: 'Key',
      created_at: ctx.now(),
      last_used_at: null,
    })
    .execute();
  expect(of(await readInTime(() => summariesOf(own)), strict)).toMatchObject({
    requires: null,
    balance: 0,
    active_campaigns: 0,
  });
});

test('an API key and an operator who views a company see that company alone', async () => {
  const [own, other] = [await app.freshCompany(), await app.freshCompany()];
  await join(own, other, 'owner');
  for (const token of [await apiKeyOf(own, ['read']), await viewerTokenOf(app, own.companyId)]) {
    const headers = { authorization: `Bearer ${token}` };
    const read = async () =>
      (await app.http.inject({ url: '/api/internal/companies/summary', headers })).json().data.companies;
    expect(await readInTime(read)).toMatchObject([
      { uuid: own.companyId, is_current: true, balance: 0, active_campaigns: 0 },
    ]);
  }
});
