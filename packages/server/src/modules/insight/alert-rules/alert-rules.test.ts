import type { AlertRule } from '@bidwell/contract/alerts/rules';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { bidIdAt } from '@bidwell/testing/yesterday';
import { beforeEach, expect, test, vi } from 'vitest';
import * as jobs from '../../../platform/jobs/repeat.ts';
import { listNotifications } from '../../messaging/notifications/service.ts';
import { checkAlertRules } from './check-rules.ts';
import { nextCheckAt, listAlertRules } from './service.ts';

// Rules are checked where a test says so.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });
const app = await testApp({ LOG_LEVEL: 'silent' });
const { ctx } = app;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON = Date.parse('2026-06-10T12:00:00Z');

beforeEach(() => {
  app.clock.now = new Date(NOON);
});

const cpi = {
  metric: 'cpi',
  scope: 'company',
  scope_uuid: null,
  days: 3,
  direction: 'above',
  threshold: 6,
  minimum: null,
  hour: null,
};

async function addRule(company: TestCompany, rule: object = {}): Promise<AlertRule> {
  const { status, data } = await company.call('POST', '/alerts/rules', { ...cpi, ...rule });
  expect(status).toBe(201);
  return data;
}

/** The only rule of a company, and the texts of its alerts, oldest first, after a check at a time. */
async function checkedAt(company: TestCompany, atMs: number) {
  app.clock.now = new Date(atMs);
  await checkAlertRules(ctx);
  const [rule] = await listAlertRules(ctx, company);
  const all = await listNotifications(ctx, company);
  const alerts = all.filter(({ kind }) => kind === 'alert_rule').map(({ text }) => text);
  return { rule: rule!, alerts: alerts.reverse() };
}

/** Spend in dollars and installs of an instant. */
const delivered = (
  atMs: number,
  dollars: number,
  installs: number,
  of: Partial<SampleEvent> = {},
): SampleEvent[] => {
  const at = new Date(atMs).toISOString();
  return [
    { ...of, at, kind: 'billing', spendMicros: dollars * 1e6 },
    { ...of, at, kind: 'impression' },
    ...Array.from({ length: installs }, () => ({ ...of, at, kind: 'install' as const })),
  ];
};

test('alerts once when the CPI of a campaign goes above a limit over whole days, and again after it fell', async () => {
  const company = await app.freshCompany();
  const campaign = await makeCampaign(ctx, company, 'Summer');
  const of = { campaignId: campaign };
  await storeEvents(ctx, company.companyId, [
    ...delivered(NOON - DAY_MS, 71.2, 10, of),
    // Today and other campaigns are left out.
    ...delivered(NOON, 1000, 1, of),
    ...delivered(NOON - DAY_MS, 1000, 1),
  ]);
  await addRule(company, { scope: 'campaign', scope_uuid: campaign });
  const first = await checkedAt(company, NOON);
  expect(first.rule).toMatchObject({
    state: 'met',
    value: 7.12,
    scope_name: 'Summer',
    from_date: '2026-06-07',
    to_date: '2026-06-09',
    met_since: new Date(NOON).toISOString(),
    next_check_at: '2026-06-11T01:05:00.000Z',
  });
  expect(first.alerts).toEqual([
    'CPI was $7.12 of “Summer” from Jun 07 / 2026 to Jun 09 / 2026. A rule of your company watches it: CPI above $6.00 over 3 days.',
  ]);
  // Still met the next day, with the costs of the day before.
  expect((await checkedAt(company, NOON + DAY_MS)).alerts).toHaveLength(1);
  // Cheap days bring it down, dear ones up again.
  await storeEvents(ctx, company.companyId, delivered(NOON + DAY_MS, 10, 400, of));
  const fallen = await checkedAt(company, NOON + 2 * DAY_MS);
  expect(fallen.rule).toMatchObject({ state: 'not_met', met_since: null });
  await storeEvents(ctx, company.companyId, delivered(NOON + 5 * DAY_MS, 70, 10, of));
  const again = await checkedAt(company, NOON + 6 * DAY_MS);
  expect(again.rule).toMatchObject({ state: 'met', value: 7 });
  expect(again.alerts).toHaveLength(2);
});

