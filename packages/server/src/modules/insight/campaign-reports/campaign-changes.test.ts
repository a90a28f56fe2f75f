import type { CampaignChanges, ComparedChange } from '@bidwell/contract/campaign-reports/changes';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { json } from '../../../platform/postgres/client.ts';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const nowMs = app.ctx.now().getTime();
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

async function read(company: TestCompany, campaign: string, days = 20): Promise<CampaignChanges> {
  const range = `start_date=${dayOf(nowMs - days * DAY_MS)}&end_date=${dayOf(nowMs)}`;
  const { status, data } = await company.call('GET', `/campaign/${campaign}/changes?${range}`);
  expect(status).toBe(200);
  return data as CampaignChanges;
}

/** A running campaign that was made 30 days ago. */
async function campaignOfLastMonth(company: TestCompany) {
  const made = await makeRunningCampaign(app, company);
  const { db } = app.ctx;
  await db
    .updateTable('changes')
    .set({ created_at: new Date(nowMs - 30 * DAY_MS) })
    .where('company_uuid', '=', company.companyId)
    .execute();
  /** Makes a change of the ad set as of a time. */
  const change = async (body: object, atMs: number, path = `/adset/${made.adsetUuid}`) => {
    expect((await company.call('PUT', path, body)).status).toBe(200);
    const { data } = await company.call('GET', `/company/${company.companyId}/changes?limit=200`);
    const newest = (data.changes as ComparedChange[]).find(
      ({ created_at: at }) => Date.parse(at) >= nowMs - 5 * 60_000,
    )!;
    await db
      .updateTable('changes')
      .set({ created_at: new Date(atMs) })
      .where('uuid', '=', newest.uuid)
      .execute();
    return newest.uuid;
  };
  const { campaignUuid: campaignId, adsetUuid: adsetId } = made;
  const store = (
    atMs: number,
    [impressions, clicks, installs]: readonly [number, number, number],
    over = {},
  ) => {
    const at = new Date(atMs).toISOString();
    const event = (kind: SampleEvent['kind'], spendMicros = 0): SampleEvent => ({
      at,
      kind,
      campaignId,
      adsetId,
      spendMicros,
      ...over,
    });
    return storeEvents(app.ctx, company.companyId, [
      ...Array.from({ length: impressions }, () => event('impression', 10_000)),
      ...Array.from({ length: clicks }, () => event('click')),
      ...Array.from({ length: installs }, () => event('install')),
    ]);
  };
  return { ...made, change, store };
}

test('a change has the figures of its ad set in whole days before and after it', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, adsetUuid, change, store } = await campaignOfLastMonth(company);
  const atMs = nowMs - 3.5 * DAY_MS;
  const uuid = await change({ bet_cpm: 4 }, atMs);
  await store(atMs - 2.9 * DAY_MS, [300, 6, 6]);
  await store(atMs - 1000, [300, 6, 6]);
  await store(atMs + 1000, [300, 30, 30]);
  await store(atMs + 2.9 * DAY_MS, [600, 30, 30]);
  // Events more than three days from the change, and events of another ad set.
  await store(atMs - 3.1 * DAY_MS, [50, 5, 5]);
  await store(atMs + 3.1 * DAY_MS, [50, 5, 5]);
  await store(atMs, [50, 5, 5], { adsetId: campaignUuid });

  const { changes, total, group, points } = await read(company, campaignUuid);
  expect(total).toBe(1);
  const [made] = changes;
  expect(made).toMatchObject({ uuid, entity_uuid: adsetUuid, author: 'Test Er', together: 0 });
  expect(made!.fields).toEqual([{ field: 'bet_cpm', before: 2.5, after: 4 }]);
  expect(made!.comparison).toMatchObject({
    outcome: 'compared',
    days: 3,
    before: {
      impressions_per_day: 200,
      spend_per_day: 2,
      installs: 12,
      ctr_rate: { value: 2 },
      ipm_rate: { value: 20 },
      cpi: 0.5,
    },
    after: { impressions_per_day: 300, spend_per_day: 3, installs: 60 },
  });
  const { comparison } = made!;
  if (comparison?.outcome !== 'compared') throw new Error('The change is not compared');
  expect(comparison.after.cpi).toBeCloseTo(0.15, 9);
  // The intervals are apart: the install rate was higher after the change.
  expect(comparison.after.ipm_rate!.low).toBeGreaterThan(comparison.before.ipm_rate!.high);
  expect(group).toBe('day');
  expect(points).toHaveLength(21);
  expect(points.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(1650);
  const stranger = await app.freshCompany();
  const range = `start_date=${dayOf(nowMs)}&end_date=${dayOf(nowMs)}`;
  expect((await stranger.call('GET', `/campaign/${campaignUuid}/changes?${range}`)).status).toBe(404);
});

