import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { makeCampaign, storeEvents, type SampleEvent } from '@bidwell/testing/stored-events';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import * as jobs from '../../platform/jobs/repeat.ts';
import { invariantViolations } from '../../platform/invariant.ts';
import { testApp } from '@bidwell/testing/test-app';
import { runs } from '@bidwell/testing/whole-run';
import { balanceMicros, creditCompany, debitCompany } from './service.ts';
import { checkLedger } from './ledger-check.ts';
import { postSpend, spendPosting } from './posting.ts';
import { Transaction } from '@bidwell/contract/finance/schema';
import { addDays, dateAt } from '@bidwell/contract/lib/calendar';
import { toMicros } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import { adsetSpendSince } from '../reporting/service.ts';
import { readRevenue } from './statement.ts';

const CREDIT_MICROS = 1e12;

const MINUTE_MS = 60_000;

const WEEK_MINUTES = 7 * 24 * 60;

const charge = fc.record({
  campaign: fc.nat(1),
  minutesAgo: fc.integer({ min: 0, max: WEEK_MINUTES }),
  kind: fc.constantFrom('billing' as const, 'win' as const, 'impression' as const),
  spendMicros: fc.oneof(fc.nat(10_000), fc.nat(5_000_000_000)),
  test: fc.constantFrom(false, false, false, true),
});

/** Events that arrive before each of two postings; events before the second may be late. */
const rounds = fc.array(fc.array(charge, { maxLength: 20 }), { minLength: 1, maxLength: 3 });

// No background job posts spend; these tests call the posting.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp();

const { ctx } = app;

const HOUR_MS = 3_600_000;

const Step = fc.oneof(
  fc.record({ do: fc.constant('credit' as const), micros: fc.integer({ min: 1, max: 1e12 }) }),
  // Ten of the largest credits reach the bound of a balance.
  fc.record({ do: fc.constant('credit' as const), micros: fc.integer({ min: 9e13, max: 1.01e14 }) }),
  fc.record({ do: fc.constant('debit' as const), micros: fc.integer({ min: 1, max: 1e12 }) }),
  fc.record({
    do: fc.constant('spend' as const),
    campaign: fc.nat(1),
    hoursAgo: fc.nat(30),
    micros: fc.integer({ min: 1, max: 1e9 }),
    /** The part of it that is margin. */
    margin: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.5, noNaN: true })),
  }),
  fc.record({ do: fc.constant('post' as const), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 180 }) }),
);

test('in any order of events, entries sum to zero, each micro is posted once and the balance is exact', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const company = await app.freshCompany();
      const { companyId } = company;
      const campaigns = [await makeCampaign(ctx, company, 'One'), await makeCampaign(ctx, company, 'Two')];
      let funds = 0;
      let spent = 0;
      let posted = 0;
      for (const step of steps) {
        if (step.do === 'credit') {
          const isCredited = await creditCompany(ctx, TOKEN_HOLDER, {
            companyId,
            micros: step.micros,
            reason: 'Credit',
          }).then(
            () => true,
            () => false,
          );
          expect(isCredited).toBe(step.micros <= 1e14 && funds - posted + step.micros <= 1e15);
          if (isCredited) funds += step.micros;
        } else if (step.do === 'debit') {
          const moved = await debitCompany(ctx, TOKEN_HOLDER, {
            companyId,
            micros: step.micros,
            reason: 'Debit',
          }).then(
            () => true,
            () => false,
          );
          expect(moved).toBe(step.micros <= funds - posted);
          if (moved) funds -= step.micros;
        } else if (step.do === 'spend') {
          const at = new Date(app.clock.now.getTime() - step.hoursAgo * HOUR_MS).toISOString();
          const campaignId = campaigns[step.campaign]!;
          await storeEvents(ctx, companyId, [
            {
              at,
              kind: 'billing',
              campaignId,
              spendMicros: step.micros,
              marginMicros: Math.floor(step.micros * step.margin),
            },
          ]);
          spent += step.micros;
        } else if (step.do === 'post') {
          await Promise.all(Array.from({ length: step.times }, () => postSpend(ctx)));
          posted = spent;
        } else app.clock.now = new Date(app.clock.now.getTime() + step.minutes * 60_000);
        expect(await balanceMicros(ctx, companyId)).toBe(funds - posted);
      }
      await Promise.all([postSpend(ctx), postSpend(ctx)]);
      expect(await balanceMicros(ctx, companyId)).toBe(funds - spent);
      expect((await checkLedger(ctx)).filter((found) => found.companyId === companyId)).toEqual([]);
    }),
    runs(15),
  );
});

