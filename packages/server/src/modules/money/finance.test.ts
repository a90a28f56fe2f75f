import { MICROS } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import * as jobs from '../../platform/jobs/repeat.ts';
import { testApp } from '@bidwell/testing/test-app';
import {
  balanceMicros,
  balanceMicrosOfAll,
  creditCompany,
  debitCompany,
  decideTopUp,
  listTransactions,
  pendingTopUps,
  fundsOfAll,
  requestTopUp,
} from './service.ts';
import { checkLedger } from './ledger-check.ts';
import { postSpend } from './posting.ts';

// No background job posts spend; these tests call the posting.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp();

const { ctx } = app;

const fund = ({ companyId }: { companyId: string }, micros: number, reason = 'Start') =>
  creditCompany(ctx, TOKEN_HOLDER, { companyId, micros, reason });

const disagreements = async (companyId: string) =>
  (await checkLedger(ctx)).filter((found) => found.companyId === companyId);

test('a new company has no money and no transactions', async () => {
  const company = await app.freshCompany();
  const balance = await company.call('GET', '/finance/balance');
  expect(balance).toMatchObject({ status: 200, data: { balance: 0, currency: 'USD', spent_today: 0 } });
  const list = await company.call('GET', '/finance/transactions');
  expect(list).toMatchObject({ status: 200, data: { transactions: [], total: 0 } });
});

test('a credit and a debit change the balance, are listed newest first, and are in the change log', async () => {
  app.clock.now = new Date('2026-03-01T10:50:00Z');
  const company = await app.freshCompany();
  await fund(company, 500 * MICROS, 'Contract 12');
  app.clock.now = new Date('2026-03-01T11:00:00Z');
  await debitCompany(ctx, TOKEN_HOLDER, {
    companyId: company.companyId,
    micros: 120_250_000,
    reason: 'Refund',
  });
  expect((await company.call('GET', '/finance/balance')).data.balance).toBe(379.75);
  const { data } = await company.call('GET', '/finance/transactions');
  expect(data.total).toBe(2);
  expect(data.transactions).toMatchObject([
    { kind: 'debit', status: 'success', amount: -120.25, description: 'Refund' },
    { kind: 'credit', status: 'success', amount: 500, description: 'Contract 12' },
  ]);
  expect(await balanceMicros(ctx, company.companyId)).toBe(379_750_000);
  expect((await balanceMicrosOfAll(ctx)).get(company.companyId)).toBe(379_750_000);
  const changes = await ctx.db
    .selectFrom('changes')
    .select(['author', 'fields'])
    .where('company_uuid', '=', company.companyId)
    .where('entity_type', '=', 'company')
    .orderBy('created_at')
    .execute();
  expect(changes).toEqual([
    { author: 'Operator', fields: [{ field: 'balance', before: 0, after: 500 }] },
    { author: 'Operator', fields: [{ field: 'balance', before: 500, after: 379.75 }] },
  ]);
});

