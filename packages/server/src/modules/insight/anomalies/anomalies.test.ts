import { expect, onTestFinished, test, vi } from 'vitest';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { setTimeZone } from '@bidwell/testing/time-zone';
import { insertChange } from '../../changes/service.ts';
import { listNotifications } from '../../messaging/notifications/service.ts';
import { checkLastHour } from './service.ts';
import { dateTimeAt, dayText } from '@bidwell/contract/lib/calendar';
import * as jobs from '../../../platform/jobs/repeat.ts';
import { checkPostbacks, isSilent } from './silent-postbacks.ts';
import { checkSpendPlans } from './spend-plan.ts';

// No background job checks anything; these tests call the checks.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp({ LOG_LEVEL: 'silent' });
const { ctx } = app;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** When everything was made: the changes of it are no reason for a day that spends little. */
const MADE = '2026-03-01T00:00:00Z';

type Running = TestCompany & { campaign: string };

/** A company in New York whose only campaign is Active. */
async function running(): Promise<Running> {
  app.clock.now = new Date();
  const company = await app.freshCompany();
  const campaign = await makeCampaign(ctx, company, 'Running');
  await ctx.db.updateTable('campaigns').set({ status: 'Active' }).where('uuid', '=', campaign).execute();
  await setTimeZone(ctx, company, 'America/New_York');
  return { ...company, campaign };
}

