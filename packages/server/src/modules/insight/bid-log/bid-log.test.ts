import type { BidPage } from '@bidwell/contract/bid-log/schema';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import {
  type SampleAppEvent,
  makeCampaign,
  storeBidsOfHours,
  storeEvents,
} from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { NOON, NOON_MS, RANGE, YESTERDAY, bidIdAt, dayBefore } from '@bidwell/testing/yesterday';

const app = await testApp();
const { ctx } = app;

const read = async (company: TestCompany, query = ''): Promise<BidPage> => {
  const { status, data } = await company.call('GET', `/analytics/bids?${RANGE}${query}`);
  expect(status).toBe(200);
  return data as BidPage;
};

/** Stores a bid in the sample of bids. */
const storeSample = async (
  company: TestCompany,
  bid: { bidId: string; campaignId: string; weight: number; exchange: string },
) =>
  ctx.clickhouse.insert('bid_sample', [
    {
      time: clickhouseTime(NOON_MS),
      bid_id: bid.bidId,
      company_id: company.companyId,
      campaign_id: bid.campaignId,
      adset_id: randomUUID(),
      creative_id: randomUUID(),
      creative_type: 'Video',
      creative_width: 0,
      creative_height: 0,
      exchange: bid.exchange,
      bundle: 'com.sample',
      os: 'ios',
      country: 'FR',
      charged_cpm_micros: 2_500_000,
      weight: bid.weight,
    },
  ]);

test('a bid has its in-app events by name, with the revenue that is known', async () => {
  const company = await app.freshCompany();
  const [paid, other] = [bidIdAt(NOON_MS - 2000), bidIdAt(NOON_MS - 3000)];
  const event = (clickBidId: string, minute: number, more: SampleAppEvent, kind = 'app_event' as const) => ({
    at: `${YESTERDAY}T12:0${minute}:00Z`,
    kind,
    app: { clickBidId, amount: '1', ...more },
  });
  const rejected = event(paid, 3, { revenueMicros: 5_000_000 });
  await storeEvents(ctx, company.companyId, [
    { at: NOON, kind: 'win', bidId: paid },
    { at: NOON, kind: 'win', bidId: other },
    event(paid, 1, { name: 'level', amount: '' }),
    event(paid, 2, { revenueMicros: 4_990_000 }),
    event(paid, 2, { revenueMicros: 10_000_000 }),
    rejected,
    { ...rejected, kind: 'app_event_rejected' },
    { ...event(paid, 4, { name: 'bot' }), mark: 'bot' },
  ]);
  const { bids } = await read(company);
  expect(bids.map(({ bid_id: id, app_events: events }) => [id, events])).toEqual([
    [
      paid,
      [
        { name: 'purchase', count: 2, revenue: 14.99 },
        { name: 'level', count: 1, revenue: null },
      ],
    ],
    [other, []],
  ]);
});