test('folded by day, the spend of a day is one transaction among the others', async () => {
  app.clock.now = new Date('2026-04-02T09:30:00Z');
  const company = await app.freshCompany();
  const first = await makeCampaign(ctx, company, 'Spring');
  const second = await makeCampaign(ctx, company, 'Autumn');
  const spend = (campaignId: string, at: string) => ({
    at,
    kind: 'billing' as const,
    campaignId,
    spendMicros: 10_000,
  });
  await storeEvents(ctx, company.companyId, [
    spend(first, '2026-04-01T20:10:00Z'),
    spend(first, '2026-04-01T21:10:00Z'),
    spend(second, '2026-04-01T21:20:00Z'),
    spend(first, '2026-04-02T08:10:00Z'),
  ]);
  await postSpend(ctx);
  await fund(company, 5 * MICROS);
  const list = async (query: string) => (await company.call('GET', `/finance/transactions?${query}`)).data;

  expect((await list('')).total).toBe(5);
  const { total, transactions } = await list('fold=day');
  expect(total).toBe(3);
  expect(transactions).toMatchObject([
    { kind: 'credit', amount: 5 },
    { kind: 'spend', amount: -0.01, folded: { date: '2026-04-02', campaigns: 1, hours: 1 } },
    {
      kind: 'spend',
      status: 'success',
      amount: -0.03,
      description: 'Media spend of 2 campaigns',
      folded: { date: '2026-04-01', is_month: false, campaigns: 2, hours: 2 },
    },
  ]);
  expect(transactions[0]).not.toHaveProperty('folded');
  const lastPage = await list('fold=day&limit=2&page=2');
  expect(lastPage.total).toBe(3);
  expect(lastPage.transactions).toHaveLength(1);
  expect(await list('fold=day&page=9')).toEqual({ transactions: [], total: 3 });
  expect((await list('fold=day&status=declined')).total).toBe(0);

  await ctx.db
    .updateTable('ledger_transactions')
    .set({ status: 'pending' })
    .where('company_uuid', '=', company.companyId)
    .where('hour', '=', new Date('2026-04-01T21:00:00Z'))
    .execute();
  const ofStatus = async (status: string) =>
    (await list(`fold=day&status=${status}`)).transactions.map(
      ({ kind, amount }: { kind: string; amount: number }) => [kind, amount],
    );
  // A day is whole, in the list of its one status.
  expect(await ofStatus('pending')).toEqual([['spend', -0.03]]);
  expect(await ofStatus('success')).toEqual([
    ['credit', 5],
    ['spend', -0.01],
  ]);
});

test('a debit beyond the balance is rejected and changes nothing', async () => {
  const company = await app.freshCompany();
  await fund(company, 10 * MICROS);
  await expect(
    debitCompany(ctx, TOKEN_HOLDER, {
      companyId: company.companyId,
      micros: 11 * MICROS,
      reason: 'Too much',
    }),
  ).rejects.toThrow('The balance is only $10.00');
  expect(await balanceMicros(ctx, company.companyId)).toBe(10 * MICROS);
});

test('an unknown company and invalid amounts are rejected', async () => {
  const nobody = '019a0000-0000-7000-8000-000000000000';
  await expect(
    creditCompany(ctx, TOKEN_HOLDER, { companyId: nobody, micros: MICROS, reason: 'x' }),
  ).rejects.toThrow('Company not found');
  const company = await app.freshCompany();
  for (const micros of [0, -1, 0.5, Number.NaN]) {
    await expect(fund(company, micros, 'x')).rejects.toThrow('Enter an amount above 0');
  }
});

test('a top-up waits for the operator, and changes the balance once', async () => {
  const company = await app.freshCompany();
  const topUp = await company.call('POST', '/finance/top_up', { amount: 250.5 });
  expect(topUp).toMatchObject({ status: 201, data: { kind: 'top_up', status: 'pending', amount: 250.5 } });
  expect((await company.call('GET', '/finance/balance')).data.balance).toBe(0);
  expect(await pendingTopUps(ctx, TOKEN_HOLDER)).toContainEqual(
    expect.objectContaining({ uuid: topUp.data.uuid, company_uuid: company.companyId, amount: 250.5 }),
  );
  await decideTopUp(ctx, TOKEN_HOLDER, { transactionId: topUp.data.uuid, status: 'success' });
  await expect(
    decideTopUp(ctx, TOKEN_HOLDER, { transactionId: topUp.data.uuid, status: 'success' }),
  ).rejects.toThrow('This top-up is success already');
  expect((await company.call('GET', '/finance/balance')).data.balance).toBe(250.5);
  const { data } = await company.call('GET', '/finance/transactions?status=success');
  expect(data.transactions).toMatchObject([{ uuid: topUp.data.uuid, status: 'success' }]);
  const notifications = await ctx.db
    .selectFrom('notifications')
    .select(['title', 'text'])
    .where('company_uuid', '=', company.companyId)
    .execute();
  expect(notifications).toEqual([{ title: 'Top-up confirmed', text: '$250.50 was added to your balance.' }]);
});