test('the job finds late spend at its first run and every ten minutes, new spend at every run', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Late');
  app.clock.now = new Date('2027-05-05T12:30:00Z');
  const spend = (at: string) =>
    storeEvents(ctx, company.companyId, [{ at, kind: 'win', campaignId, spendMicros: 10 }]);
  const post = spendPosting(ctx);
  const after = async () => {
    await post();
    return balanceMicros(ctx, company.companyId);
  };
  await spend('2027-05-01T00:00:00Z');
  expect(await after()).toBe(-10);
  await spend('2027-05-05T12:29:00Z');
  await spend('2027-05-02T00:00:00Z');
  expect(await after()).toBe(-20);
  app.clock.now = new Date('2027-05-05T12:40:00Z');
  expect(await after()).toBe(-30);
});

test('spend of a campaign that is missing or of another company does not block others', async () => {
  const [one, other] = [await app.freshCompany(), await app.freshCompany()];
  const theirs = await makeCampaign(ctx, other, 'Theirs');
  const mine = await makeCampaign(ctx, one, 'Mine');
  app.clock.now = new Date('2027-06-05T12:30:00Z');
  const spend = (campaignId: string) => ({
    at: '2027-06-05T12:00:00Z',
    kind: 'billing' as const,
    campaignId,
    spendMicros: 5,
  });
  const nowhere = '019a0000-0000-7000-8000-00000000dead';
  await storeEvents(ctx, one.companyId, [spend(theirs), spend(mine), spend(nowhere)]);
  await postSpend(ctx);
  expect(await balanceMicros(ctx, one.companyId)).toBe(-5);
  expect(await balanceMicros(ctx, other.companyId)).toBe(0);
  const found = (await checkLedger(ctx)).filter(({ companyId }) => companyId === one.companyId);
  expect(found.map(({ what, of }) => `${what} ${of.slice(0, 36)}`).sort(byText)).toEqual(
    [`spend ${theirs}`, `spend ${nowhere}`, `report ${one.companyId}`].sort(byText),
  );
});

test('a transaction whose entries do not sum to zero is posted no further, and does not hold up other companies', async () => {
  const [broken, other] = [await app.freshCompany(), await app.freshCompany()];
  const campaigns = [await makeCampaign(ctx, broken, 'Broken'), await makeCampaign(ctx, other, 'Whole')];
  app.clock.now = new Date('2027-07-05T12:30:00Z');
  const spendEach = async () => {
    for (const [index, company] of [broken, other].entries())
      await storeEvents(ctx, company.companyId, [
        { at: '2027-07-05T12:00:00Z', kind: 'billing', campaignId: campaigns[index]!, spendMicros: 5 },
      ]);
    await postSpend(ctx);
  };
  await spendEach();
  await ctx.db
    .updateTable('ledger_entries')
    .set({ amount_micros: 6 })
    .where('company_uuid', '=', broken.companyId)
    .where('account', '=', 'media')
    .execute();
  const before = invariantViolations();
  await spendEach();
  expect(invariantViolations()).toBeGreaterThan(before);
  expect(await balanceMicros(ctx, broken.companyId)).toBe(-5);
  expect(await balanceMicros(ctx, other.companyId)).toBe(-10);
});

const byText = (a: string, b: string): number => a.localeCompare(b);

test('spend that an earlier release posted without its margin is corrected', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Upgraded');
  app.clock.now = new Date('2027-09-05T12:30:00Z');
  const event = { at: '2027-09-05T12:00:00Z', kind: 'billing' as const, campaignId, spendMicros: 120 };
  await storeEvents(ctx, company.companyId, [{ ...event, marginMicros: 20 }]);
  await postSpend(ctx);
  const amounts = async () => {
    const entries = await ctx.db
      .selectFrom('ledger_entries')
      .select(['account', 'amount_micros'])
      .where('company_uuid', '=', company.companyId)
      .execute();
    return Object.fromEntries(entries.map(({ account, amount_micros: amount }) => [account, amount]));
  };
  expect(await amounts()).toEqual({ wallet: -120, media: 100, margin: 20 });
  await sql`delete from ledger_entries where company_uuid = ${company.companyId} and account = 'margin'`.execute(
    ctx.db,
  );
  await sql`update ledger_entries set amount_micros = 120
    where company_uuid = ${company.companyId} and account = 'media'`.execute(ctx.db);
  await sql`update ledger_transactions set margin_micros = 0 where company_uuid = ${company.companyId}`.execute(
    ctx.db,
  );
  await postSpend(ctx);
  expect(await amounts()).toEqual({ wallet: -120, media: 100, margin: 20 });
});

