import type { CompanyDelivery, RankedFindings } from '@bidwell/contract/insight/company-delivery';
import type { DeliveryFunnel, DeliveryReport } from '@bidwell/contract/insight/delivery-report';
import { expect, test } from 'vitest';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { plantedCampaign } from '@bidwell/testing/planted-campaign';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { v7 as uuidv7 } from 'uuid';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';

const app = await testApp({ MODERATION: 'auto' });

async function read<T>(company: TestCompany, path: string): Promise<T> {
  await app.settled();
  const today = app.ctx.now().toISOString().slice(0, 10);
  const { status, data } = await company.call('GET', `${path}?start_date=${today}&end_date=${today}`);
  expect(status).toBe(200);
  return data as T;
}

/** A company with a campaign whose bid is below the floors, and one that targets another country. */
async function twoCampaigns() {
  const low = await plantedCampaign(app, { adset: { bet_cpm: 0.2 } });
  const { company } = low;
  const far = await makeRunningCampaign(app, company, { target: { location_include: ['br'] } });
  await company.call('PUT', `/campaign/${low.campaignUuid}`, { name: 'Low' });
  await company.call('PUT', `/campaign/${far.campaignUuid}`, { name: 'Far' });
  await low.send();
  return { company, low, far };
}

const requestsIn = ({ seen, steps }: DeliveryFunnel) => [seen, ...steps.map(({ requests }) => requests)];

test('the funnel of the company is the sum over the ad sets of all campaigns', async () => {
  const { company, low, far } = await twoCampaigns();
  const report = await read<CompanyDelivery>(company, '/delivery');
  expect(report.campaigns.map(({ name }) => name).toSorted()).toEqual(['Far', 'Low']);
  for (const { uuid, name: _name, ...funnel } of report.campaigns)
    expect(funnel).toEqual((await read<DeliveryReport>(company, `/campaign/${uuid}/delivery`)).total);
  const [one, other] = report.campaigns.map(requestsIn);
  expect(requestsIn(report.total).map(({ value }) => value)).toEqual(
    one!.map(({ value }, index) => value + other![index]!.value),
  );
  const exits = report.total.steps.flatMap((step) => step.exits.map(({ exit }) => exit));
  expect(exits.toSorted()).toEqual(['country', 'floor']);

  // An archived campaign is not listed, but counts.
  await company.call('POST', `/campaign/${far.campaignUuid}/pause`);
  expect((await company.call('POST', `/campaign/${far.campaignUuid}/archive`)).status).toBe(200);
  const after = await read<CompanyDelivery>(company, '/delivery');
  expect(after.campaigns.map(({ uuid }) => uuid)).toEqual([low.campaignUuid]);
  expect(after.total.seen).toEqual(report.total.seen);
  expect((await read<CompanyDelivery>(await app.freshCompany(), '/delivery')).total.seen.value).toBe(0);
});

test('lost bids have the prices at which they would have won, of an ad set, a campaign and the company', async () => {
  const { company, low, far } = await twoCampaigns();
  const at = new Date(app.ctx.now().getTime() - 1000).toISOString();
  const lost = (of: typeof low | typeof far, prices: readonly number[]) =>
    prices.map((minToWinCpmMicros) => ({
      at,
      kind: 'loss' as const,
      campaignId: of.campaignUuid,
      adsetId: of.adsetUuid,
      lossReason: minToWinCpmMicros > 0 ? 102 : 203,
      minToWinCpmMicros,
    }));
  const prices = (from: number) => Array.from({ length: 101 }, (_, index) => from + 10_000 * index);
  await storeEvents(app.ctx, company.companyId, [
    ...lost(low, prices(1_000_000)),
    ...lost(far, [...prices(5_000_000), 0]),
    // Codes of the exchange, and one that OpenRTB does not define.
    ...[1001, 1002, 64_000, 500].map((lossReason) => ({ ...lost(far, [0])[0]!, lossReason })),
    { ...lost(far, [90_000_000])[0]!, test: true },
  ]);
  const priced = (losses: number, median: number, most: number) => ({
    code: 102,
    profile: null,
    losses,
    min_to_win: {
      losses,
      median_cpm: expect.closeTo(median, 1) as number,
      p80_cpm: expect.closeTo(most, 1) as number,
      value: null,
    },
  });
  const unpriced = [
    { code: 1000, profile: null, losses: 3, min_to_win: null },
    { code: 203, profile: null, losses: 1, min_to_win: null },
    { code: 999, profile: null, losses: 1, min_to_win: null },
  ];
  const ofFar = await read<DeliveryReport>(company, `/campaign/${far.campaignUuid}/delivery`);
  expect(ofFar.total.losses_by_code).toEqual([priced(101, 5.5, 5.8), ...unpriced]);
  expect(ofFar.adsets.map(({ losses_by_code: codes }) => codes)).toEqual([ofFar.total.losses_by_code]);
  const ofAll = await read<CompanyDelivery>(company, '/delivery');
  // Half of the losses of both are below all prices of the other campaign.
  expect(ofAll.total.losses_by_code[0]).toMatchObject({
    code: 102,
    losses: 202,
    min_to_win: { losses: 202 },
  });
  expect(ofAll.total.losses_by_code[0]!.min_to_win!.p80_cpm).toBeCloseTo(5.6, 1);
  expect(ofAll.total.losses_by_code.slice(1)).toEqual(unpriced);
  const ofLow = ofAll.campaigns.find(({ uuid }) => uuid === low.campaignUuid)!;
  expect(ofLow.losses_by_code).toEqual([priced(101, 1.5, 1.8)]);
});

