import { expect, onTestFinished, test } from 'vitest';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { insertChange } from '../../changes/service.ts';
import { listNotifications } from '../../messaging/notifications/service.ts';
import { checkLastHour } from './service.ts';

const app = await testApp({ LOG_LEVEL: 'silent' });
const { ctx } = app;
const WEEK_MS = 7 * 24 * 3_600_000;

/** A company in New York with an Active campaign. */
async function running(): Promise<TestCompany> {
  const company = await app.freshCompany();
  const campaign = await makeCampaign(ctx, company, 'Running');
  await ctx.db.updateTable('campaigns').set({ status: 'Active' }).where('uuid', '=', campaign).execute();
  await ctx.db
    .updateTable('companies')
    .set({ time_zone: 'America/New_York' })
    .where('uuid', '=', company.companyId)
    .execute();
  return company;
}

/** Gives the company's campaign an active ad set with a daily budget in dollars. */
async function makeBudget(company: TestCompany, dollars: number): Promise<{ campaignUuid: string }> {
  const { body } = await makeAdsetParts(app, company);
  const adsetUuid = await make(company, '/adset', { ...body, daily_budget_const: dollars });
  const { uuid: campaignUuid } = await ctx.db
    .selectFrom('campaigns')
    .select('uuid')
    .where('company_uuid', '=', company.companyId)
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('adsets')
    .set({ campaign_uuid: campaignUuid, status: 'Active' })
    .where('uuid', '=', adsetUuid)
    .execute();
  return { campaignUuid };
}

/** Stores an hour's spend in dollars for each time. */
const spend = (company: TestCompany, dollarsAt: readonly (readonly [at: string, dollars: number])[]) =>
  storeEvents(
    ctx,
    company.companyId,
    dollarsAt.flatMap(([at, dollars]) => [
      { at, kind: 'billing' as const, spendMicros: dollars * 1_000_000 },
      { at, kind: 'impression' as const },
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
  const { campaignUuid } = await makeBudget(company, 500);
  const at = '2026-07-22T10:30:00Z';
  await spend(company, [...pastWeeks(at, 8).map((past) => [past, 20] as const), [at, 90]]);
  const change = {
    userId: null,
    entity: 'campaign',
    entityId: campaignUuid,
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
      entity_uuid: campaignUuid,
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
  const setTimeZone = (timeZone: string) =>
    ctx.db
      .updateTable('companies')
      .set({ time_zone: timeZone })
      .where('uuid', '=', broken.companyId)
      .execute();
  await setTimeZone('Nowhere/Land');
  onTestFinished(async () => void (await setTimeZone('UTC')));
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