test('each bid is one row with its outcome, price, charge and events, the newest first', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const campaignId = await makeCampaign(ctx, company, 'Spring');
  const [won, lost, silent, old, tested] = [5, 4, 3, 2, 1].map((s) => bidIdAt(NOON_MS - 10_000 + s * 1000));
  const bid = { at: NOON, campaignId, bidCpmMicros: 2_000_000, chargedCpmMicros: 2_500_000 };
  await storeEvents(ctx, company.companyId, [
    { ...bid, bidId: won!, kind: 'win' },
    {
      ...bid,
      bidId: won!,
      kind: 'billing',
      at: `${YESTERDAY}T12:00:01Z`,
      spendMicros: 1875,
      marginMicros: 375,
    },
    { ...bid, bidId: won!, kind: 'impression', at: `${YESTERDAY}T12:00:02Z` },
    { ...bid, bidId: won!, kind: 'click', at: `${YESTERDAY}T12:00:09Z` },
    { ...bid, bidId: won!, kind: 'install', at: `${YESTERDAY}T13:00:09Z` },
    { ...bid, bidId: lost!, kind: 'loss', lossReason: 102, minToWinCpmMicros: 3_120_000 },
    // An earlier release stored no charged bid, and a bot clicked.
    {
      at: NOON,
      campaignId,
      bidId: old!,
      kind: 'billing',
      bidCpmMicros: 1_000_000,
      spendMicros: 500,
      marginMicros: 100,
    },
    { at: NOON, campaignId, bidId: old!, kind: 'click', mark: 'bot' },
    { ...bid, bidId: tested!, kind: 'billing', spendMicros: 9999, test: true },
  ]);
  // A sampled bid with a notice stands for itself: all of these are listed.
  await storeSample(company, { bidId: silent!, campaignId, weight: 40, exchange: 'adx' });
  await storeSample(company, { bidId: lost!, campaignId, weight: 40, exchange: 'sample' });

  const { bids, next } = await read(company);
  expect(next).toBeNull();
  expect(bids.map(({ bid_id }) => bid_id)).toEqual([won, lost, silent, old, tested]);
  expect(bids[0]).toEqual({
    bid_id: won,
    bid_at: `${YESTERDAY}T11:59:55.000Z`,
    event_at: NOON,
    campaign_uuid: campaignId,
    campaign: 'Spring',
    adset_uuid: expect.any(String),
    adset: '',
    creative_uuid: expect.any(String),
    creative: '',
    creative_type: 'Banner',
    width: 320,
    height: 50,
    exchange: 'sample',
    exchange_name: '',
    bundle: 'com.example',
    country: 'US',
    os: 'android',
    outcome: 'won',
    bid_cpm: 2.5,
    charge: 0.001875,
    loss_code: null,
    loss_reason: null,
    min_to_win_cpm: null,
    impression_at: `${YESTERDAY}T12:00:02.000Z`,
    clicks: 1,
    installs: 1,
    app_events: [],
    invalid: '',
    test: false,
    weight: 1,
  });
  expect(bids[1]).toMatchObject({
    outcome: 'lost',
    bid_cpm: 2.5,
    charge: 0,
    loss_code: 102,
    loss_reason: 'Lost to a higher bid',
    min_to_win_cpm: 3.12,
    impression_at: null,
    weight: 1,
  });
  expect(bids[2]).toMatchObject({
    outcome: 'no_notice',
    exchange: 'adx',
    bid_cpm: 2.5,
    charge: 0,
    weight: 40,
  });
  expect(bids[3]).toMatchObject({ outcome: 'won', bid_cpm: 1.25, charge: 0.0005, clicks: 0, invalid: 'bot' });
  expect(bids[4]).toMatchObject({ test: true, charge: 0 });

  for (const [outcome, expected] of [
    ['won', [won, old, tested]],
    ['lost', [lost]],
    ['no_notice', [silent]],
  ] as const)
    expect((await read(company, `&outcome=${outcome}`)).bids.map(({ bid_id }) => bid_id)).toEqual(expected);
  expect((await read(company, '&exchange=adx&country=fr&bundle=COM.sample')).bids).toHaveLength(1);
  expect((await read(company, '&country=DE')).bids).toEqual([]);

  expect((await read(stranger)).bids).toEqual([]);
  const path = `/analytics/bids?${RANGE}&campaign_uuid=${campaignId}`;
  expect((await stranger.call('GET', path)).status).toBe(404);
});

test('a row has the events of the range alone, so that every day adds up to its report', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(ctx, company, 'Late');
  const bidId = bidIdAt(Date.parse(`${dayBefore(2)}T23:59:59Z`));
  await storeEvents(ctx, company.companyId, [
    { at: `${dayBefore(2)}T23:59:59.900Z`, kind: 'win', campaignId, bidId },
    { at: `${YESTERDAY}T00:00:00.100Z`, kind: 'billing', campaignId, bidId, spendMicros: 700 },
    { at: `${dayBefore(0)}T00:00:00.000Z`, kind: 'install', campaignId, bidId },
  ]);
  const { bids } = await read(company);
  expect(bids).toMatchObject([
    { bid_id: bidId, bid_at: `${dayBefore(2)}T23:59:59.000Z`, charge: 0.0007, installs: 0 },
  ]);
  const { data } = await company.call(
    'GET',
    `/analytics/bids?start_date=${dayBefore(0)}&end_date=${dayBefore(0)}`,
  );
  expect(data.bids).toMatchObject([{ bid_id: bidId, outcome: 'won', charge: 0, installs: 1 }]);
});

test('pages go on where the one before ended, and have each bid once', async () => {
  const company = await app.freshCompany();
  const ids = await storeBidsOfHours(ctx, company);
  const listed: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: BidPage = await read(company, `&limit=33${cursor && `&cursor=${cursor}`}`);
    listed.push(...page.bids.map(({ bid_id }) => bid_id));
    cursor = page.next;
  }
  expect(listed).toEqual(ids);
  expect((await company.call('GET', `/analytics/bids?${RANGE}&limit=201`)).status).toBe(422);
});