test('findings of all campaigns are ranked, and a finding that holds for all of them comes first and once', async () => {
  const { company, low, far } = await twoCampaigns();
  const causes = async () => {
    const { findings, total } = await read<RankedFindings>(company, '/findings/ranked');
    expect(total).toBe(findings.length);
    return findings.map(({ code, campaign }) => [code, campaign?.name ?? null]);
  };
  const losses = [
    ['country', 'Far'],
    ['floor', 'Low'],
  ];
  expect((await causes()).toSorted()).toEqual(losses);
  const debit = { amount: 200, reason: 'Test' };
  await app.operator('POST', `/companies/${company.companyId}/debit`, debit);
  const [first, ...others] = await causes();
  expect(first).toEqual(['balance', null]);
  expect(others.toSorted()).toEqual(losses);
  for (const uuid of [low.campaignUuid, far.campaignUuid])
    await company.call('POST', `/campaign/${uuid}/pause`);
  expect(await causes()).toEqual([]);
});

test('a re-engagement campaign has its returns, a campaign of installs has none', async () => {
  const company = await app.freshCompany();
  const back = await makeCampaign(app.ctx, company, 'Back', 're_engagement');
  const launch = await makeCampaign(app.ctx, company, 'Launch');
  const at = new Date(app.ctx.now().getTime() - 1000).toISOString();
  await storeEvents(app.ctx, company.companyId, [
    ...[1, 2].map(() => ({ at, kind: 'reattribution' as const, campaignId: back, adsetId: uuidv7() })),
    { at, kind: 'install' as const, campaignId: launch, adsetId: uuidv7() },
  ]);
  const { total, campaigns } = await read<CompanyDelivery>(company, '/delivery');
  expect(total).toMatchObject({ installs: 1, reattributions: 2 });
  const ofBack = campaigns.find(({ uuid }) => uuid === back);
  expect(ofBack).toMatchObject({ installs: 0, reattributions: 2 });
  expect(campaigns.find(({ uuid }) => uuid === launch)).not.toHaveProperty('reattributions');
  const report = await read<DeliveryReport>(company, `/campaign/${back}/delivery`);
  expect(report.total.reattributions).toBe(2);
});

test('a delivery report says how many conversions an ad set with a goal has to learn from', async () => {
  const company = await app.freshCompany();
  const { body, appUuid } = await makeAdsetParts(app, company);
  const adset = async (fields: object) => make(company, '/adset', { ...body, ...fields });
  const cpa = await adset({ algo: 'Target CPA', goal_event: 'purchase', cpa: 20 });
  const roas = await adset({ algo: 'Target ROAS', roas: 80 });
  const none = await adset({ algo: 'Target ROAS', roas: 80 });
  const other = await adset({ algo: 'Target CPA', goal_event: 'level_9', cpa: 20 });
  const manual = await adset({});
  const adset_uuids = [cpa, roas, none, other, manual];
  const campaign = await make(company, '/campaign', { name: 'Launch', app_uuid: appUuid, adset_uuids });
  const at = (daysAgo: number) => new Date(app.ctx.now().getTime() - daysAgo * 86_400_000).toISOString();
  const [first, two, three] = [uuidv7(), uuidv7(), uuidv7()];
  const event = (adsetId: string, clickBidId: string, name: string, micros?: number, daysAgo = 1) => ({
    kind: 'app_event' as const,
    appId: appUuid,
    at: at(daysAgo),
    adsetId,
    app: {
      name,
      clickBidId,
      isAdRevenue: name === 'ad',
      ...(micros !== undefined && { revenueMicros: micros }),
    },
  });
  await storeEvents(app.ctx, company.companyId, [
    ...[first, first, two].map((person) => event(cpa, person, 'purchase')),
    event(cpa, three, 'level_10'),
    event(cpa, three, 'purchase', undefined, 8),
    event(roas, first, 'purchase', 3_000_000),
    event(roas, two, 'ad', 3_000_000),
    event(roas, three, 'ad'),
  ]);
  const range = `start_date=${at(1).slice(0, 10)}&end_date=${at(0).slice(0, 10)}`;
  const learningOf = async (uuid: string) => {
    const { data } = await company.call('GET', `/campaign/${campaign}/delivery?${range}`);
    return data.adsets.find((row: { uuid: string }) => row.uuid === uuid).learning;
  };
  const bought = { event: 'purchase', revenue_sources: [], needed: 50 };
  const revenue = { event: null, revenue_sources: ['purchases', 'ad_revenue'], needed: 50 };
  // The person of eight days ago no longer counts for the last seven days, but is still known, with a weight of two
  // thirds.
  expect(await learningOf(cpa)).toEqual({ ...bought, conversions: 2, expected_error_percent: 58.4 });
  expect(await learningOf(roas)).toEqual({ ...revenue, conversions: 2, expected_error_percent: 70.7 });
  // The learned figures of the app apply to each of its ad sets.
  expect(await learningOf(none)).toEqual(await learningOf(roas));
  expect(await learningOf(other)).toEqual({
    ...bought,
    event: 'level_9',
    conversions: 0,
    expected_error_percent: null,
  });
  expect(await learningOf(manual)).toBeNull();
  await company.call('PUT', `/app/${appUuid}/events`, { revenue_sources: ['purchases'] });
  expect(await learningOf(roas)).toMatchObject({ conversions: 1 });
});
