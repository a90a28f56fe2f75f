import type { Reconciliation } from '@bidwell/contract/finance/reconciliation';
import { expect, test } from 'vitest';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { postSpend } from './posting.ts';

const app = await testApp();
const { ctx } = app;
const NOW = '2026-01-12T09:30:00Z';

const read = async (company: TestCompany, start: string, end: string): Promise<Reconciliation> => {
  const path = `/finance/reconciliation?start_date=${start}&end_date=${end}`;
  const { status, data } = await company.call('GET', path);
  expect(status).toBe(200);
  return data as Reconciliation;
};

async function spending(timeZone = 'UTC') {
  app.clock.now = new Date(NOW);
  const company = await app.freshCompany();
  await ctx.db
    .updateTable('companies')
    .set({ time_zone: timeZone })
    .where('uuid', '=', company.companyId)
    .execute();
  const campaignId = await makeCampaign(ctx, company, 'Spender');
  const charge = (at: string, spendMicros: number, over = {}) =>
    ({ at, kind: 'billing', campaignId, spendMicros, ...over }) as const;
  return { company, charge };
}

test('reports, ledger and log have the same spend for each day, to the micro', async () => {
  const { company, charge } = await spending();
  await storeEvents(ctx, company.companyId, [
    charge('2026-01-10T00:00:00Z', 1_234_567),
    charge('2026-01-10T23:59:59.999Z', 1),
    charge('2026-01-11T12:00:00Z', 2_000_000),
    charge('2026-01-11T12:00:00Z', 5_000_000, { test: true }),
    charge('2026-01-12T08:00:00Z', 300),
    // The hour that is not over is left out.
    charge('2026-01-12T09:10:00Z', 700),
    charge('2026-01-09T12:00:00Z', 900),
  ]);
  await postSpend(ctx, 'late');
  const { days, total, from, before } = await read(company, '2026-01-10', '2026-01-12');
  const day = (date: string, dollars: number, charges: number) => ({
    date,
    reports: dollars,
    ledger: dollars,
    log: dollars,
    charges,
    agrees: true,
  });
  expect(days).toEqual([
    day('2026-01-10', 1.234568, 2),
    day('2026-01-11', 2, 1),
    day('2026-01-12', 0.0003, 1),
  ]);
  expect(total).toMatchObject({ reports: 3.234868, ledger: 3.234868, log: 3.234868, agrees: true });
  expect([from, before]).toEqual(['2026-01-10T00:00:00.000Z', '2026-01-12T09:00:00.000Z']);
  const other = await app.freshCompany();
  expect((await read(other, '2026-01-10', '2026-01-12')).days).toEqual([]);
});

test('days of a time zone with half an hour match the ledger’s days', async () => {
  const { company, charge } = await spending('Asia/Kolkata');
  // Midnight is 18:30 UTC: the hour from 18:00 belongs to the day on which it starts.
  await storeEvents(ctx, company.companyId, [
    charge('2026-01-09T18:45:00Z', 100),
    charge('2026-01-09T19:00:00Z', 20),
    charge('2026-01-10T18:45:00Z', 3),
  ]);
  await postSpend(ctx, 'late');
  const { days, total } = await read(company, '2026-01-10', '2026-01-10');
  expect(days).toMatchObject([{ date: '2026-01-10', log: 0.000023, agrees: true }]);
  expect(total.agrees).toBe(true);
});

test('a difference is shown on its day', async () => {
  const { company, charge } = await spending();
  await storeEvents(ctx, company.companyId, [charge('2026-01-10T10:00:00Z', 1_000_000)]);
  await postSpend(ctx, 'late');
  await storeEvents(ctx, company.companyId, [charge('2026-01-11T10:00:00Z', 500_000)]);
  const { days, total } = await read(company, '2026-01-10', '2026-01-11');
  expect(days.map(({ date, agrees }) => [date, agrees])).toEqual([
    ['2026-01-10', true],
    ['2026-01-11', false],
  ]);
  expect(days[1]).toMatchObject({ reports: 0.5, ledger: 0, log: 0.5 });
  expect(total).toMatchObject({ ledger: 1, log: 1.5, agrees: false });
});