test('a declined top-up changes nothing', async () => {
  const company = await app.freshCompany();
  const topUp = await company.call('POST', '/finance/top_up', { amount: 10 });
  await decideTopUp(ctx, TOKEN_HOLDER, { transactionId: topUp.data.uuid, status: 'declined' });
  expect(await balanceMicros(ctx, company.companyId)).toBe(0);
  expect((await company.call('GET', '/finance/transactions?status=declined')).data.total).toBe(1);
  await expect(
    decideTopUp(ctx, TOKEN_HOLDER, { transactionId: topUp.data.uuid, status: 'success' }),
  ).rejects.toThrow('This top-up is declined already');
});

test('only a top-up can be confirmed or declined', async () => {
  const company = await app.freshCompany();
  const credit = await fund(company, MICROS);
  await expect(
    decideTopUp(ctx, TOKEN_HOLDER, { transactionId: credit.uuid, status: 'declined' }),
  ).rejects.toThrow('Top-up not found');
});

test('invalid amounts of a top-up are field errors', async () => {
  const company = await app.freshCompany();
  for (const [amount, message] of [
    [0, 'Enter an amount above 0'],
    [10.005, 'Use at most two decimals'],
    [1_000_001, 'At most 1 000 000'],
    ['10', 'Enter an amount'],
  ] as const) {
    const response = await company.call('POST', '/finance/top_up', { amount });
    expect(response).toMatchObject({ status: 422, errors: [{ field: 'amount', message }] });
  }
});

test('at most twenty top-ups can be pending', async () => {
  const company = await app.freshCompany();
  for (let index = 0; index < 20; index += 1) await company.call('POST', '/finance/top_up', { amount: 1 });
  expect((await company.call('POST', '/finance/top_up', { amount: 1 })).status).toBe(409);
});

test('other companies see none of it, and the list is paginated', async () => {
  const [one, other] = [await app.freshCompany(), await app.freshCompany()];
  for (const reason of ['a', 'b', 'c']) await fund(one, MICROS, reason);
  expect((await other.call('GET', '/finance/transactions')).data).toEqual({ transactions: [], total: 0 });
  expect((await other.call('GET', '/finance/balance')).data.balance).toBe(0);
  const page = await one.call('GET', '/finance/transactions?page=2&limit=2');
  expect(page.data).toMatchObject({ transactions: [{ description: 'a' }], total: 3 });
});