test('counts money without installs as a CPI above the limit, and nothing below a minimum', async () => {
  const [costly, small] = [await app.freshCompany(), await app.freshCompany()];
  for (const company of [costly, small])
    await storeEvents(ctx, company.companyId, delivered(NOON - DAY_MS, 100, 0));
  await addRule(costly, { minimum: { of: 'spend', value: 50 } });
  await addRule(small, { minimum: { of: 'installs', value: 10 } });
  const { rule, alerts } = await checkedAt(costly, NOON);
  expect(rule).toMatchObject({ state: 'met', value: null, volume: 100 });
  expect(alerts).toEqual([
    '$100.00 brought no install from Jun 07 / 2026 to Jun 09 / 2026. A rule of your company watches it: CPI above $6.00 over 3 days.',
  ]);
  const few = await checkedAt(small, NOON);
  expect(few.rule).toMatchObject({ state: 'too_little', volume: 0 });
  expect(few.alerts).toEqual([]);
});

test('alerts when the return on spend after seven days is too low, of installs that are old enough', async () => {
  const company = await app.freshCompany();
  const person = (installedMs: number, revenue: number): SampleEvent[] => {
    const bidId = bidIdAt(installedMs - HOUR_MS);
    const eventAt = new Date(installedMs + 2 * DAY_MS).toISOString();
    return [
      { at: new Date(installedMs).toISOString(), kind: 'install', bidId },
      { at: new Date(installedMs).toISOString(), kind: 'billing', spendMicros: 10e6 },
      { at: eventAt, kind: 'app_event', app: { clickBidId: bidId, eventAt, revenueMicros: revenue * 1e6 } },
    ];
  };
  await storeEvents(ctx, company.companyId, [
    ...person(NOON - 10 * DAY_MS, 1),
    ...person(NOON - 11 * DAY_MS, 2),
    // Younger than seven days: paid well, but is not counted yet.
    ...person(NOON - 4 * DAY_MS, 100),
  ]);
  await addRule(company, { metric: 'roas_d7', direction: 'below', threshold: 20, days: 7 });
  const { rule, alerts } = await checkedAt(company, NOON);
  expect(rule).toMatchObject({ state: 'met', from_date: '2026-05-26', to_date: '2026-06-01' });
  expect(rule.value).toBeCloseTo(15, 6);
  expect(alerts[0]).toContain('ROAS D7 was 15% from');
});

test('compares the spend of today with the part of the daily budgets that is due by noon', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const adset = await make(company, '/adset', { ...body, daily_budget_const: 100 });
  const campaign = await makeCampaign(ctx, company, 'Running');
  await ctx.db.updateTable('campaigns').set({ status: 'Active' }).where('uuid', '=', campaign).execute();
  await ctx.db
    .updateTable('adsets')
    .set({ campaign_uuid: campaign, status: 'Active' })
    .where('uuid', '=', adset)
    .execute();
  const of = { campaignId: campaign };
  // A quarter of each past day's spend came before noon, so $25 of $100 are due at noon.
  await storeEvents(ctx, company.companyId, [
    ...[1, 2, 3].flatMap((days) => [
      ...delivered(NOON - days * DAY_MS - 2 * HOUR_MS, 25, 0, of),
      ...delivered(NOON - days * DAY_MS + 2 * HOUR_MS, 75, 0, of),
    ]),
    ...delivered(NOON - HOUR_MS, 17, 0, of),
  ]);
  await addRule(company, {
    metric: 'spend_of_plan',
    scope: 'campaign',
    scope_uuid: campaign,
    days: 0,
    hour: 12,
    direction: 'below',
    threshold: 70,
  });
  const noon = await checkedAt(company, NOON);
  expect(noon.rule).toMatchObject({ state: 'met', value: 68 });
  expect(noon.alerts).toEqual([
    'Spend of plan was 68% of “Running” today, Jun 10 / 2026, so far. A rule of your company watches it: Spend of plan below 70% today.',
  ]);
  // Not before noon of the next day, and then once more, as it is another day's figure.
  expect((await checkedAt(company, NOON + HOUR_MS)).alerts).toHaveLength(1);
  expect((await checkedAt(company, NOON + DAY_MS + 10 * 60_000)).alerts).toHaveLength(2);
});

