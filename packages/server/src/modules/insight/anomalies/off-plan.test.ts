import { vi, expect, test } from 'vitest';
import { dateTimeAt, dayText } from '@bidwell/contract/lib/calendar';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import * as jobs from '../../../platform/jobs/repeat.ts';
import { insertChange } from '../../changes/service.ts';
import { listNotifications } from '../../messaging/notifications/service.ts';
import { checkPostbacks, isSilent } from './silent-postbacks.ts';
import { checkSpendPlans } from './spend-plan.ts';

// No background job checks anything; these tests call the checks.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp({ LOG_LEVEL: 'error' });
const { ctx } = app;
const HOUR_MS = 3_600_000;
/** When everything was made: the changes of it are no reason for a day that spends little. */
const MADE = '2026-03-01T00:00:00Z';

/** A company in New York whose only campaign is Active. */
async function running(): Promise<TestCompany & { campaign: string }> {
  app.clock.now = new Date();
  const company = await app.freshCompany();
  const campaign = await makeCampaign(ctx, company, 'Running');
  await ctx.db.updateTable('campaigns').set({ status: 'Active' }).where('uuid', '=', campaign).execute();
  await ctx.db
    .updateTable('companies')
    .set({ time_zone: 'America/New_York' })
    .where('uuid', '=', company.companyId)
    .execute();
  return { ...company, campaign };
}

/** Gives the campaign an active ad set with a daily budget in dollars; null for none. */
async function makeBudget(company: TestCompany & { campaign: string }, dollars: number | null) {
  app.clock.now = new Date();
  const { body } = await makeAdsetParts(app, company);
  const uuid = await make(company, '/adset', { ...body, daily_budget_const: dollars });
  await ctx.db
    .updateTable('adsets')
    .set({ campaign_uuid: company.campaign, status: 'Active' })
    .where('uuid', '=', uuid)
    .execute();
  await ctx.db
    .updateTable('changes')
    .set({ created_at: new Date(MADE) })
    .where('company_uuid', '=', company.companyId)
    .execute();
}

const spend = ({ companyId, campaign }: TestCompany & { campaign: string }, at: string, dollars: number) =>
  storeEvents(ctx, companyId, [{ at, kind: 'billing', campaignId: campaign, spendMicros: dollars * 1e6 }]);

/** Titles and texts of notifications of a kind, read directly: the session expires when the clock is moved. */
async function notified(company: TestCompany, kind: string) {
  const all = await listNotifications(ctx, company);
  return all.filter((one) => one.kind === kind).map(({ title, text }) => `${title}: ${text}`);
}

test('a day that spent less than half of its budgets is reported, once a week', async () => {
  const company = await running();
  await makeBudget(company, 100);
  // 10 March in New York.
  await spend(company, '2026-03-10T12:00:00Z', 49);
  for (const time of [
    '2026-03-11T04:30:00Z',
    '2026-03-11T05:30:00Z',
    '2026-03-11T06:30:00Z',
    '2026-03-12T06:00:00Z',
  ]) {
    app.clock.now = new Date(time);
    await checkSpendPlans(ctx);
    if (time === '2026-03-11T04:30:00Z') expect(await notified(company, 'spend_plan')).toEqual([]);
  }
  expect(await notified(company, 'spend_plan')).toEqual([
    'Spend is below plan: On Mar 10 / 2026 your campaigns spent $49.00 of the $100.00 of their daily budgets. The delivery report of each campaign says why.',
  ]);
  app.clock.now = new Date('2026-03-17T06:00:00Z');
  await checkSpendPlans(ctx);
  expect(await notified(company, 'spend_plan')).toHaveLength(2);
});

test('half of the budgets, an ad set without a budget, and a day with a change are not off plan', async () => {
  const [half, open, changed] = [await running(), await running(), await running()];
  await makeBudget(half, 100);
  await spend(half, '2026-03-10T12:00:00Z', 50);
  await makeBudget(open, 100);
  await makeBudget(open, null);
  await makeBudget(changed, 100);
  await insertChange(ctx.db, changed.companyId, {
    userId: null,
    entity: 'campaign',
    entityId: changed.campaign,
    name: 'Running',
    action: 'start',
    fields: [],
    at: new Date('2026-03-10T15:00:00Z'),
  });
  app.clock.now = new Date('2026-03-11T06:00:00Z');
  await checkSpendPlans(ctx);
  for (const company of [half, open, changed]) expect(await notified(company, 'spend_plan')).toEqual([]);
});

/** ClickHouse deletes old postbacks by its own clock. */
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
/** Stores postbacks of a partner, one an hour times `perHour`, from a week ago until `silentHours` ago. */
async function postbacks({ companyId }: TestCompany, perHour: number, silentHours: number): Promise<void> {
  const rows = [];
  for (let hour = 7 * 24 - 1; hour >= silentHours; hour -= 1)
    for (let n = 0; n < perHour; n += 1)
      rows.push({
        time: new Date(NOW - hour * HOUR_MS).toISOString().replace('T', ' ').replace('Z', ''),
        company_id: companyId,
        mmp: 'adjust',
        outcome: 'counted',
        click_id: '',
        parameters: '',
      });
  await ctx.clickhouse.insert('postbacks', rows);
}

test('a partner that has gone silent while the company spends is reported once', async () => {
  const [silent, paused, lively] = [await running(), await running(), await running()];
  await postbacks(silent, 6, 5);
  await postbacks(paused, 6, 5);
  await postbacks(lively, 6, 1);
  for (const company of [silent, paused, lively]) {
    for (let day = 1; day < 7; day += 1)
      await spend(company, new Date(NOW - day * 24 * HOUR_MS).toISOString(), 24);
    if (company !== paused) await spend(company, new Date(NOW - HOUR_MS).toISOString(), 5);
  }
  app.clock.now = new Date(NOW);
  await checkPostbacks(ctx);
  app.clock.now = new Date(NOW + HOUR_MS);
  await spend(silent, app.clock.now.toISOString(), 2);
  await checkPostbacks(ctx);
  const [date = '', time = ''] = dateTimeAt(NOW - 5 * HOUR_MS, 'America/New_York').split(' ');
  expect(await notified(silent, 'postbacks')).toEqual([
    `Postbacks have stopped: The last postback of Adjust came on ${dayText(date)}, ${time} (America/New_York), while your campaigns went on spending. Installs are not counted until they come again: check the integration at Adjust.`,
  ]);
  expect(await notified(paused, 'postbacks')).toEqual([]);
  expect(await notified(lively, 'postbacks')).toEqual([]);
});

test.each([
  ['five missing hours of six an hour', 1000, 5, true],
  ['two hours, however many', 100_000, 2, false],
  ['few postbacks', 30, 24, false],
  ['a week without any', 1, 24 * 7, false],
])('silence: %s', (_what, count, hours, expected) => {
  expect(isSilent(NOW, { count, lastAtMs: NOW - hours * HOUR_MS })).toBe(expected);
});