test('spend of a campaign and hour is one debit: pending during the hour, then success', async () => {
  app.clock.now = new Date('2026-03-02T10:20:00Z');
  const company = await app.freshCompany();
  const { companyId } = company;
  const campaignId = await makeCampaign(ctx, company, 'Spring');
  await fund(company, 5 * MICROS);
  const spend = (at: string, spendMicros: number) => ({
    at,
    kind: 'billing' as const,
    campaignId,
    spendMicros,
  });
  await storeEvents(ctx, companyId, [
    spend('2026-03-02T10:00:00.000Z', 1_500_000),
    spend('2026-03-02T10:19:59.999Z', 1),
    { ...spend('2026-03-02T10:10:00Z', 900_000), test: true },
  ]);
  expect(await postSpend(ctx)).toContain(companyId);
  const list = async () => (await listTransactions(ctx, company, { page: 1, limit: 25 })).transactions;
  const open = { kind: 'spend', status: 'pending', amount: -1.500001 };
  expect((await list())[0]).toMatchObject({
    ...open,
    description: 'Campaign "Spring", Mar 02 / 2026, 10:00-11:00 UTC',
  });
  expect(await balanceMicros(ctx, companyId)).toBe(3_499_999);
  expect((await fundsOfAll(ctx)).get(companyId)).toBe(5 * MICROS);

  expect(await postSpend(ctx, 'recent')).not.toContain(companyId);
  await storeEvents(ctx, companyId, [spend('2026-03-02T10:30:00Z', 500_000)]);
  await postSpend(ctx, 'recent');
  expect(await balanceMicros(ctx, companyId)).toBe(2_999_999);

  app.clock.now = new Date('2026-03-02T11:00:00Z');
  await postSpend(ctx, 'recent');
  expect(await list()).toMatchObject([{ status: 'success', amount: -2.000001 }, { kind: 'credit' }]);

  // A late event of a closed hour: same transaction, new entries.
  await storeEvents(ctx, companyId, [spend('2026-03-02T10:59:59.999Z', 7)]);
  app.clock.now = new Date('2026-03-06T09:00:00Z');
  await postSpend(ctx);
  expect(await list()).toMatchObject([{ status: 'success', amount: -2.000008 }, { kind: 'credit' }]);
  expect(await balanceMicros(ctx, companyId)).toBe(2_999_992);
  const entries = await ctx.db
    .selectFrom('ledger_entries')
    .select(['account', 'amount_micros'])
    .where('company_uuid', '=', companyId)
    .where('account', '!=', 'funding')
    .orderBy('amount_micros')
    .execute();
  expect(entries.map((entry) => entry.amount_micros)).toEqual([-2_000_001, -7, 7, 2_000_001, 5_000_000]);
  expect(await disagreements(companyId)).toEqual([]);
});

test('today begins at midnight of the company', async () => {
  app.clock.now = new Date('2026-01-10T04:00:00Z');
  const company = await app.freshCompany();
  await ctx.db
    .updateTable('companies')
    .set({ time_zone: 'Asia/Kolkata' })
    .where('uuid', '=', company.companyId)
    .execute();
  const at = (time: string, spendMicros: number) => ({ at: time, kind: 'billing' as const, spendMicros });
  await storeEvents(ctx, company.companyId, [
    at('2026-01-09T18:29:59.999Z', 1_000_000),
    at('2026-01-09T18:30:00.000Z', 250_000),
    at('2026-01-10T03:00:00.000Z', 500_000),
  ]);
  expect((await company.call('GET', '/finance/balance')).data.spent_today).toBe(0.75);
});

test('the check names the discrepancies', async () => {
  app.clock.now = new Date('2026-03-03T10:20:00Z');
  const company = await app.freshCompany();
  const { companyId } = company;
  const campaignId = await makeCampaign(ctx, company, 'Unposted');
  await storeEvents(ctx, companyId, [
    { at: '2026-03-03T09:00:00Z', kind: 'billing', campaignId, spendMicros: 40 },
  ]);
  expect(await disagreements(companyId)).toEqual([
    {
      what: 'spend',
      companyId,
      of: `${campaignId} 2026-03-03T09:00:00.000Z`,
      expectedMicros: 40,
      foundMicros: 0,
    },
  ]);
  await postSpend(ctx);
  expect(await disagreements(companyId)).toEqual([]);
  const credit = await fund(company, 100);
  const setAmount = async (micros: number) =>
    ctx.db
      .updateTable('ledger_transactions')
      .set({ amount_micros: micros })
      .where('uuid', '=', credit.uuid)
      .execute();
  await setAmount(130);
  expect(await disagreements(companyId)).toEqual([
    { what: 'transaction', companyId, of: credit.uuid, expectedMicros: 130, foundMicros: 100 },
    { what: 'balance', companyId, of: companyId, expectedMicros: 90, foundMicros: 60 },
  ]);
  await setAmount(100);
  await ctx.clickhouse.command(
    `alter table events update spend_micros = 41 where campaign_id = '${campaignId}' settings mutations_sync = 1`,
  );
  expect(await disagreements(companyId)).toEqual([
    {
      what: 'spend',
      companyId,
      of: `${campaignId} 2026-03-03T09:00:00.000Z`,
      expectedMicros: 41,
      foundMicros: 40,
    },
    { what: 'report', companyId, of: companyId, expectedMicros: 40, foundMicros: 41 },
  ]);
  await ctx.clickhouse.command(
    `alter table events update spend_micros = 40 where campaign_id = '${campaignId}' settings mutations_sync = 1`,
  );
  await ctx.db
    .updateTable('ledger_entries')
    .set({ amount_micros: -101 })
    .where('transaction_uuid', '=', credit.uuid)
    .where('account', '=', 'funding')
    .execute();
  expect(await disagreements(companyId)).toEqual([
    { what: 'entries', companyId, of: credit.uuid, expectedMicros: 0, foundMicros: -1 },
  ]);
});

