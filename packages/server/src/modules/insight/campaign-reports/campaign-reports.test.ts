import type { CampaignCreatives } from '@bidwell/contract/campaign-reports/creatives';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { make, appBody } from '@bidwell/testing/advertising';
import { uploadBanner, makeRunningCampaign } from '@bidwell/testing/bidding';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import fc from 'fast-check';
import { runs } from '@bidwell/testing/whole-run';
import { runToCompletion } from '../../../platform/concurrency/yielding.ts';
import { type RunningTrials, type Trials, bestProbabilities, daysUntilBest } from './campaign-creatives.ts';
import type { CampaignPrices } from '@bidwell/contract/campaign-reports/prices';
import type { CampaignChanges, ComparedChange } from '@bidwell/contract/campaign-reports/changes';
import { json } from '../../../platform/postgres/client.ts';

const app = await testApp({ MODERATION: 'auto' });
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const nowMs = app.ctx.now().getTime();
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Events of a creative at an instant. */
function shown(
  creativeId: string,
  campaignId: string,
  atMs: number,
  [impressions, clicks, installs]: readonly [number, number, number],
  over: Partial<SampleEvent> = {},
): SampleEvent[] {
  const event = (kind: SampleEvent['kind']): SampleEvent => ({
    at: new Date(atMs).toISOString(),
    kind,
    campaignId,
    creativeId,
    ...over,
  });
  return [
    ...Array.from({ length: impressions }, () => event('impression')),
    ...Array.from({ length: clicks }, () => event('click')),
    ...Array.from({ length: installs }, () => event('install')),
  ];
}

async function compared(company: TestCompany, campaign: string, more = ''): Promise<CampaignCreatives> {
  const range = `start_date=${dayOf(nowMs - 6 * DAY_MS)}&end_date=${dayOf(nowMs)}`;
  const { status, data } = await company.call('GET', `/campaign/${campaign}/creatives?${range}${more}`);
  expect(status).toBe(200);
  return data as CampaignCreatives;
}

test('creatives are compared within their format, with intervals and the probability to be the best', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Creatives');
  const good = await uploadBanner(company, await make(company, '/app', appBody()));
  const [poor, video] = [uuidv4(), uuidv4()];
  const atMs = app.ctx.now().getTime() - 3_600_000;
  await storeEvents(app.ctx, company.companyId, [
    ...shown(good, campaignId, atMs, [2000, 20, 60]),
    ...shown(poor, campaignId, atMs, [2000, 60, 20]),
    ...shown(video, campaignId, atMs, [500, 5, 5], { creativeType: 'Video' }),
  ]);
  const { comparisons } = await compared(company, campaignId);
  expect(comparisons.map(({ type, format }) => [type, format])).toEqual([
    ['Banner', '320x50'],
    ['Video', null],
  ]);
  const [banners, videos] = comparisons;
  expect(banners!.creatives.map(({ uuid, name }) => [uuid, name])).toEqual([
    [good, 'Banner'],
    [poor, 'Unknown'],
  ]);
  expect(banners!.creatives[0]).toMatchObject({ impressions: 2000, clicks: 20, installs: 60 });
  expect(banners!.creatives[0]!.ipm_rate).toMatchObject({ value: 30 });
  expect(banners!.creatives[0]!.ctr_rate!.low).toBeLessThan(1);
  expect(banners!.creatives[0]!.ctr_rate!.high).toBeGreaterThan(1);
  expect(banners!.verdict).toMatchObject({ outcome: 'best', uuid: good });
  expect(banners!.creatives[0]!.best! + banners!.creatives[1]!.best!).toBeCloseTo(1, 9);
  // One alone has nothing to be compared with.
  expect(videos!.verdict).toEqual({ outcome: 'none' });
  expect(videos!.creatives[0]!.best).toBeNull();

  const byClicks = await compared(company, campaignId, '&metric=ctr');
  expect(byClicks.comparisons[0]!.verdict).toMatchObject({ outcome: 'best', uuid: poor });
  const stranger = await app.freshCompany();
  const range = 'start_date=2026-01-01&end_date=2026-01-02';
  expect((await stranger.call('GET', `/campaign/${campaignId}/creatives?${range}`)).status).toBe(404);
});

