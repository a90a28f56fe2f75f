import { MICROS } from '@bidwell/contract/lib/money';
import { expect, test, vi } from 'vitest';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import * as jobs from '../../platform/jobs/repeat.ts';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import { balanceMicros, creditCompany, debitCompany, decideTopUp, requestTopUp } from './service.ts';
import { postSpend } from './posting.ts';

// No background job posts spend; these tests call the posting.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp();
const { ctx } = app;

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
  await creditCompany(ctx, TOKEN_HOLDER, { companyId, micros: 100 * MICROS, reason: 'Start' });
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

test('a month that is none is refused, and a statement of nobody is not found', async () => {
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