test('a balance is limited: a credit beyond it is rejected with a message, and all lists still work', async () => {
  const company = await app.freshCompany();
  const path = `/companies/${company.companyId}/credit`;
  const credit = (amount: number) => app.operator('POST', path, { amount, reason: 'Contract' });
  expect(await credit(100_000_001)).toMatchObject({
    status: 422,
    errors: [{ field: 'amount', message: 'At most $100\u00a0000\u00a0000 at once' }],
  });
  for (let count = 0; count < 10; count += 1) expect((await credit(100_000_000)).status).toBe(201);
  const sentence =
    'The balance is $1\u00a0000\u00a0000\u00a0000.00; it can be at most $1\u00a0000\u00a0000\u00a0000';
  expect(await credit(0.01)).toMatchObject({ status: 409, data: sentence });
  const topUp = (await company.call('POST', '/finance/top_up', { amount: 1 })).data.uuid;
  const decide = (status: string) => app.operator('POST', `/top-ups/${topUp}/decision`, { status });
  expect(await decide('success')).toMatchObject({ status: 409, data: sentence });
  expect((await decide('declined')).data.status).toBe('declined');
  expect((await company.call('GET', '/finance/balance')).data.balance).toBe(1e9);
  expect(await disagreements(company.companyId)).toEqual([]);
});

/** Writes a credit of `micros` without checking bounds, as damaged data or an older version may have left it. */
async function damage(companyId: string, micros: bigint): Promise<void> {
  const uuid = uuidv7();
  await sql`insert into ledger_transactions (uuid, company_uuid, kind, status, amount_micros, description)
    values (${uuid}, ${companyId}, 'credit', 'success', ${String(micros)}, 'Damaged')`.execute(ctx.db);
  for (const [account, amount] of [
    ['wallet', micros],
    ['funding', -micros],
  ] as const)
    await sql`insert into ledger_entries (uuid, transaction_uuid, company_uuid, account, amount_micros)
      values (${uuidv7()}, ${uuid}, ${companyId}, ${account}, ${String(amount)})`.execute(ctx.db);
}

test('a company with invalid amounts is reported, and does not affect others', async () => {
  const [damaged, other] = [await app.freshCompany(), await app.freshCompany()];
  for (let count = 0; count < 3; count += 1) await damage(damaged.companyId, 2n ** 63n - 1n);
  await fund(other, 5 * MICROS);
  const logged = vi.spyOn(ctx.log, 'error').mockImplementation(() => {});
  const funds = await fundsOfAll(ctx);
  expect(logged.mock.calls[0]?.[0]).toEqual({ companyId: damaged.companyId });
  logged.mockRestore();
  expect(funds.get(damaged.companyId)).toBe(Number.MAX_SAFE_INTEGER);
  expect(funds.get(other.companyId)).toBe(5 * MICROS);
  const { status, data } = await app.operator('GET', '/companies');
  expect(status).toBe(200);
  const balances = new Map(
    data.companies.map((one: { uuid: string; balance: number }) => [one.uuid, one.balance]),
  );
  expect(balances.get(other.companyId)).toBe(5);
  expect(balances.get(damaged.companyId)).toBeGreaterThan(9e9);
  const check = await app.operator('GET', '/ledger/check');
  expect(check.status).toBe(200);
  expect(check.data.disagreements).toContainEqual(
    expect.objectContaining({ what: 'bound', company_uuid: damaged.companyId, expected: 1e9 }),
  );
  expect((await damaged.call('GET', '/finance/transactions')).status).toBe(200);
  expect((await damaged.call('GET', '/finance/balance')).status).toBe(200);
});