test('without enough data the days until a decision follow from the traffic of the last 24 hours', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Early');
  const [one, other] = [uuidv4(), uuidv4()];
  await storeEvents(app.ctx, company.companyId, [
    ...shown(one, campaignId, nowMs - 2 * DAY_MS, [1000, 0, 14]),
    ...shown(other, campaignId, nowMs - 2 * DAY_MS, [1000, 0, 10]),
  ]);
  const [idle] = (await compared(company, campaignId)).comparisons;
  expect(idle!.verdict).toMatchObject({
    outcome: 'not_enough',
    uuid: one,
    days_left: null,
    has_traffic: false,
  });
  await storeEvents(app.ctx, company.companyId, [
    ...shown(one, campaignId, nowMs - 3_600_000, [500, 0, 7]),
    ...shown(other, campaignId, nowMs - 3_600_000, [500, 0, 5]),
  ]);
  const [running] = (await compared(company, campaignId)).comparisons;
  const verdict = running!.verdict;
  expect(verdict).toMatchObject({ outcome: 'not_enough', uuid: one, has_traffic: true });
  // At these rates the normal approximation needs about 4,100 impressions of each; 500 come a day.
  const days = verdict.outcome === 'not_enough' ? verdict.days_left : null;
  expect(days).toBeGreaterThanOrEqual(5);
  expect(days).toBeLessThanOrEqual(14);
});

const best = (...all: Trials[]) => runToCompletion(bestProbabilities(all));

const of = (successes: number, trials: number): Trials => ({ successes, trials });

const trials = fc
  .integer({ min: 0, max: 200_000 })
  .chain((all) => fc.tuple(fc.integer({ min: 0, max: Math.ceil(all / 20) }), fc.constant(all)))
  .map(([successes, all]) => of(Math.min(successes, all), all));

/** Logarithm of the gamma function of a positive integer. */
function logFactorial(n: number): number {
  let sum = 0;
  for (let factor = 2; factor <= n; factor += 1) sum += Math.log(factor);
  return sum;
}

const logBeta = (a: number, b: number) => logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

/** The probability that a beta variable with integer parameters is above another: exact, as a sum. */
function exactlyAbove([a2, b2]: readonly [number, number], [a1, b1]: readonly [number, number]): number {
  let sum = 0;
  for (let i = 0; i < a2; i += 1)
    sum += Math.exp(logBeta(a1 + i, b1 + b2) - Math.log(b2 + i) - logBeta(1 + i, b2) - logBeta(a1, b1));
  return sum;
}

test('the probability that one of two rates is the best is exact', () => {
  const cases = fc.record({
    first: fc.integer({ min: 0, max: 60 }),
    second: fc.integer({ min: 0, max: 60 }),
    size: fc.integer({ min: 30, max: 100 }),
  });
  fc.assert(
    fc.property(cases, ({ first, second, size }) => {
      // As many trials as make the weight of the prior a whole number.
      const successes = first + second;
      fc.pre(successes > 0);
      const all = successes * size;
      const [one, other] = [Math.floor(all / 2), all - Math.floor(all / 2)];
      fc.pre(one >= first && other >= second);
      const failures = (all - successes) / successes;
      const [probability] = best(of(first, one), of(second, other))!;
      const expected = exactlyAbove(
        [first + 1, one - first + failures],
        [second + 1, other - second + failures],
      );
      expect(probability).toBeCloseTo(expected, 3);
    }),
    runs(20),
  );
});

test('the probabilities add up to 1, and do not depend on the order', () => {
  fc.assert(
    fc.property(fc.array(trials, { minLength: 2, maxLength: 8 }), (all) => {
      const probabilities = best(...all);
      if (all.every(({ successes }) => successes === 0)) {
        expect(probabilities).toBeNull();
        return;
      }
      expect(probabilities!.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
      for (const one of probabilities!) expect(one).toBeGreaterThanOrEqual(0);
      const reversed = best(...all.toReversed())!.toReversed();
      for (const [index, one] of probabilities!.entries()) expect(reversed[index]).toBeCloseTo(one, 9);
    }),
    runs(50),
  );
});

test('equal creatives are equally likely the best, and a further success makes one likelier', () => {
  for (const one of best(of(10, 1000), of(10, 1000), of(10, 1000), of(10, 1000))!)
    expect(one).toBeCloseTo(0.25, 4);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 5000, max: 100_000 }),
      (successes, all) => {
        const [before] = best(of(successes, all), of(20, all))!;
        const [after] = best(of(successes + 1, all), of(20, all))!;
        expect(after).toBeGreaterThan(before!);
      },
    ),
    runs(50),
  );
});

