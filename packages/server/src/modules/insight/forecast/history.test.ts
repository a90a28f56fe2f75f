import { beforeEach, expect, test } from 'vitest';
import { FORECAST_METHOD } from '../../../delivery/forecast/forecast.ts';
import { addSample, adsetOn, forecastOf } from '@bidwell/testing/forecasts';
import { storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { startSession } from '../../identity/service.ts';
import {
  compareForecasts,
  deleteOldForecasts,
  type ComparedRange,
  INSIDE_SHARE,
  WIDENED_MAX,
  isInside,
  widened,
  wideningOf,
} from './forecast-history.ts';
import fc from 'fast-check';

const app = await testApp({ MODERATION: 'auto' });
const { ctx } = app;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Noon, so that the next day is whole. */
const start = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
app.clock.now = start;
const slug = await addSample(app);

/** Ad sets of the company whose forecasts are stored. */
async function storedOf({ companyId }: TestCompany): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('forecasts')
    .select('adset_uuid')
    .where('company_uuid', '=', companyId)
    .execute();
  return rows.map((row) => row.adset_uuid).sort();
}

/** The stored forecast of the first day of an ad set: one made anew may differ, as the sample of requests grows. */
async function lastOf(adsetId: string) {
  const { impressions, impressions_high } = await ctx.db
    .selectFrom('forecasts')
    .select(['impressions', 'impressions_high'])
    .where('adset_uuid', '=', adsetId)
    .orderBy('starts_at')
    .executeTakeFirstOrThrow();
  return { impressions: Math.round(impressions), impressions_high: Math.round(impressions_high) };
}

/** The headers of a new session: the first session does not last for days. */
async function loggedIn({ companyId, userId }: TestCompany): Promise<Record<string, string>> {
  const { tokens } = await startSession(ctx, { companyId, userId });
  return { authorization: `Bearer ${tokens.access_token}` };
}

/** A company with money from the beginning: its ad sets may be forecast as soon as they are saved. */
async function fundedCompany(): Promise<TestCompany> {
  const company = await app.freshCompany();
  const credit = { amount: 100, reason: 'Test' };
  const { status } = await app.operator('POST', `/companies/${company.companyId}/credit`, credit);
  expect(status).toBe(201);
  return company;
}

/** Stores impressions of an ad set at noon of the next day. */
async function storeImpressions(company: TestCompany, adsetId: string, count: number): Promise<void> {
  const at = new Date(start.getTime() + DAY_MS).toISOString();
  const events = Array.from({ length: count }, () => ({ at, kind: 'impression' as const, adsetId }));
  await storeEvents(ctx, company.companyId, events);
}

beforeEach(() => void (app.clock.now = start));

test('forecasts of saved ad sets are compared with the actual results, and the next forecast shows how accurate they were', async () => {
  const company = await fundedCompany();
  const other = await fundedCompany();
  const adset = { daily_budget_const: 1 };
  const [right, wrong, changed, theirs] = [
    await adsetOn(app, company, slug, adset),
    await adsetOn(app, company, slug, adset),
    await adsetOn(app, company, slug, adset),
    await adsetOn(app, other, slug, adset),
  ];
  const waiting = { timeout: 60_000 };
  await expect.poll(async () => (await forecastOf(company, right.input)).day, waiting).not.toBeNull();
  const ids = [right, wrong, changed].map(({ adsetUuid }) => adsetUuid);
  await expect.poll(() => storedOf(company), waiting).toEqual(ids.toSorted());
  await expect.poll(() => storedOf(other), waiting).toEqual([theirs.adsetUuid]);
  expect((await forecastOf(company, right.input)).record).toBeNull();

  // Forecasts that are made anew, because their campaigns start, are of the day after from here on.
  app.clock.now = new Date(start.getTime() + DAY_MS);
  await storeImpressions(company, right.adsetUuid, (await lastOf(right.adsetUuid)).impressions);
  await storeImpressions(company, wrong.adsetUuid, 3 * (await lastOf(wrong.adsetUuid)).impressions_high);
  const session = await loggedIn(company);
  const updated = await company.call('PUT', `/adset/${changed.adsetUuid}`, { bet_cpm: 3 }, session);
  expect(updated.status).toBe(200);
  app.clock.now = new Date(start.getTime() + 1.5 * DAY_MS + HOUR_MS);
  await compareForecasts(ctx);

  const after = await forecastOf(company, right.input, await loggedIn(company));
  expect(after.record).toMatchObject({ compared: 2, inside: 1 });
  expect(after.record!.median_error_percent).toBeGreaterThan(50);
  // Nothing came of the other company's ad set.
  const seenByOther = await forecastOf(other, theirs.input, await loggedIn(other));
  expect(seenByOther.record).toEqual({
    compared: 1,
    inside: 0,
    median_error_percent: 100,
    widened_by: 1,
  });

  await deleteOldForecasts({ ...ctx, now: () => new Date(start.getTime() + 93 * DAY_MS) });
  expect((await forecastOf(company, right.input, await loggedIn(company))).record).toBeNull();
});

/** When the stored forecasts of an ad set were made. */
async function madeOf(adsetId: string): Promise<Date[]> {
  const stored = ctx.db.selectFrom('forecasts').select('made_at');
  return (await stored.where('adset_uuid', '=', adsetId).execute()).map((row) => row.made_at);
}