test('a margin that differs from its events or its entries is found', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Wrong margin');
  const at = '2027-09-06T12:00:00Z';
  app.clock.now = new Date(at);
  await storeEvents(ctx, company.companyId, [
    { at, kind: 'billing', campaignId, spendMicros: 120, marginMicros: 20 },
  ]);
  await postSpend(ctx);
  await sql`update ledger_transactions set margin_micros = 15 where company_uuid = ${company.companyId}`.execute(
    ctx.db,
  );
  const found = (await checkLedger(ctx)).filter(({ companyId }) => companyId === company.companyId);
  expect(found).toMatchObject([
    { what: 'margin', expectedMicros: 15, foundMicros: 20 },
    { what: 'margin', expectedMicros: 20, foundMicros: 15 },
  ]);
});

test('spend in reports equals spend in the ledger, in every time zone, by campaign and in total', async () => {
  await fc.assert(
    fc.asyncProperty(
      rounds,
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati'),
      async (charges, timeZone) => {
        const company = await app.freshCompany();
        const { companyId } = company;
        await ctx.db
          .updateTable('companies')
          .set({ time_zone: timeZone })
          .where('uuid', '=', companyId)
          .execute();
        const campaigns = [
          { name: 'Spring', uuid: await makeCampaign(ctx, company, 'Spring') },
          { name: 'Autumn', uuid: await makeCampaign(ctx, company, 'Autumn') },
        ];
        await creditCompany(ctx, TOKEN_HOLDER, { companyId, micros: CREDIT_MICROS, reason: 'Trial' });
        const nowMs = app.clock.now.getTime();
        for (const round of charges) {
          const events = round.map(({ campaign, minutesAgo, ...event }): SampleEvent => ({
            ...event,
            at: new Date(nowMs - minutesAgo * MINUTE_MS).toISOString(),
            campaignId: campaigns[campaign]!.uuid,
          }));
          if (events.length > 0) await storeEvents(ctx, companyId, events);
          await postSpend(ctx);
        }

        const today = dateAt(nowMs, timeZone);
        const report = await company.call('POST', '/analytics/level', {
          start_date: addDays(today, -8),
          end_date: today,
          levels: { campaign: '' },
        });
        const reported = (name: string) =>
          toMicros(report.data.rows.find((row: { name: string }) => row.name === name)?.spends ?? 0);
        const taken = await spendTransactions(company);
        for (const { name } of campaigns)
          expect(reported(name)).toBe(
            sumOf(taken.filter(({ description }) => description.includes(name)).map(({ amount }) => amount)),
          );
        const total = toMicros(report.data.total.spends);
        expect(total).toBe(sumOf(taken.map(({ amount }) => amount)));
        const { data } = await company.call('GET', '/finance/balance');
        expect(toMicros(data.balance)).toBe(CREDIT_MICROS - total);
      },
    ),
    runs(15),
  );
});

async function spendTransactions(company: Awaited<ReturnType<typeof app.freshCompany>>) {
  const { data } = await company.call('GET', '/finance/transactions?limit=100');
  expect(data.total).toBeLessThanOrEqual(100);
  return Transaction.array()
    .parse(data.transactions)
    .filter(({ kind }) => kind === 'spend');
}

/** Sum of debits as positive micros. Each amount is a whole number of micros. */
function sumOf(dollars: readonly number[]): number {
  return dollars.reduce((sum, amount) => sum - toMicros(amount), 0);
}

test('posting, the revenue by day and a change of time zone read aggregates, not events', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const campaignId = await makeCampaign(ctx, company, 'Campaign');
  const at = new Date().toISOString();
  await storeEvents(ctx, companyId, [{ at, kind: 'billing', campaignId, spendMicros: 10 }]);
  const sourcesOf = async (work: (observed: Context) => Promise<unknown>) => {
    // The server's jobs query at any time: only the queries of the work count.
    const query = vi.fn(ctx.clickhouse.query);
    await work({ ...ctx, clickhouse: { ...ctx.clickhouse, query } as Context['clickhouse'] });
    const calls = [...query.mock.calls];
    const sources = new Set<string>();
    for (const [text, params] of calls) {
      const rows = await ctx.clickhouse.query<{ explain: string }>(`explain ${text}`, params);
      const plan = rows.map(({ explain }) => explain).join('\n');
      for (const [, source] of plan.matchAll(/ReadFromMergeTree \(([\w.]+)\)/g)) sources.add(source!);
    }
    return [...sources];
  };
  expect(await sourcesOf(postSpend)).toEqual(['hourly_costs']);
  expect(await sourcesOf((observed) => readRevenue(observed, TOKEN_HOLDER, { days: 30 }))).toEqual([
    'hourly_costs',
  ]);
  expect(await sourcesOf((observed) => adsetSpendSince(observed, companyId, 0))).toEqual(['quarterly_spend']);
});
