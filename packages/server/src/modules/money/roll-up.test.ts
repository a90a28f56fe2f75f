import { MICROS } from '@bidwell/contract/lib/money';
import { expect, test, vi } from 'vitest';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import * as jobs from '../../platform/jobs/repeat.ts';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import { startSession } from '../identity/service.ts';
import { rollUpLedger } from './roll-up.ts';
import { balanceMicros, creditCompany } from './service.ts';
import { checkLedger } from './ledger-check.ts';
import { postSpend } from './posting.ts';

// No background job posts spend; these tests call the posting.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp({ LEDGER_HOURS_KEPT_DAYS: '62' });
const { ctx } = app;

/** A company, of New York by default, with spend by hours of two campaigns from January to May of 2026. */
async function spending(timeZone = 'America/New_York') {
  app.clock.now = new Date('2026-01-05T15:00:00Z');
  const company = await app.freshCompany();
  const { companyId, userId } = company;
  await ctx.db.updateTable('companies').set({ time_zone: timeZone }).where('uuid', '=', companyId).execute();
  await creditCompany(ctx, TOKEN_HOLDER, { companyId, micros: 1000 * MICROS, reason: 'Start' });
  const one = await makeCampaign(ctx, company, 'One');
  const other = await makeCampaign(ctx, company, 'Other');
  let micros = 1_000_001;
  const spend = (campaignId: string, at: string) => {
    micros += 7919;
    const margin = micros % 3 === 0 ? 0 : micros % 100_000;
    return { at, kind: 'billing' as const, campaignId, spendMicros: micros, marginMicros: margin };
  };
  const hours = ['2026-01-06T10:15', '2026-01-31T23:59', '2026-02-01T04:30', '2026-02-01T05:30'];
  const later = ['2026-02-14T12:00', '2026-03-01T04:59', '2026-03-20T08:00', '2026-05-30T20:00'];
  for (const hour of [...hours, ...later]) {
    await storeEvents(ctx, companyId, [spend(one, `${hour}:00Z`), spend(other, `${hour}:30Z`)]);
    app.clock.now = new Date(Date.parse(`${hour}:00Z`) + 3_600_000);
    await postSpend(ctx);
  }
  app.clock.now = new Date('2026-06-03T12:00:00Z');
  const call = async (path: string) => {
    const { tokens } = await startSession(ctx, { companyId, userId });
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    return (await app.http.inject({ url: `/api/internal${path}`, headers })).json().data;
  };
  const statement = async (month: string) =>
    (await app.operator('GET', `/companies/${companyId}/statement?month=${month}`)).data;
  const entries = async () =>
    ctx.db
      .selectFrom('ledger_entries')
      .select(['account', 'amount_micros'])
      .where('company_uuid', '=', companyId)
      .execute();
  return { companyId, campaignId: one, call, statement, entries };
}

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-05'];

test('old months become one transaction per campaign; balances, statements and the check stay the same', async () => {
  const { companyId, call, statement, entries } = await spending();
  const sums = async () => {
    const byAccount: Record<string, number> = {};
    for (const { account, amount_micros: micros } of await entries())
      byAccount[account] = (byAccount[account] ?? 0) + micros;
    return { byAccount, balance: await balanceMicros(ctx, companyId) };
  };
  const figures = async () =>
    Promise.all(
      MONTHS.map(async (month) => {
        const { opening, closing, totals, campaigns } = await statement(month);
        return { opening, closing, totals, campaigns };
      }),
    );
  const transactions = async () => (await call('/finance/transactions?limit=100')).total;
  expect(await checkLedger(ctx)).toEqual([]);
  const [sumsBefore, figuresBefore, entriesBefore] = [await sums(), await figures(), await entries()];
  expect(await transactions()).toBe(17);

  await rollUpLedger(ctx);
  // Two campaigns in January, February and March; May is too young.
  expect(await transactions()).toBe(1 + 2 * 3 + 2);
  expect((await entries()).length).toBeLessThan(entriesBefore.length);
  expect([await sums(), await figures()]).toEqual([sumsBefore, figuresBefore]);
  expect(await checkLedger(ctx)).toEqual([]);
  expect((await statement('2026-02')).lines).toMatchObject([
    { date: '2026-02-01', kind: 'spend', description: 'Media spend of 2 campaigns in the month' },
  ]);

  // Nothing is posted again, and nothing is rolled up twice.
  await postSpend(ctx);
  await rollUpLedger(ctx);
  expect(await transactions()).toBe(9);
  expect(await sums()).toEqual(sumsBefore);
});

test('a month that is rolled up is compared with its events as a whole', async () => {
  const { companyId } = await spending();
  await rollUpLedger(ctx);
  expect(await checkLedger(ctx)).toEqual([]);
  const { uuid } = await ctx.db
    .selectFrom('campaigns')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('name', '=', 'One')
    .executeTakeFirstOrThrow();
  await storeEvents(ctx, companyId, [
    { at: '2026-02-20T10:00:00Z', kind: 'billing', campaignId: uuid, spendMicros: 500 },
  ]);
  const found = (await checkLedger(ctx)).filter((one) => one.companyId === companyId);
  expect(found.map(({ what }) => what).toSorted()).toEqual(['report', 'spend']);
  const spend = found.find(({ what }) => what === 'spend')!;
  expect(spend.expectedMicros - spend.foundMicros).toBe(500);
});

test('where events of a month are deleted, months of the time zones of all companies are compared as a whole', async () => {
  const companies = [await spending('America/Los_Angeles'), await spending('UTC')];
  await rollUpLedger(ctx);
  // Events are there since March 1 in UTC, when it was February in Los Angeles.
  const retentionDays = { ...ctx.config.retentionDays, events: 100 };
  const retaining = { ...ctx, config: { ...ctx.config, retentionDays } };
  const found = async () => {
    const all = await checkLedger(retaining);
    return companies.map(({ companyId }) =>
      all.filter((one) => one.companyId === companyId).map(({ what }) => what),
    );
  };
  expect(await found()).toEqual([[], []]);
  for (const { companyId, campaignId } of companies)
    await storeEvents(ctx, companyId, [
      { at: '2026-03-20T10:00:00Z', kind: 'billing', campaignId, spendMicros: 500 },
    ]);
  const of = ['spend', 'report'];
  expect(await found()).toEqual([of, of]);
});

test('the reconciliation by days begins after the months that the ledger has as a whole', async () => {
  const { call } = await spending();
  await rollUpLedger(ctx);
  const { from, total } = await call('/finance/reconciliation?start_date=2026-03-01&end_date=2026-05-31');
  expect(from).toBe('2026-04-01T04:00:00.000Z');
  expect(total).toMatchObject({ charges: 2, agrees: true });
});