test('a change replaces the forecast of the same day', async () => {
  const company = await app.freshCompany();
  const { input, adsetUuid } = await adsetOn(app, company, slug);
  const waiting = { timeout: 60_000 };
  await expect.poll(async () => (await forecastOf(company, input)).day, waiting).not.toBeNull();
  await expect.poll(() => storedOf(company), waiting).toEqual([adsetUuid]);
  const madeAt = new Date(start.getTime() + 1000);
  app.clock.now = madeAt;
  await company.call('PUT', `/adset/${adsetUuid}`, { bet_cpm: 2.6 });
  await expect.poll(() => madeOf(adsetUuid), waiting).toEqual([madeAt]);
});

test('the ad sets of a campaign are forecast again when it starts', async () => {
  const company = await app.freshCompany();
  const { adsetUuid, campaignUuid } = await adsetOn(app, company, slug);
  const waiting = { timeout: 60_000 };
  await expect.poll(() => storedOf(company), waiting).toEqual([adsetUuid]);
  const paused = await company.call('POST', `/campaign/${campaignUuid}/pause`);
  expect(paused.status).toBe(200);
  const madeAt = new Date(start.getTime() + 1000);
  app.clock.now = madeAt;
  await company.call('POST', `/campaign/${campaignUuid}/start`);
  await expect.poll(() => madeOf(adsetUuid), waiting).toEqual([madeAt]);
});

test('the errors of the last forecasts widen the ranges, each figure by its own errors', async () => {
  const company = await fundedCompany();
  const { input, adsetUuid } = await adsetOn(app, company, slug);
  const waiting = { timeout: 60_000 };
  await expect.poll(async () => (await forecastOf(company, input)).day, waiting).not.toBeNull();
  const before = (await forecastOf(company, input)).day!;
  const starts = Array.from({ length: 12 }, (_, days) => start.getTime() - (days + 2) * DAY_MS);
  await ctx.db
    .insertInto('forecasts')
    .values(
      starts.map((startMs) => ({
        company_uuid: company.companyId,
        adset_uuid: adsetUuid,
        starts_at: new Date(startMs),
        ends_at: new Date(startMs + DAY_MS),
        method: FORECAST_METHOD,
        made_at: new Date(startMs - HOUR_MS),
        compared_at: new Date(startMs + DAY_MS),
        impressions: 100,
        impressions_low: 90,
        impressions_high: 110,
        actual_impressions: 120,
        spend_micros: 1000,
        spend_low_micros: 900,
        spend_high_micros: 1100,
        actual_spend_micros: 1050,
        installs: 10,
        installs_low: 5,
        installs_high: 15,
        actual_installs: 9,
      })),
    )
    .execute();
  const { day, record } = await forecastOf(company, input);
  expect(record).toEqual({ compared: 12, inside: 0, median_error_percent: 20, widened_by: 2 });
  const { about, low, high } = before.impressions;
  expect(day!.impressions.about).toBe(about);
  // Figures have three digits.
  expect(day!.impressions.low / Math.max(1, about - 2 * (about - low))).toBeCloseTo(1, 1);
  expect(day!.impressions.high / (about + 2 * (high - about))).toBeCloseTo(1, 1);
  expect(day!.spend).toEqual(before.spend);
  expect(day!.installs).toEqual(before.installs);
});

const compared = fc
  .record({
    about: fc.double({ min: 0, max: 1e6, noNaN: true }),
    below: fc.double({ min: 0, max: 1, noNaN: true }),
    above: fc.double({ min: 0, max: 3, noNaN: true }),
    error: fc.double({ min: 0, max: 6, noNaN: true }),
  })
  .map(({ about, below, above, error }): ComparedRange => ({
    about,
    low: about * (1 - below),
    high: about * (1 + above),
    actual: Math.round(about * error),
  }));

test('after widening at least 80% of the compared forecasts are within their range, up to the bound', () => {
  fc.assert(
    fc.property(fc.array(compared, { minLength: 10, maxLength: 30 }), (all) => {
      const factor = wideningOf(all);
      const inside = all.filter((one) => isInside({ ...widened(one, factor), actual: one.actual })).length;
      expect(factor).toBeGreaterThanOrEqual(1);
      expect(factor).toBeLessThanOrEqual(WIDENED_MAX);
      if (factor < WIDENED_MAX) expect(inside).toBeGreaterThanOrEqual(INSIDE_SHARE * all.length);
    }),
  );
});

test('a range never gets narrower and never leaves the possible values', () => {
  fc.assert(
    fc.property(compared, fc.double({ min: 1, max: WIDENED_MAX, noNaN: true }), (range, factor) => {
      const wider = widened(range, factor, range.about * 1.5);
      expect(wider.low).toBeLessThanOrEqual(range.low + 1e-9 * range.about);
      expect(wider.high).toBeGreaterThanOrEqual(range.high - 1e-9 * range.about);
      expect(wider.low).toBeGreaterThanOrEqual(0);
      expect(wider.high).toBeLessThanOrEqual(Math.max(range.high, range.about * 1.5) * (1 + 1e-9));
    }),
  );
});

test('few forecasts, and those that held, change nothing', () => {
  const right = { about: 100, low: 80, high: 120, actual: 110 };
  const wrong = { ...right, actual: 150 };
  const several = (one: ComparedRange, times: number) => Array.from({ length: times }, () => one);
  expect(wideningOf(several(wrong, 9))).toBe(1);
  expect(wideningOf([...several(right, 8), ...several(wrong, 2)])).toBe(1);
  // Errors of 2.5 times the width.
  expect(wideningOf([...several(right, 7), ...several(wrong, 3)])).toBe(2.5);
  expect(wideningOf(several({ ...right, actual: 1000 }, 10))).toBe(WIDENED_MAX);
});