test('a change of a daily budget has the spend of its day and the next, in days as budgets count them', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, change, store } = await campaignOfLastMonth(company);
  const midnightMs = Date.parse(dayOf(nowMs - 4 * DAY_MS));
  const atMs = midnightMs + 11 * HOUR_MS;
  const uuid = await change({ daily_budget_const: 220 }, atMs);
  const other = await change({ bet_cpm: 4 }, atMs + 2.5 * DAY_MS);
  const today = await change({ daily_budget_const: 130 }, nowMs - 1000);
  await store(midnightMs + 10 * HOUR_MS, [100, 0, 0]);
  await store(midnightMs + 12 * HOUR_MS, [200, 0, 0]);
  await store(midnightMs + 34 * HOUR_MS, [300, 0, 0]);
  await store(midnightMs + 47 * HOUR_MS, [50, 0, 0]);
  await store(midnightMs + 49 * HOUR_MS, [7, 0, 0]);
  const { changes } = await read(company, campaignUuid);
  const budgetDaysOf = (id: string) => changes.find((one) => one.uuid === id)!.budget_days;
  // The 24 hours after the change have $5 of both days.
  expect(budgetDaysOf(uuid)).toEqual([
    { date: dayOf(midnightMs), spends: 3 },
    { date: dayOf(midnightMs + DAY_MS), spends: 3.5 },
  ]);
  expect(budgetDaysOf(other)).toEqual([]);
  expect(budgetDaysOf(today)[0]!.date).toBe(dayOf(nowMs - 1000));
  expect(budgetDaysOf(today).every(({ date }) => date <= dayOf(nowMs))).toBe(true);
});

test('changes of an ad set that was deleted since stay in the list while its figures are in the range', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, adsetUuid, change, store } = await campaignOfLastMonth(company);
  const uuid = await change({ bet_cpm: 4 }, nowMs - 5 * DAY_MS);
  await store(nowMs - 4 * DAY_MS, [10, 0, 0]);
  const taken = await company.call('PUT', `/campaign/${campaignUuid}`, { adset_uuids: [] });
  expect(taken.status).toBe(200);
  expect((await company.call('DELETE', `/adset/${adsetUuid}`)).status).toBe(200);

  const { changes } = await read(company, campaignUuid);
  expect(changes).toContainEqual(expect.objectContaining({ uuid, can_undo: false }));
  expect(changes).toContainEqual(expect.objectContaining({ entity_uuid: adsetUuid, action: 'delete' }));
});

test('the next change ends the comparison, and changes within an hour are compared together', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, change, store } = await campaignOfLastMonth(company);
  const firstMs = nowMs - 10 * DAY_MS;
  await change({ bet_cpm: 3 }, firstMs);
  await change({ daily_budget_const: 50 }, firstMs + 0.5 * HOUR_MS);
  await change({ name: 'Renamed' }, firstMs + 12 * HOUR_MS);
  const lastMs = firstMs + 2.6 * DAY_MS;
  await change({ bet_cpm: 4 }, lastMs);
  await change({ bet_cpm: 5 }, lastMs + 5 * HOUR_MS);
  await change({ bet_cpm: 6 }, nowMs - 3.2 * HOUR_MS);
  await store(firstMs - DAY_MS, [10, 0, 4]);
  await store(firstMs + DAY_MS, [10, 0, 5]);
  const { changes } = await read(company, campaignUuid);
  expect(changes.map(({ comparison, together }) => [comparison?.outcome ?? null, together])).toEqual([
    ['too_early', 0],
    ['too_close', 0],
    ['too_close', 0],
    [null, 0],
    ['compared', 1],
    ['compared', 1],
  ]);
  expect(changes[0]!.comparison).toMatchObject({ hours: 3 });
  const [budget, bid] = changes.slice(-2);
  expect(bid!.comparison).toEqual(budget!.comparison);
  // Four installs are too few for a rate; five are enough.
  expect(bid!.comparison).toMatchObject({
    days: 2,
    before: { impressions_per_day: 5, installs: 4, ipm_rate: null, cpi: null },
    after: { impressions_per_day: 5, installs: 5, ipm_rate: { value: 500 } },
  });
});

test('a change of the campaign has the figures of all its ad sets, and one that creates has none', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, change, store } = await campaignOfLastMonth(company);
  const atMs = nowMs - 2.5 * DAY_MS;
  await change({ end_date: '2099-01-31' }, atMs, `/campaign/${campaignUuid}`);
  await store(atMs + HOUR_MS, [20, 0, 0]);
  await store(atMs + HOUR_MS, [20, 0, 0], { adsetId: company.companyId });
  const { changes, total } = await read(company, campaignUuid, 40);
  expect(changes[0]).toMatchObject({
    entity_type: 'campaign',
    comparison: { outcome: 'compared', days: 2, after: { impressions_per_day: 20 } },
  });
  const created = changes.filter(({ action }) => action === 'create');
  expect(created.map(({ comparison }) => comparison)).toEqual([null, null]);
  expect(total).toBe(changes.length);
});

test('the newest hundred changes of a range are listed, and a short range has a point for each hour', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, company);
  const bids = Array.from({ length: 101 }, (_, index) => index + 1);
  await app.ctx.db
    .insertInto('changes')
    .values(
      bids.map((bid) => ({
        uuid: uuidv7(),
        company_uuid: company.companyId,
        user_uuid: company.userId,
        author: 'Test Er',
        entity_type: 'adset',
        entity_uuid: adsetUuid,
        entity_name: 'Ad set',
        action: 'update',
        fields: json([{ field: 'bet_cpm', before: bid - 1, after: bid }]),
        created_at: new Date(nowMs - HOUR_MS + bid * 1000),
      })),
    )
    .execute();
  const { changes, total, group, points } = await read(company, campaignUuid, 1);
  expect(changes).toHaveLength(100);
  expect(total).toBeGreaterThan(100);
  // The changes that made the campaign are newer.
  const newest = changes.find(({ entity_uuid: uuid, action }) => uuid === adsetUuid && action === 'update');
  expect(newest!.fields).toMatchObject([{ field: 'bet_cpm', after: 101 }]);
  expect(group).toBe('hour');
  expect(points.at(-1)!.starts_at <= app.ctx.now().toISOString()).toBe(true);
  expect(points.length).toBeGreaterThan(24);
});
