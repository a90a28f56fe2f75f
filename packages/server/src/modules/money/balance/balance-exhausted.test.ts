import fc from 'fast-check';
import { MICROS } from '@bidwell/contract/lib/money';
import { expect, test, vi } from 'vitest';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { TOKEN_HOLDER } from '../../../platform/operator.ts';
import * as jobs from '../../../platform/jobs/repeat.ts';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { runs } from '@bidwell/testing/whole-run';
import { creditCompany, debitCompany } from '../service.ts';
import { postSpend } from '../posting.ts';

// No background job posts spend; these tests call the posting.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp();
const { ctx } = app;

const notificationsOf = async (company: TestCompany) =>
  (await company.call('GET', '/notifications')).data.filter(
    ({ kind }: { kind: string }) => kind === 'balance',
  ) as { title: string; text: string; entity_uuid: string; read: boolean }[];

async function spending() {
  const company = await app.freshCompany();
  const campaigns = [await makeCampaign(ctx, company, 'One'), await makeCampaign(ctx, company, 'Two')];
  const spend = async (spendMicros: number, campaign = 0) =>
    storeEvents(ctx, company.companyId, [
      {
        at: app.clock.now.toISOString(),
        kind: 'billing',
        campaignId: campaigns[campaign]!,
        spendMicros,
      },
    ]);
  return { company, spend };
}

test('a company is notified once that its balance is used up, and again only after it had funds', async () => {
  const { company, spend } = await spending();
  await creditCompany(ctx, TOKEN_HOLDER, { companyId: company.companyId, micros: MICROS, reason: 'Trial' });
  await spend(999_999);
  await postSpend(ctx);
  expect(await notificationsOf(company)).toEqual([]);
  await spend(1);
  await postSpend(ctx);
  expect(await notificationsOf(company)).toMatchObject([
    {
      text: 'Your balance is used up. Your campaigns do not bid until you add funds.',
      entity_uuid: company.companyId,
    },
  ]);
  await spend(500_000);
  await postSpend(ctx);
  expect(await notificationsOf(company)).toHaveLength(1);

  await creditCompany(ctx, TOKEN_HOLDER, {
    companyId: company.companyId,
    micros: 500_000,
    reason: 'Back at nothing',
  });
  expect(await notificationsOf(company)).toMatchObject([{ read: false }]);
  await spend(1);
  await postSpend(ctx);
  expect(await notificationsOf(company)).toHaveLength(1);

  await creditCompany(ctx, TOKEN_HOLDER, { companyId: company.companyId, micros: MICROS, reason: 'More' });
  expect(await notificationsOf(company)).toMatchObject([{ read: true }]);
  await spend(2 * MICROS, 1);
  await Promise.all([postSpend(ctx), postSpend(ctx), postSpend(ctx)]);
  expect(await notificationsOf(company)).toHaveLength(2);
});

test('a debit that empties the balance is notified too', async () => {
  const { company } = await spending();
  await creditCompany(ctx, TOKEN_HOLDER, { companyId: company.companyId, micros: MICROS, reason: 'Trial' });
  await debitCompany(ctx, TOKEN_HOLDER, {
    companyId: company.companyId,
    micros: 999_999,
    reason: 'Most of it',
  });
  expect(await notificationsOf(company)).toEqual([]);
  await debitCompany(ctx, TOKEN_HOLDER, { companyId: company.companyId, micros: 1, reason: 'The rest' });
  expect(await notificationsOf(company)).toHaveLength(1);
});

test('a company that never had funds, and other companies, are not notified', async () => {
  const { company, spend } = await spending();
  const { company: other } = await spending();
  await creditCompany(ctx, TOKEN_HOLDER, { companyId: other.companyId, micros: MICROS, reason: 'Trial' });
  await spend(5);
  await postSpend(ctx);
  expect(await notificationsOf(company)).toEqual([]);
  expect(await notificationsOf(other)).toEqual([]);
});

test('there is one notification each time the balance drops from above zero to zero or below', async () => {
  const Step = fc.record({
    credit: fc.boolean(),
    units: fc.integer({ min: 1, max: 4 }),
    campaign: fc.nat(1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { company, spend } = await spending();
      let units = 0;
      let times = 0;
      for (const step of steps) {
        const before = units;
        units += step.credit ? step.units : -step.units;
        if (step.credit)
          await creditCompany(ctx, TOKEN_HOLDER, {
            companyId: company.companyId,
            micros: step.units,
            reason: 'Credit',
          });
        else await spend(step.units, step.campaign);
        await Promise.all([postSpend(ctx), postSpend(ctx)]);
        if (before > 0 && units <= 0) times += 1;
        expect(await notificationsOf(company)).toHaveLength(times);
      }
    }),
    runs(6),
  );
});

test('a company is alerted when its balance falls to the amount that it chose, and again only after it was above', async () => {
  const { company, spend } = await spending();
  const credit = (dollars: number) =>
    creditCompany(ctx, TOKEN_HOLDER, {
      companyId: company.companyId,
      micros: dollars * MICROS,
      reason: 'Trial',
    });
  const titles = async () => (await notificationsOf(company)).map(({ title }) => title).reverse();
  await credit(10);
  expect((await company.call('PUT', '/alerts/settings', { balance_low: 4.5 })).data).toEqual({
    balance_low: 4.5,
  });
  for (const amount of [0, -1, 0.001])
    expect((await company.call('PUT', '/alerts/settings', { balance_low: amount })).status).toBe(422);
  await spend(5 * MICROS);
  await postSpend(ctx);
  expect(await titles()).toEqual([]);
  await spend(MICROS / 2);
  await postSpend(ctx);
  await spend(MICROS);
  await postSpend(ctx);
  expect(await titles()).toEqual(['Balance low']);
  await credit(10);
  const reason = 'Correction';
  await debitCompany(ctx, TOKEN_HOLDER, { companyId: company.companyId, micros: 10 * MICROS, reason });
  expect(await titles()).toEqual(['Balance low', 'Balance low']);
  await debitCompany(ctx, TOKEN_HOLDER, { companyId: company.companyId, micros: 3.5 * MICROS, reason });
  expect(await titles()).toEqual(['Balance low', 'Balance low', 'Balance used up']);
  await company.call('PUT', '/alerts/settings', { balance_low: null });
  await credit(10);
  await spend(6 * MICROS);
  await postSpend(ctx);
  expect(await titles()).toHaveLength(3);
});

test('a company that chooses an amount above its balance is alerted at once, and once', async () => {
  const company = await app.freshCompany();
  const reason = 'Trial';
  const choose = async (balance_low: number | null) => {
    expect((await company.call('PUT', '/alerts/settings', { balance_low })).status).toBe(200);
    return (await notificationsOf(company)).map(({ title }) => title);
  };
  expect(await choose(20)).toEqual([]);
  await creditCompany(ctx, TOKEN_HOLDER, { companyId: company.companyId, micros: 10 * MICROS, reason });
  expect(await choose(9)).toEqual([]);
  expect(await choose(20)).toEqual(['Balance low']);
  expect(await choose(20)).toEqual(['Balance low']);
  expect(await choose(30)).toEqual(['Balance low']);
  await debitCompany(ctx, TOKEN_HOLDER, { companyId: company.companyId, micros: MICROS, reason });
  expect(await choose(null)).toEqual(['Balance low']);
});