test('spend of all other companies is posted if the rows of one fail', async () => {
  app.clock.now = new Date('2026-05-01T10:30:00Z');
  const [damaged, other] = [await app.freshCompany(), await app.freshCompany()];
  const campaigns = [await makeCampaign(ctx, damaged, 'One'), await makeCampaign(ctx, other, 'One')];
  const spend = async () => {
    for (const [index, company] of [damaged, other].entries())
      await storeEvents(ctx, company.companyId, [
        { at: '2026-05-01T10:05:00Z', kind: 'billing', campaignId: campaigns[index]!, spendMicros: 7 },
      ]);
  };
  await spend();
  await postSpend(ctx);
  await spend();
  await sql`update ledger_entries set amount_micros = ${String(2n ** 63n - 1n)}
    where company_uuid = ${damaged.companyId} and account = 'media'`.execute(ctx.db);
  const logged = vi.spyOn(ctx.log, 'error').mockImplementation(() => {});
  expect(await postSpend(ctx)).toEqual(new Set([other.companyId]));
  expect(logged.mock.calls[0]?.[0]).toMatchObject({ companyId: damaged.companyId });
  logged.mockRestore();
  expect(await balanceMicros(ctx, other.companyId)).toBe(-14);
});

/** A company of New York with credits, a debit, a top-up and spend in January and February of 2026. */
async function twoMonths() {
  app.clock.now = new Date('2026-01-05T15:00:00Z');
  const company = await app.freshCompany();
  const { companyId } = company;
  await ctx.db
    .updateTable('companies')
    .set({ time_zone: 'America/New_York' })
    .where('uuid', '=', companyId)
    .execute();
  await fund(company, 100 * MICROS);
  const campaigns = [await makeCampaign(ctx, company, 'One'), await makeCampaign(ctx, company, 'Two')];
  const spend = (at: string, dollars: number, campaign = 0) =>
    storeEvents(ctx, companyId, [
      { at, kind: 'billing', campaignId: campaigns[campaign]!, spendMicros: dollars * MICROS },
    ]);
  await spend('2026-01-31T10:00:00Z', 7);
  // February has begun in UTC, but not in New York.
  await spend('2026-02-01T04:30:00Z', 0.25, 1);
  await spend('2026-02-01T05:30:00Z', 3, 1);
  app.clock.now = new Date('2026-02-03T15:00:00Z');
  await postSpend(ctx);
  const { uuid } = await requestTopUp(ctx, company, 50 * MICROS);
  await debitCompany(ctx, TOKEN_HOLDER, { companyId, micros: 12 * MICROS, reason: 'Correction' });
  app.clock.now = new Date('2026-02-10T15:00:00Z');
  await decideTopUp(ctx, TOKEN_HOLDER, { transactionId: uuid, status: 'success' });
  await requestTopUp(ctx, company, 999 * MICROS);
  const statement = async (month: string) =>
    (await app.operator('GET', `/companies/${companyId}/statement?month=${month}`)).data;
  return { company, campaigns, statement };
}