test('says that there is no plan without daily budgets, and does not name archived entities', async () => {
  const company = await app.freshCompany();
  const campaign = await makeCampaign(ctx, company, 'Old');
  await addRule(company, {
    metric: 'spend_of_plan',
    scope: 'campaign',
    scope_uuid: campaign,
    threshold: 70,
    direction: 'below',
  });
  expect((await checkedAt(company, NOON)).rule).toMatchObject({ state: 'unknown', value: null });
  app.clock.now = new Date(NOON);
  expect((await company.call('POST', `/campaign/${campaign}/archive`)).status).toBe(200);
  const { rule, alerts } = await checkedAt(company, NOON + DAY_MS);
  expect(rule.state).toBe('unknown');
  expect(alerts).toEqual([]);
});

test('does not check rules that are off, and checks one anew that was changed', async () => {
  const company = await app.freshCompany();
  await storeEvents(ctx, company.companyId, delivered(NOON - DAY_MS, 70, 10));
  const { uuid } = await addRule(company, { is_enabled: false });
  expect((await checkedAt(company, NOON)).rule).toMatchObject({ state: 'unchecked', next_check_at: null });
  await company.call('PUT', `/alerts/rules/${uuid}`, { ...cpi, threshold: 8 });
  expect((await checkedAt(company, NOON)).rule).toMatchObject({ state: 'not_met', value: 7 });
  await company.call('PUT', `/alerts/rules/${uuid}`, { ...cpi, threshold: 6.5 });
  expect((await checkedAt(company, NOON)).alerts).toHaveLength(1);
});

test('rejects settings that do not go together with a sentence', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const foreign = await makeCampaign(ctx, other, 'Theirs');
  const rejected = async (rule: object) => {
    const { status, errors } = await company.call('POST', '/alerts/rules', { ...cpi, ...rule });
    expect(status).toBe(422);
    return errors;
  };
  expect(await rejected({ metric: 'roas_d7', days: 0 })).toEqual([
    { field: 'days', message: 'Choose whole days: the people of today have no such day yet' },
  ]);
  expect(await rejected({ scope: 'campaign', scope_uuid: foreign })).toEqual([
    { field: 'scope_uuid', message: 'Not found: choose another' },
  ]);
  expect(await rejected({ scope: 'campaign' })).toMatchObject([{ field: 'scope_uuid' }]);
});

test('checks by the clock of the company, once an hour or once a day', () => {
  const next = (now: string, days: number, hour: number | null, timeZone = 'America/New_York') =>
    nextCheckAt(new Date(now), { days, hour, timeZone }).toISOString();
  expect(next('2026-06-10T12:00:00Z', 0, null)).toBe('2026-06-10T12:05:00.000Z');
  expect(next('2026-06-10T12:05:00Z', 0, null)).toBe('2026-06-10T13:05:00.000Z');
  expect(next('2026-06-10T12:00:00Z', 0, 12)).toBe('2026-06-10T16:05:00.000Z');
  expect(next('2026-06-10T16:05:00Z', 0, 12)).toBe('2026-06-11T16:05:00.000Z');
  expect(next('2026-06-10T12:00:00Z', 3, null)).toBe('2026-06-11T05:05:00.000Z');
  // The clocks of New York skip two o'clock on this day.
  expect(next('2026-03-08T06:30:00Z', 1, 2)).toBe('2026-03-08T07:05:00.000Z');
});