/** Gives the campaign an active ad set with a daily budget in dollars; null for none. */
async function makeBudget(company: Running, dollars: number | null): Promise<void> {
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

/** Stores an hour's spend in dollars for each time. */
const spend = (
  { companyId, campaign: campaignId }: Running,
  dollarsAt: readonly (readonly [at: string, dollars: number])[],
) =>
  storeEvents(
    ctx,
    companyId,
    dollarsAt.flatMap(([at, dollars]) => [
      { at, kind: 'billing' as const, campaignId, spendMicros: dollars * 1_000_000 },
      { at, kind: 'impression' as const, campaignId },
    ]),
  );

/** The same time of `weeks` past weeks, latest first. */
const pastWeeks = (at: string, weeks: number) =>
  Array.from({ length: weeks }, (_, index) => new Date(Date.parse(at) - (index + 1) * WEEK_MS).toISOString());

/** Notifications of anomalies, oldest first, after checks at the given times. */
async function notificationsAt(
  company: TestCompany,
  ...times: string[]
): Promise<{ title: string; text: string }[]> {
  for (const time of times) {
    app.clock.now = new Date(time);
    await checkLastHour(ctx);
  }
  // Read directly, since the session expires when the clock is moved by hours.
  const notifications = await listNotifications(ctx, company);
  return notifications.filter(({ kind }) => kind === 'anomaly').reverse();
}

test('an hour that spends far more than the same hours of past weeks is reported once, with the figures', async () => {
  const company = await running();
  // Daylight saving begins on 8 March 2026: noon in New York is 17:00Z before it and 16:00Z after.
  await spend(company, [
    ...pastWeeks('2026-03-11T17:30:00Z', 6).map((at, index) => [at, 10 + ((index + 1) % 2)] as const),
    ['2026-03-11T16:30:00Z', 80],
  ]);
  // The first check comes before the hour's last events have arrived. Two more, as by two servers, notify once.
  const notifications = await notificationsAt(
    company,
    '2026-03-11T17:04:00Z',
    '2026-03-11T17:06:00Z',
    '2026-03-11T17:20:00Z',
  );
  expect(notifications).toMatchObject([
    {
      title: 'Spend is higher than usual',
      text: 'Spend was $80.00 on Mar 11 / 2026 from 12:00 to 13:00 (America/New_York), $69.50 more than usual for this hour.',
    },
  ]);
});

test('a continuing anomaly is not reported every hour, and normal hours not at all', async () => {
  const [odd, plain] = [await running(), await running()];
  const hours = ['10', '11', '12'].map((hour) => `2026-06-10T${hour}:30:00Z`);
  const past = hours.flatMap((at) => pastWeeks(at, 8)).map((at) => [at, 20] as const);
  await spend(odd, past);
  await spend(plain, [...past, ...hours.map((at) => [at, 21] as const)]);
  const times = ['2026-06-10T11:10:00Z', '2026-06-10T12:10:00Z', '2026-06-10T13:10:00Z'];
  expect((await notificationsAt(odd, ...times)).map(({ title }) => title)).toEqual([
    'Spend is lower than usual',
  ]);
  expect(await notificationsAt(plain)).toEqual([]);
});

test('an anomaly that comes and goes is reported once a day, and a new one with the others in one notification', async () => {
  const company = await running();
  const hours = ['10', '11', '12'].map((hour) => `2026-07-08T${hour}:30:00Z`);
  await spend(company, [
    ...hours.flatMap((at) => pastWeeks(at, 8)).map((at) => [at, 20] as const),
    [hours[0]!, 90],
    [hours[1]!, 20],
    [hours[2]!, 90],
  ]);
  const times = ['2026-07-08T11:10:00Z', '2026-07-08T12:10:00Z', '2026-07-08T13:10:00Z'];
  expect(await notificationsAt(company, ...times)).toHaveLength(1);
});

test('a few dollars are not reported if the daily budget of the campaign is large', async () => {
  const company = await running();
  await makeBudget(company, 2000);
  const at = '2026-07-15T10:30:00Z';
  await spend(company, [...pastWeeks(at, 8).map((past) => [past, 10] as const), [at, 40]]);
  expect(await notificationsAt(company, '2026-07-15T11:10:00Z')).toEqual([]);
});

test('the latest change of a campaign before it is named, and the notification leads to it', async () => {
  const company = await running();
  await makeBudget(company, 500);
  const at = '2026-07-22T10:30:00Z';
  await spend(company, [...pastWeeks(at, 8).map((past) => [past, 20] as const), [at, 90]]);
  const change = {
    userId: null,
    entity: 'campaign',
    entityId: company.campaign,
    name: 'Spring',
    action: 'update',
  } as const;
  const endDate = { field: 'end_date', before: '2026-08-01', after: null };
  await insertChange(ctx.db, company.companyId, {
    ...change,
    fields: [endDate],
    at: new Date('2026-07-22T09:40:00Z'),
  });
  const renamed = { field: 'name', before: 'Summer', after: 'Spring' };
  await insertChange(ctx.db, company.companyId, {
    ...change,
    fields: [renamed],
    at: new Date('2026-07-22T10:20:00Z'),
  });
  expect(await notificationsAt(company, '2026-07-22T11:10:00Z')).toMatchObject([
    {
      text: expect.stringMatching(
        /this hour\. The latest change before it: “Spring” \(End date\) on Jul 22 \/ 2026, 05:40\.$/,
      ),
      severity: 'warning',
      entity_type: 'campaign',
      entity_uuid: company.campaign,
    },
  ]);
});

test('a company that paused everything is not notified of missing spend', async () => {
  const company = await running();
  await spend(
    company,
    pastWeeks('2026-06-20T10:30:00Z', 8).map((at) => [at, 20] as const),
  );
  await ctx.db
    .updateTable('campaigns')
    .set({ status: 'Paused' })
    .where('company_uuid', '=', company.companyId)
    .execute();
  expect(await notificationsAt(company, '2026-06-20T11:10:00Z')).toEqual([]);
});

test('a company whose hour cannot be checked does not stop the checks of others', async () => {
  const broken = await running();
  await setTimeZone(ctx, broken, 'Nowhere/Land');
  onTestFinished(() => setTimeZone(ctx, broken, 'UTC'));
  const company = await running();
  await spend(company, [
    ...pastWeeks('2026-05-13T16:30:00Z', 6).map((at, index) => [at, 10 + (index % 2)] as const),
    ['2026-05-13T16:30:00Z', 80],
  ]);
  expect(await notificationsAt(company, '2026-05-13T17:06:00Z')).toHaveLength(1);
});

test('an hour without spend is reported unless the budget of the day was used as planned', async () => {
  const at = '2026-03-11T16:30:00Z';
  const stopped = async (morning: number) => {
    const company = await running();
    await makeBudget(company, 100);
    await spend(company, [
      ...pastWeeks('2026-03-11T17:30:00Z', 6).map((time, index) => [time, 10 + ((index + 1) % 2)] as const),
      // 12:00 UTC is eight in New York. By noon, an even day has spent half.
      ['2026-03-11T12:00:00Z', morning],
      [at, 0],
    ]);
    return (await notificationsAt(company, '2026-03-11T17:06:00Z')).map(({ title }) => title);
  };
  expect(await stopped(100)).toEqual([]);
  expect(await stopped(10)).toEqual(['Spend is lower than usual']);
});

/** Titles and texts of notifications of a kind, read directly: the session expires when the clock is moved. */
async function notified(company: TestCompany, kind: string) {
  const all = await listNotifications(ctx, company);
  return all.filter((one) => one.kind === kind).map(({ title, text }) => `${title}: ${text}`);
}

test('a day that spent less than half of its budgets is reported, once a week', async () => {
  const company = await running();
  await makeBudget(company, 100);
  // 10 March in New York.
  await spend(company, [['2026-03-10T12:00:00Z', 49]]);
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
  await spend(half, [['2026-03-10T12:00:00Z', 50]]);
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
  const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR_MS).toISOString();
  const week = [1, 2, 3, 4, 5, 6].map((day) => [hoursAgo(day * 24), 24] as const);
  for (const company of [silent, lively]) await spend(company, [...week, [hoursAgo(1), 5]]);
  await spend(paused, week);
  app.clock.now = new Date(NOW);
  await checkPostbacks(ctx);
  app.clock.now = new Date(NOW + HOUR_MS);
  await spend(silent, [[app.clock.now.toISOString(), 2]]);
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
