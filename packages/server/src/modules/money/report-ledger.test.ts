import { Transaction } from '@bidwell/contract/finance/schema';
import { addDays, dateAt } from '@bidwell/contract/lib/calendar';
import { toMicros } from '@bidwell/contract/lib/money';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import * as jobs from '../../platform/jobs/repeat.ts';
import { testApp } from '@bidwell/testing/test-app';
import { runs } from '@bidwell/testing/whole-run';
import { creditCompany } from './service.ts';
import { postSpend } from './posting.ts';

// No background job posts spend; the test does.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp();
const { ctx } = app;
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
/** Events that arrive before each of two postings; those of the second may be late. */
const rounds = fc.array(fc.array(charge, { maxLength: 20 }), { minLength: 1, maxLength: 3 });

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