test('a statement opens with the last closing balance, and its movements sum to its own', async () => {
  const { company, campaigns, statement } = await twoMonths();
  const [january, february] = [await statement('2026-01'), await statement('2026-02')];
  expect(january).toMatchObject({
    time_zone: 'America/New_York',
    open: false,
    opening: 0,
    closing: 92.75,
    totals: { top_up: 0, credit: 100, debit: 0, spend: -7.25 },
    lines: [
      { date: '2026-01-05', kind: 'credit', description: 'Start', amount: 100, balance: 100 },
      {
        date: '2026-01-31',
        kind: 'spend',
        description: 'Media spend of 2 campaigns',
        amount: -7.25,
        balance: 92.75,
      },
    ],
    campaigns: [
      { uuid: campaigns[0], name: 'One', spend: 7 },
      { uuid: campaigns[1], name: 'Two', spend: 0.25 },
    ],
  });
  expect(february).toMatchObject({
    open: true,
    opening: january.closing,
    closing: 127.75,
    totals: { top_up: 50, credit: 0, debit: -12, spend: -3 },
  });
  expect(
    february.lines.map(({ date, kind, balance }: Record<string, unknown>) => [date, kind, balance]),
  ).toEqual([
    ['2026-02-01', 'spend', 89.75],
    ['2026-02-03', 'debit', 77.75],
    ['2026-02-10', 'top_up', 127.75],
  ]);
  for (const { opening, closing, totals, lines } of [january, february]) {
    const movements = Object.values(totals as Record<string, number>).reduce(
      (sum, one) => sum + one,
      opening,
    );
    expect([movements, lines.at(-1).balance]).toEqual([closing, closing]);
  }
  expect(await balanceMicros(ctx, company.companyId)).toBe(february.closing * MICROS);
  expect(await statement('2026-03')).toMatchObject({ opening: 127.75, closing: 127.75, lines: [] });
});

test('an invalid month is refused, and a statement of an unknown company is not found', async () => {
  const { companyId } = await app.freshCompany();
  const path = (month: string, company = companyId) => `/companies/${company}/statement?month=${month}`;
  for (const month of ['2026-13', '2026-1', 'June', ''])
    expect((await app.operator('GET', path(month))).status).toBe(422);
  const nobody = '01890000-0000-7000-8000-000000000000';
  expect((await app.operator('GET', path('2026-01', nobody))).status).toBe(404);
});

test('revenue by day is the spend and the added funds of all companies', async () => {
  await twoMonths();
  const before = (await app.operator('GET', '/revenue?days=12')).data.days;
  expect(before).toHaveLength(12);
  await twoMonths();
  const after = (await app.operator('GET', '/revenue?days=12')).data.days;
  const added = (date: string) => {
    const [was, is] = [before, after].map((days) => days.find((day: { date: string }) => day.date === date));
    return [is.spend - was.spend, is.funds - was.funds];
  };
  expect(added('2026-02-01')).toEqual([3.25, 0]);
  expect(added('2026-02-03')).toEqual([0, -12]);
  expect(added('2026-02-10')).toEqual([0, 50]);
});

test("a company reads its own statement of a range of days, in its time zone, and no other company's", async () => {
  const { company, campaigns, statement } = await twoMonths();
  // The session began then.
  app.clock.now = new Date('2026-01-05T15:00:00Z');
  const read = (start: string, end: string) =>
    company.call('GET', `/finance/statement?start_date=${start}&end_date=${end}`);
  const { data } = await read('2026-01-01', '2026-01-31');
  const { month: _month, company_uuid: _uuid, company_name: _name, ...january } = await statement('2026-01');
  expect(data).toEqual({ start_date: '2026-01-01', end_date: '2026-01-31', ...january });
  expect((await read('2026-02-01', '2026-02-01')).data).toMatchObject({
    opening: 92.75,
    campaigns: [{ uuid: campaigns[1], spend: 3 }],
  });
  expect((await read('2025-01-01', '2026-02-01')).status).toBe(422);
  const other = await app.freshCompany();
  const { data: empty } = await other.call(
    'GET',
    '/finance/statement?start_date=2026-01-01&end_date=2026-01-31',
  );
  expect(empty).toMatchObject({ opening: 0, closing: 0, lines: [], campaigns: [] });
});