test('a creative without impressions is neither the best nor the worst for certain', () => {
  const [running, fresh] = best(of(100, 100_000), of(0, 0))!;
  expect(fresh).toBeGreaterThan(0.2);
  expect(fresh).toBeLessThan(0.6);
  expect(running! + fresh!).toBeCloseTo(1, 9);
  expect(best(of(1, 10))).toBeNull();
});

test('rates far apart, with millions of impressions, stay exact', () => {
  const [low, high] = best(of(1000, 5_000_000), of(60_000, 5_000_000))!;
  expect(low).toBeLessThan(1e-9);
  expect(high).toBeCloseTo(1, 9);
});

test('the days until a decision decide it, and a day less does not', () => {
  const days = (all: RunningTrials[], leader: number) =>
    runToCompletion(daysUntilBest(all, leader, 0.95, 90));
  const at = (successes: number, all: number, perDay: number): RunningTrials => ({
    successes,
    trials: all,
    perDay,
  });
  const all = [at(30, 10_000, 5000), at(25, 10_000, 5000)];
  const needed = days(all, 0)!;
  expect(needed).toBeGreaterThan(1);
  const probabilityAfter = (count: number) =>
    best(...all.map((one) => of(one.successes * (1 + count / 2), one.trials + 5000 * count)))![0]!;
  expect(probabilityAfter(needed)).toBeGreaterThanOrEqual(0.95);
  expect(probabilityAfter(needed - 1)).toBeLessThan(0.95);
  expect(days([at(30, 10_000, 50_000), at(20, 10_000, 50_000)], 0)).toBe(1);
  // No traffic, or the same rate.
  expect(days([at(30, 10_000, 0), at(20, 10_000, 0)], 0)).toBeNull();
  expect(days([at(20, 10_000, 5000), at(20, 10_000, 5000)], 0)).toBeNull();
});

const DAY = '2026-01-10';
const AT = `${DAY}T12:00:00Z`;

const pricesOf = async (company: TestCompany, campaign: string): Promise<CampaignPrices> => {
  const { status, data } = await company.call(
    'GET',
    `/campaign/${campaign}/prices?start_date=${DAY}&end_date=${DAY}`,
  );
  expect(status).toBe(200);
  return data as CampaignPrices;
};

test('bids, prices and savings are summed by exchange and country', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Prices');
  const event = (more: Partial<SampleEvent>): SampleEvent => ({
    at: AT,
    kind: 'billing',
    campaignId,
    ...more,
  });
  const shaded = { exchange: 'adx', country: 'DE', bidCpmMicros: 3_000_000, valueCpmMicros: 5_000_000 };
  const bidId = uuidv4();
  await storeEvents(app.ctx, company.companyId, [
    event({ ...shaded, spendMicros: 3000 }),
    event({ ...shaded, spendMicros: 2000 }),
    // An impression that was charged, and the billing notice with a higher price: one bid.
    event({
      bidId,
      kind: 'impression',
      exchange: 'adx',
      country: 'FR',
      bidCpmMicros: 4_000_000,
      spendMicros: 1000,
    }),
    event({ bidId, exchange: 'adx', country: 'FR', bidCpmMicros: 4_000_000, spendMicros: 500 }),
    // No charge, a test, another day, another campaign.
    event({ ...shaded, kind: 'win' }),
    event({ ...shaded, spendMicros: 9000, test: true }),
    event({ ...shaded, spendMicros: 9000, at: '2026-01-11T00:00:00Z' }),
    event({ ...shaded, spendMicros: 9000, campaignId: uuidv4() }),
  ]);
  const { rows, total, other } = await pricesOf(company, campaignId);
  expect(rows).toEqual([
    {
      exchange: 'adx',
      exchange_name: 'adx',
      country: 'DE',
      impressions: 2,
      value: 0.01,
      bid: 0.006,
      paid: 0.005,
      saved_by_shading: 0.004,
      saved_by_auction: 0.001,
      bid_cpm: 3,
      paid_cpm: 2.5,
    },
    {
      exchange: 'adx',
      exchange_name: 'adx',
      country: 'FR',
      impressions: 1,
      value: 0.004,
      bid: 0.004,
      paid: 0.0015,
      saved_by_shading: 0,
      saved_by_auction: 0.0025,
      bid_cpm: 4,
      paid_cpm: 1.5,
    },
  ]);
  expect(total).toMatchObject({ impressions: 3, paid: 0.0065, bid: 0.01, saved_by_shading: 0.004 });
  expect(other).toBeNull();
  const stranger = await app.freshCompany();
  const path = `/campaign/${campaignId}/prices?start_date=${DAY}&end_date=${DAY}`;
  expect((await stranger.call('GET', path)).status).toBe(404);
});

