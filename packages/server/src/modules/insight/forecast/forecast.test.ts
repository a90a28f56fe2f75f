import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { addSample, adsetOn, anExchange, forecastOf } from '@bidwell/testing/forecasts';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { make, targetBody } from '@bidwell/testing/advertising';
import { bannerImp, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';

const app = await testApp({ MODERATION: 'auto' });
const DAY_MS = 86_400_000;

/** A company with an audience that the sample knows. */
interface Audienced {
  slug: string;
  company: TestCompany;
  audience: string;
}
let sampled: Promise<{ withoutPeople: string; withPeople: string; audienced: Audienced }> | undefined;

/** Exchanges with a sample of two days. Both are added before the first forecast, since newer requests alone are read later. */
const samples = () =>
  (sampled ??= (async () => {
    const company = await app.freshCompany();
    const audience = await make(company, '/audience', { name: 'Payers' });
    await setAudience(audience, { size: 10 });
    return {
      withoutPeople: await addSample(app),
      withPeople: await addSample(app, 6),
      audienced: { slug: await addSample(app, 100, audience), company, audience },
    };
  })());

/** Sets columns of an audience, as imports would. */
const setAudience = async (uuid: string, columns: { size?: number; kind?: 'url'; source_url?: string }) =>
  app.ctx.db.updateTable('audiences').set(columns).where('uuid', '=', uuid).execute();

const sampledExchange = async (): Promise<string> => (await samples()).withoutPeople;

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

test('cities of the traffic are complete once the sample is read', async () => {
  const company = await app.freshCompany();
  await expect
    .poll(async () => (await company.call('GET', '/seen_cities')).data, { timeout: 60_000 })
    .toEqual({ cities: expect.any(Array), is_loading: false });
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

test('a re-engagement campaign is forecast without installs, which it does not buy', async () => {
  const slug = await sampledExchange();
  const company = await app.freshCompany();
  const { input } = await adsetOn(app, company, slug, { bet_cpm: 2.4 });
  await expect
    .poll(async () => (await forecastOf(company, input)).day?.matching.about, { timeout: 60_000 })
    .toBe(14_400);
  const { day } = await forecastOf(company, { ...input, uuid: null, campaign_kind: 're_engagement' });
  expect(day!.installs).toBeNull();
  expect(day!.impressions.about).toBeGreaterThan(0);
});

test('the frequency caps of an ad set and of its campaign are forecast, unless the sample knows no people', async () => {
  const { withPeople: slug } = await samples();
  const company = await app.freshCompany();
  const { input, campaignUuid } = await adsetOn(app, company, slug, { bet_cpm: 2.4 });
  await expect
    .poll(async () => (await forecastOf(company, input)).day?.matching.about, { timeout: 60_000 })
    .toBe(14_400);
  const plain = await forecastOf(company, input);
  expect(plain).toMatchObject({ not_counted: [], day: { capped_share: null } });
  const frequency_caps = [{ impressions: 1, minutes: 1440 }];
  const capped = await forecastOf(company, { ...input, frequency_caps });
  expect(capped.not_counted).toEqual([]);
  // Each of six people, who stand for 100 each, sees the ad once a day.
  expect(capped.day!.impressions.about).toBeGreaterThan(400);
  expect(capped.day!.impressions.about).toBeLessThan(700);
  expect(capped.day!.capped_share).toBeGreaterThan(0.8);
  await company.call('PUT', `/campaign/${campaignUuid}`, { frequency_caps });
  expect((await forecastOf(company, input)).day).toEqual(capped.day);

  const old = await adsetOn(app, company, await sampledExchange(), { bet_cpm: 2.4 });
  const unknown = await forecastOf(company, { ...old.input, frequency_caps });
  expect(unknown).toMatchObject({ not_counted: ['frequency_caps'], day: { capped_share: null } });
  expect(unknown.day!.impressions.about).toBeGreaterThan(5000);
});

test('the people whom audiences leave out are not forecast, unless the sample does not know the audience', async () => {
  const { slug, company, audience } = (await samples()).audienced;
  const { input } = await adsetOn(app, company, slug, { bet_cpm: 2.4 });
  await expect
    .poll(async () => (await forecastOf(company, input)).day?.matching.about, { timeout: 60_000 })
    .toBe(14_400);
  const plain = await forecastOf(company, input);
  expect(plain).toMatchObject({ not_counted: [], day: { audience_share: null } });
  const excluding = { audience_exclude: [audience] };
  for (const [audiences, share] of [
    [{ audience_include: [[audience]] }, 0.5],
    [excluding, 0.5],
    [{ ...excluding, audience_without_id: 'skip' }, 0.25],
    [{ ...excluding, audience_include: [[audience]] }, 0],
  ] as const) {
    const { day, not_counted } = await forecastOf(company, { ...input, ...audiences });
    expect([day!.audience_share, not_counted]).toEqual([share, []]);
    expect(day!.impressions.about / plain.day!.impressions.about).toBeCloseTo(share, 1);
    if (share === 0) expect(day!.nothing_because).toBe('audience_contradiction');
  }
  const unknown = await make(company, '/audience', { name: 'New' });
  const empty = await forecastOf(company, { ...input, audience_include: [[unknown]] });
  expect(empty).toMatchObject({
    not_counted: [],
    curve: null,
    day: { impressions: { about: 0, high: 0 }, audience_share: 0, nothing_because: 'audience_empty' },
  });
  expect(empty.day!.matching.about).toBeGreaterThan(0);
  // Its file has not been read yet, so its size is not known.
  await setAudience(unknown, { kind: 'url', source_url: 'https://files.example.com/ids.csv' });
  const uncounted = await forecastOf(company, { ...input, audience_include: [[unknown]] });
  expect(uncounted).toMatchObject({ not_counted: ['audiences'], day: { audience_share: null } });
  expect(uncounted.day!.impressions.about).toBe(plain.day!.impressions.about);

  const other = await app.freshCompany();
  const theirs = await adsetOn(app, other, slug);
  const probed = await other.call('POST', '/adset/forecast', { ...theirs.input, ...excluding });
  expect([probed.status, probed.errors]).toEqual([
    422,
    [{ field: 'audience_exclude', message: 'Audience not found' }],
  ]);
});

test('an ad set that ran yesterday shows its result, and the result that it would have had with the change', async () => {
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

/** Five hundred installs of an ad set ten days ago, of which 260 people sign up a day later. */
function signUps(appId: string, adsetId: string): SampleEvent[] {
  const at = (daysAgo: number) => new Date(app.ctx.now().getTime() - daysAgo * DAY_MS).toISOString();
  return Array.from({ length: 500 }, (_unused, index): SampleEvent[] => {
    const bidId = uuidv7();
    const of = { appId, adsetId, bundle: 'com.publisher', country: 'US' };
    const signUp = {
      ...of,
      kind: 'app_event',
      at: at(9),
      app: { name: 'sign_up', clickBidId: bidId },
    } as const;
    return [{ ...of, kind: 'install', bidId, at: at(10) }, ...(index < 260 ? [signUp] : [])];
  }).flat();
}

test('a new Target CPA ad set forecasts and bids by the events that a Target CPI ad set of its app has brought', async () => {
  const [first, second] = [await freshExchange(app), await freshExchange(app)];
  const cpi = { algo: 'Target CPI', bet_cpm: 100, bet_cpi: 2 };
  const { company, appUuid, adsetUuid, groupUuid } = await campaignOn(app, first, { adset: cpi });
  await storeEvents(app.ctx, company.companyId, signUps(appUuid, adsetUuid));
  const { data: known } = await company.call('GET', `/adset/${adsetUuid}`);
  const goal = {
    target_id: await make(company, '/target', targetBody(appUuid, { exchange_include: [second.slug] })),
    creative_group_ids: [groupUuid],
    algo: 'Target CPA',
    bet_cpm: 1000,
    goal_event: 'sign_up',
    // Without the learned value, the assumed value of an install would be $50.
    cpa: 1000,
  };
  const { value } = await forecastOf(company, goal);
  expect(value).toMatchObject({ source: 'learned', conversions: 260, needed: 50 });
  expect(value!.per_install).toBeGreaterThan(0.45);
  expect(value!.per_install).toBeLessThan(0.6);

  const tracking_link_id = known.tracking_link.uuid;
  const cheap = await make(company, '/adset', { name: 'Sign-ups', tracking_link_id, ...goal, cpa: 4 });
  const adset_uuids = [cheap];
  const campaign = await make(company, '/campaign', { name: 'Goal', app_uuid: appUuid, adset_uuids });
  expect((await company.call('POST', `/campaign/${campaign}/start`)).status).toBe(200);
  await app.settled();
  // One install in a thousand impressions is expected, of which 52 % sign up for $4: about $2, not the $0.20 that is assumed.
  const { price } = await second.bid({ at: 2, imp: [bannerImp(0.01)] });
  expect(price).toBeGreaterThan(1.4);
  expect(price).toBeLessThan(3);
});

test('a forecast for an event that no person had says so, even if the app has many installs', async () => {
  const exchange = await freshExchange(app);
  const { company, appUuid, adsetUuid, groupUuid } = await campaignOn(app, exchange);
  await storeEvents(app.ctx, company.companyId, signUps(appUuid, adsetUuid));
  const goal = { algo: 'Target CPA', bet_cpm: 10, goal_event: 'level_9', cpa: 20 };
  const target_id = await make(company, '/target', targetBody(appUuid));
  const { value } = await forecastOf(company, { ...goal, target_id, creative_group_ids: [groupUuid] });
  expect(value).toMatchObject({ source: 'assumed', conversions: 0, expected_error_percent: null });
  // The assumed value falls as more installs arrive without the event.
  expect(value!.per_install).toBeLessThan(0.02);
});
