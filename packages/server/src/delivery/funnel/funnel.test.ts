import type { DeliveryFunnel, DeliveryReport } from '@bidwell/contract/insight/delivery-report';
import { FUNNEL_EXITS, stepOf } from '@bidwell/contract/insight/funnel';
import { expect, test } from 'vitest';
import { make } from '@bidwell/testing/advertising';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { bannerImp, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { NO_BID_REASONS } from '@bidwell/contract/text/no-bid-reasons';

const app = await testApp({ MODERATION: 'auto' });

/** Reasons that apply before the ad sets are looked at. */
const BEFORE = [
  'unreadable',
  'unknown_exchange',
  'bidding_stopped',
  'no_tracker',
  'event_log',
  'too_many_requests',
  'shed',
  'bot',
  'datacenter',
  'no_active_adset',
];

/** A new exchange; `send` waits until its request is explained, and returns the status. */
async function explainedExchange(settings: object = {}) {
  const { slug, send } = await freshExchange(app, settings);
  return {
    slug,
    send: async (over: object = {}) => {
      // The time for explaining requests is limited by the second, and a busy machine uses it up.
      app.clock.now = new Date(app.clock.now.getTime() + 5000);
      const { statusCode } = await send(over);
      await app.settled();
      return statusCode;
    },
  };
}

async function deliveryOf(company: TestCompany, campaign: string): Promise<DeliveryReport> {
  await app.settled();
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const nowMs = app.ctx.now().getTime();
  const range = `start_date=${day(nowMs - 86_400_000)}&end_date=${day(nowMs + 86_400_000)}`;
  const { status, data } = await company.call('GET', `/campaign/${campaign}/delivery?${range}`);
  expect(status).toBe(200);
  return data as DeliveryReport;
}

/** Requests by exit. */
const exitsOf = ({ steps }: DeliveryFunnel): Record<string, number> =>
  Object.fromEntries(
    steps.flatMap(({ exits }) => exits.map(({ exit, requests }) => [exit, requests.value] as const)),
  );

test('every reason not to bid belongs to one step of the funnel', () => {
  const later = NO_BID_REASONS.filter((reason) => !BEFORE.includes(reason) && reason !== 'already_bid');
  expect([...FUNNEL_EXITS].toSorted()).toEqual([...later, 'outbid'].toSorted());
  expect(stepOf('floor')).toBe('above_floor');
});

test('requests leave the funnel at the reason that took them away, and the steps add up to the bids', async () => {
  const exchange = await explainedExchange();
  const { company, campaignUuid } = await campaignOn(app, exchange, { target: { location_include: ['us'] } });
  const other = { os: 'Android', geo: { country: 'BRA' } };
  expect(await exchange.send()).toBe(200);
  for (const over of [
    { device: other },
    { device: other },
    { device: { ...other, os: 'iOS' } },
    { imp: [{ id: '1', banner: { w: 300, h: 250 } }] },
    { imp: [bannerImp(9)] },
  ])
    expect(await exchange.send(over)).toBe(204);

  const { total, adsets } = await deliveryOf(company, campaignUuid);
  expect(exitsOf(total)).toEqual({ os: 1, country: 2, no_matching_size: 1, floor: 1 });
  expect(total.seen).toEqual({ value: 6, error: 0 });
  expect(total.samples).toBe(6);
  expect(total.bids).toBe(1);
  expect(total.steps.map(({ requests }) => requests.value)).toEqual([6, 3, 2, 2, 2, 1, 1, 1]);
  expect(adsets).toEqual([
    { ...total, uuid: expect.any(String), name: 'Ad set', outbid_by: [], too_large: [], learning: null },
  ]);
});

test('a request counts for as many as the exchange says that it stands for, where its profile knows such weights', async () => {
  for (const [profile, seen] of [['bidswitch', 111] as const, ['openrtb', 7] as const]) {
    const exchange = await explainedExchange({ profile });
    const { company, campaignUuid } = await campaignOn(app, exchange);
    for (const wt of [4, '3', 1e300, 0.2, -2, 'many', null]) await exchange.send({ ext: { wt } });
    const { total } = await deliveryOf(company, campaignUuid);
    expect(total.seen.value).toBe(seen);
  }
});

test('the device ids of matched requests are counted by the signal that forbids their use', async () => {
  const exchange = await explainedExchange();
  const { company, campaignUuid } = await campaignOn(app, exchange, { target: { location_include: ['us'] } });
  const device = { os: 'Android', geo: { country: 'USA' }, ifa: '6d92078a-8246-4ba4-ae5b-76104861e7dc' };
  for (const over of [
    { device },
    { device: { ...device, ifa: undefined } },
    { device: { ...device, lmt: 1 }, regs: { gdpr: 1 } },
    { device, regs: { gdpr: 1 } },
    { device, regs: { gdpr: 1 }, imp: [bannerImp(9)] },
    // Not matched by the target.
    { device: { ...device, geo: { country: 'BRA' } }, regs: { coppa: 1 } },
  ])
    await exchange.send(over);

  const { total, adsets } = await deliveryOf(company, campaignUuid);
  const one = (value: number) => ({ value, error: 0 });
  expect(total.device_ids).toEqual({
    usable: one(1),
    absent: one(1),
    withheld: [
      { reason: 'gdpr', requests: one(2) },
      { reason: 'limited', requests: one(1) },
    ],
  });
  expect(total.samples).toBe(6);
  expect(adsets[0]!.device_ids).toEqual(total.device_ids);
});

test('an ad set learns which other one of the company bids in its place, and not which of another company', async () => {
  const exchange = await explainedExchange();
  const { company, ...made } = await campaignOn(app, exchange);
  const { data: adset } = await company.call('GET', `/adset/${made.adsetUuid}`);
  const stronger = await make(company, '/adset', {
    name: 'Stronger',
    target_id: adset.target.uuid,
    tracking_link_id: adset.tracking_link.uuid,
    creative_group_ids: [made.groupUuid],
    algo: 'Manual CPM',
    bet_cpm: 4,
  });
  await company.call('PUT', `/campaign/${made.campaignUuid}`, {
    name: 'Campaign',
    app_uuid: made.appUuid,
    adset_uuids: [made.adsetUuid, stronger],
  });
  await app.settled();
  await exchange.send();
  await campaignOn(app, exchange, { adset: { bet_cpm: 5 } });
  await exchange.send();

  const { adsets } = await deliveryOf(company, made.campaignUuid);
  const byName = new Map(adsets.map((one) => [one.name, one]));
  expect(exitsOf(byName.get('Ad set')!)).toEqual({ outbid: 2 });
  expect(byName.get('Ad set')!.outbid_by).toEqual([
    { uuid: stronger, name: 'Stronger', requests: { value: 1, error: 0 } },
  ]);
  expect(exitsOf(byName.get('Stronger')!)).toEqual({ outbid: 1 });
  expect(byName.get('Stronger')!.outbid_by).toEqual([]);
});

test('sampled requests are stored without personal data', async () => {
  const exchange = await explainedExchange();
  await exchange.send({
    user: { id: 'a-user', buyeruid: 'b', geo: { lat: 1 } },
    app: { bundle: 'com.publisher', ext: { genre: 'Puzzle', device_token: 'a-token' } },
    device: {
      os: 'Android',
      ip: '203.0.113.9',
      ipv6: '2001:db8:1:2:3:4:5:6',
      ifa: 'an-advertising-id',
      dpidsha1: 'a-hash',
      geo: { country: 'USA', lat: 52.5, lon: 13.4, zip: '10115' },
      ext: { idfv: 'a-vendor-id' },
    },
  });
  const [row] = await app.ctx.clickhouse.query<{ request: string; weight: number }>(
    'select request, weight from request_sample where exchange = {exchange:String}',
    { exchange: exchange.slug },
  );
  expect(row!.weight).toBeGreaterThan(0);
  expect(JSON.parse(row!.request)).toEqual({
    id: expect.any(String),
    imp: [bannerImp()],
    app: { bundle: 'com.publisher', ext: { genre: 'Puzzle' } },
    device: { os: 'Android', geo: { country: 'USA', zip: '101' }, ext: {} },
  });
});

test('a campaign of another company has no report', async () => {
  const [owner, other] = [await app.freshCompany(), await app.freshCompany()];
  const { campaignUuid } = await makeRunningCampaign(app, owner);
  const path = `/campaign/${campaignUuid}/delivery?start_date=2026-01-01&end_date=2026-01-02`;
  expect((await other.call('GET', path)).status).toBe(404);
});