test('bids are compared with prices in the advertiser’s terms, with any margin', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Margin');
  // A media price of $2 of a bid of $2.50, with a margin of 25 %.
  await storeEvents(app.ctx, company.companyId, [
    { at: AT, kind: 'billing', campaignId, spendMicros: 2500, marginMicros: 500, bidCpmMicros: 2_500_000 },
  ]);
  const { total } = await pricesOf(company, campaignId);
  expect(total).toMatchObject({ paid: 0.0025, bid: 0.003125, bid_cpm: 3.125, paid_cpm: 2.5 });
});

test('the paid amount is the spend of the report to the micro, and value, bid and paid never rise in this order', async () => {
  const bids = fc.array(
    fc.record({
      spendMicros: fc.integer({ min: 0, max: 20_000 }),
      bidCpmMicros: fc.integer({ min: 0, max: 20_000_000 }),
      valueCpmMicros: fc.integer({ min: 0, max: 20_000_000 }),
      country: fc.constantFrom('DE', 'FR', ''),
      exchange: fc.constantFrom('adx', 'other'),
    }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(bids, async (events) => {
      const company = await app.freshCompany();
      const campaignId = await makeCampaign(app.ctx, company, 'Any');
      await storeEvents(
        app.ctx,
        company.companyId,
        events.map((event) => ({ at: AT, kind: 'billing', campaignId, ...event })),
      );
      const { rows, total } = await pricesOf(company, campaignId);
      const range = { start_date: DAY, end_date: DAY };
      const report = await company.call('POST', '/analytics/level', { ...range, levels: { os: '' } });
      expect(total.paid).toBe(report.data.total.spends);
      for (const row of [...rows, total]) {
        expect(row.value).toBeGreaterThanOrEqual(row.bid);
        expect(row.bid).toBeGreaterThanOrEqual(row.paid);
      }
    }),
    runs(8),
  );
});

async function changesOf(company: TestCompany, campaign: string, days = 20): Promise<CampaignChanges> {
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

  const { changes, total, group, points } = await changesOf(company, campaignUuid);
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
  const { changes } = await changesOf(company, campaignUuid);
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

  const { changes } = await changesOf(company, campaignUuid);
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
  const { changes } = await changesOf(company, campaignUuid);
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
  const { changes, total } = await changesOf(company, campaignUuid, 40);
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
  const { changes, total, group, points } = await changesOf(company, campaignUuid, 1);
  expect(changes).toHaveLength(100);
  expect(total).toBeGreaterThan(100);
  // The changes that made the campaign are newer.
  const newest = changes.find(({ entity_uuid: uuid, action }) => uuid === adsetUuid && action === 'update');
  expect(newest!.fields).toMatchObject([{ field: 'bet_cpm', after: 101 }]);
  expect(group).toBe('hour');
  expect(points.at(-1)!.starts_at <= app.ctx.now().toISOString()).toBe(true);
  expect(points.length).toBeGreaterThan(24);
});
