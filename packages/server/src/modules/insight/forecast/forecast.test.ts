import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { addSample, adsetOn, anExchange, forecastOf } from '@bidwell/testing/forecasts';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });
const DAY_MS = 86_400_000;

let sampled: Promise<string> | undefined;

/** The exchange with a sample of two days. */
function sampledExchange(): Promise<string> {
  return (sampled ??= addSample(app));
}

test('an ad set that matches nothing is forecast to get nothing', async () => {
  await sampledExchange();
  const company = await app.freshCompany();
  const { input } = await adsetOn(app, company, await anExchange(app));
  await expect.poll(async () => (await forecastOf(company, input)).message, { timeout: 60_000 }).toBeNull();
  const { day, curve } = await forecastOf(company, input);
  expect(day).toMatchObject({ matching: { about: 0, high: 0 }, impressions: { about: 0 }, cpm: null });
  expect(day!.nothing_because).toBe('unmatched');
  expect(curve!.points.every(({ impressions }) => impressions === 0)).toBe(true);
});

test('an ad set is forecast from the requests that it would match, and the share that wins at its bid', async () => {
  const slug = await sampledExchange();
  const company = await app.freshCompany();
  const { input } = await adsetOn(app, company, slug, { bet_cpm: 2.4 });
  await expect
    .poll(async () => (await forecastOf(company, input)).day?.matching.about, { timeout: 60_000 })
    .toBe(14_400);
  const { day, curve, message } = await forecastOf(company, input);
  expect(message).toBeNull();
  // 40 % of the bids at this price won.
  expect(day!.win_share).toBeGreaterThan(0.35);
  expect(day!.win_share).toBeLessThan(0.45);
  expect(day!.impressions.low).toBeLessThan(day!.impressions.about);
  expect(day!.impressions.high).toBeGreaterThan(day!.impressions.about);
  expect(day!.cpm!.about).toBeCloseTo(2.4, 1);
  expect(curve!.price).toBe('bet_cpm');
  expect(curve!.points[curve!.present]!.bid).toBe(2.4);

  const limited = await forecastOf(company, { ...input, daily_budget_const: 3 });
  expect(limited.day).toMatchObject({ limited_by: 'daily_budget', spend: { high: 3 } });
  const below = await forecastOf(company, { ...input, bet_cpm: 0.4 });
  expect(below.day!.impressions.about).toBe(0);
  expect([day!.nothing_because, below.day!.nothing_because]).toEqual([null, 'floor']);
  const other = await company.call('POST', '/adset/forecast', { ...input, target_id: uuidv4() });
  expect([other.status, other.errors]).toEqual([422, [{ field: 'target_id', message: 'Target not found' }]]);
  const noPrice = await company.call('POST', '/adset/forecast', {
    ...input,
    algo: 'Target CPI',
    bet_cpi: null,
  });
  expect([noPrice.status, noPrice.errors]).toEqual([
    422,
    [{ field: 'bet_cpi', message: 'Enter the target cost per install (CPI)' }],
  ]);
});

test('an ad set that ran yesterday shows what it got, and what it would have got with the change', async () => {
  const slug = await sampledExchange();
  const company = await app.freshCompany();
  const { input, adsetUuid, campaignUuid, appUuid, creativeUuid, groupUuid } = await adsetOn(
    app,
    company,
    slug,
    {
      bet_cpm: 2.4,
    },
  );
  const yesterday = app.ctx.now().getTime() - DAY_MS;
  await app.ctx.clickhouse.insert(
    'events',
    Array.from({ length: 500 }, () => ({
      time: new Date(yesterday).toISOString().replace('T', ' ').replace('Z', ''),
      kind: 'impression',
      bid_id: uuidv4(),
      company_id: company.companyId,
      app_id: appUuid,
      campaign_id: campaignUuid,
      adset_id: adsetUuid,
      creative_id: creativeUuid,
      creative_group_id: groupUuid,
      spend_micros: 2400,
    })),
  );
  const dearer = { ...input, bet_cpm: 4 };
  await expect
    .poll(async () => (await forecastOf(company, dearer)).what_if, { timeout: 60_000 })
    .not.toBeNull();
  // Without a change there is nothing to compare with yesterday.
  expect((await forecastOf(company, input)).what_if).toBeNull();
  const more = await forecastOf(company, dearer);
  expect(more.what_if).toMatchObject({ actual: { impressions: 500, spend: 1.2 } });
  expect(more.what_if!.changed.impressions.about).toBeGreaterThan(500);
  const less = await forecastOf(company, { ...input, daily_budget_const: 1 });
  expect(less.what_if!.changed.spend.high).toBeLessThanOrEqual(1);
});

test('the forecast of a goal says from what value of an install it is made', async () => {
  const slug = await sampledExchange();
  const company = await app.freshCompany();
  const { input } = await adsetOn(app, company, slug, { bet_cpm: 2.4 });
  const cpa = { ...input, algo: 'Target CPA', goal_event: 'purchase', cpa: 20 };
  await expect.poll(async () => (await forecastOf(company, cpa)).message, { timeout: 60_000 }).toBeNull();
  expect((await forecastOf(company, cpa)).value).toEqual({
    install_price: 1,
    per_install: 0.05,
    source: 'assumed',
    conversions: 0,
    needed: 50,
    revenue_sources: [],
    expected_error_percent: null,
  });
  const roas = await forecastOf(company, { ...input, algo: 'Target ROAS', roas: 80, bet_cpi: 2 });
  expect(roas.value).toMatchObject({ install_price: 2, per_install: 1.6, source: 'assumed' });
  expect((await forecastOf(company, input)).value).toBeNull();
});

test("another company's ad set is not forecast", async () => {
  const company = await app.freshCompany();
  const { input } = await adsetOn(app, company, await anExchange(app));
  const other = await app.freshCompany();
  const own = await adsetOn(app, other, await anExchange(app));
  const { status } = await other.call('POST', '/adset/forecast', { ...own.input, uuid: input.uuid });
  expect(status).toBe(404);
});
