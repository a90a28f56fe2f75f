import type { LedgerCheck } from '@bidwell/contract/operator/schema';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import * as jobs from '../../platform/jobs/repeat.ts';
import { countStatements } from '@bidwell/testing/engines/statements';
import { testApp } from '@bidwell/testing/test-app';
import { TRANSACTIONS_AT_ONCE, reconcileLedger } from './ledger-check.ts';
import { creditCompany } from './service.ts';
import { postSpend } from './posting.ts';

// No background job posts spend; only the check does.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp();
const { ctx } = app;
const check = async () => (await app.operator('GET', '/ledger/check')).data;

test('the check posts due spend first, and reports the size of the ledger', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Due');
  await creditCompany(ctx, TOKEN_HOLDER, {
    companyId: company.companyId,
    micros: 5_000_000,
    reason: 'Trial',
  });
  const at = app.clock.now.toISOString();
  await storeEvents(ctx, company.companyId, [{ at, kind: 'billing', campaignId, spendMicros: 1_250_000 }]);
  expect(await check()).toEqual({
    checked_at: app.clock.now.toISOString(),
    transactions: 2,
    entries: 4,
    balances: 3.75,
    disagreements: [],
  });
});

test('spend that arrives during the check is not a discrepancy', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Busy');
  const spend = async () =>
    storeEvents(ctx, company.companyId, [
      { at: app.clock.now.toISOString(), kind: 'billing', campaignId, spendMicros: 7 },
    ]);
  await spend();
  const checked = new AbortController();
  const traffic = (async () => {
    while (!checked.signal.aborted) await spend();
  })();
  for (let time = 0; time < 4; time += 1) expect((await check()).disagreements).toEqual([]);
  checked.abort();
  await traffic;
});

test('spend in the ledger without events is found', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Invented');
  const at = app.clock.now.toISOString();
  await storeEvents(ctx, company.companyId, [{ at, kind: 'billing', campaignId, spendMicros: 1_000_000 }]);
  await postSpend(ctx);
  await ctx.clickhouse.command(
    `alter table events delete where campaign_id = '${campaignId}' settings mutations_sync = 1`,
  );
  const hour = `${at.slice(0, 13)}:00:00.000Z`;
  expect((await check()).disagreements).toEqual([
    { what: 'spend', company_uuid: company.companyId, of: `${campaignId} ${hour}`, expected: 0, found: 1 },
    { what: 'report', company_uuid: company.companyId, of: company.companyId, expected: 1, found: 0 },
  ]);
});

test('an event that is stored twice is found, and so is a bid charged by two events', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Twice');
  const at = app.clock.now.toISOString();
  const [doubled, charged] = [uuidv7(), uuidv7()];
  const spent = { at, campaignId, spendMicros: 1_000_000 };
  await storeEvents(ctx, company.companyId, [
    { ...spent, kind: 'billing', bidId: doubled },
    { ...spent, kind: 'billing', bidId: doubled },
    { ...spent, kind: 'billing', bidId: charged },
    { ...spent, kind: 'impression', bidId: charged },
    { ...spent, kind: 'billing' },
  ]);
  const found = (await check()).disagreements.filter(({ what }: { what: string }) => what === 'event');
  const of = (bid: string) => ({
    what: 'event',
    company_uuid: company.companyId,
    of: bid,
    expected: 1,
    found: 2,
  });
  expect(found).toHaveLength(2);
  expect(found).toEqual(expect.arrayContaining([of(doubled), of(charged)]));
});

/** Adds credits of a micro each, whose uuids are spread over the ledger; returns the uuids in their order. */
async function addCredits(companyId: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    with added as (
      insert into ledger_transactions (uuid, company_uuid, kind, status, amount_micros, description)
      select gen_random_uuid(), ${companyId}, 'credit', 'success', 1, 'One of many'
      from generate_series(1, ${count}::int) returning uuid
    ), entries as (
      insert into ledger_entries (uuid, transaction_uuid, company_uuid, account, amount_micros)
      select gen_random_uuid(), added.uuid, ${companyId}, account, micros
      from added cross join (values ('wallet', 1), ('funding', -1)) as sides (account, micros)
    )
    select uuid from added order by uuid`.execute(ctx.db);
  return rows.map(({ uuid }) => uuid);
}

/** The result of a check, and the number of statements that it ran. */
async function counted(): Promise<{ statements: number; result: LedgerCheck }> {
  const own = { ...ctx };
  let result: LedgerCheck;
  const statements = await countStatements(
    own,
    async () => (result = await reconcileLedger(own, TOKEN_HOLDER)),
  );
  return { statements, result: result! };
}

test('a long ledger is read in parts, between which others use the connection', async () => {
  const { companyId } = await app.freshCompany();
  const before = await counted();
  const uuids = await addCredits(companyId, 3 * TRANSACTIONS_AT_ONCE);
  const damaged = [0, TRANSACTIONS_AT_ONCE, uuids.length - 1].map((at) => uuids[at]!);
  const setAmount = async (micros: number) =>
    ctx.db
      .updateTable('ledger_transactions')
      .set({ amount_micros: micros })
      .where('uuid', 'in', damaged)
      .execute();
  await setAmount(3_000_001);
  onTestFinished(async () => void (await setAmount(1)));
  const after = await counted();
  expect(after.statements - before.statements).toBeGreaterThanOrEqual(3);
  expect(after.result).toMatchObject({
    transactions: before.result.transactions + uuids.length,
    entries: before.result.entries + 2 * uuids.length,
  });
  const of = { company_uuid: companyId };
  expect(after.result.disagreements.filter((one) => one.company_uuid === companyId)).toEqual([
    ...damaged.map((uuid) => ({
      ...of,
      what: 'transaction',
      of: uuid,
      expected: 3.000001,
      found: 0.000001,
    })),
    { ...of, what: 'balance', of: companyId, expected: 9.006, found: 0.006 },
  ]);
});

test('the spend of each campaign is read by its own statement', async () => {
  const company = await app.freshCompany();
  const before = await counted();
  for (const name of ['One', 'Other']) await makeCampaign(ctx, company, name);
  expect((await counted()).statements - before.statements).toBe(2);
});
