import type { CampaignBundles } from '@bidwell/contract/campaign-reports/bundles';
import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { PageUnavailable } from '../../../platform/outbound/fetch-page.ts';
import { eventually } from '@bidwell/testing/eventually';
import { freshExchange } from '@bidwell/testing/exchange';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const page = (name: string) =>
  `<script type="application/ld+json">{"@type": "SoftwareApplication", "author": {"url": "https://${name.replaceAll('_', '-')}.example"}}</script><meta property="og:title" content="${name} - Apps on Google Play"><meta property="og:image" content="https://icons.example/${name}.png">`;
const appAds = `# sellers
Seller.example, 17, RESELLER, f08c47fec0942fa0 # the exchange of the tests
contact=ads@example.com
broken.example, 18`;
const fetched: string[] = [];
const app = await testApp({ MODERATION: 'auto' }, async (url) => {
  fetched.push(url);
  const { hostname, pathname } = new URL(url);
  if (pathname === '/app-ads.txt') {
    if (hostname.includes('nofile')) throw new PageUnavailable('The answer was 404', { status: 404 });
    if (hostname.includes('silent')) throw new PageUnavailable('No answer');
    return appAds;
  }
  return page(new URL(url).searchParams.get('id') ?? 'none');
});
const DAY = '2026-01-10';
const query = `start_date=${DAY}&end_date=${DAY}`;
const at = `${DAY}T12:00:00Z`;

/** Sends a bid request for a publisher's app to a new exchange; the slug of the exchange. */
async function offer(request: object): Promise<string> {
  const exchange = await freshExchange(app);
  expect((await exchange.send(request)).statusCode).toBe(200);
  await app.settled();
  return exchange.slug;
}

const read = async (company: TestCompany, campaign: string): Promise<CampaignBundles> => {
  const { status, data } = await company.call('GET', `/campaign/${campaign}/bundles?${query}`);
  expect(status).toBe(200);
  return data as CampaignBundles;
};

test('bundles have their share of the spend, the install rate with its interval, and the spend by ad set', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, company);
  const event = (kind: SampleEvent['kind'], more: Partial<SampleEvent>): SampleEvent => ({
    at,
    kind,
    campaignId: campaignUuid,
    adsetId: adsetUuid,
    ...more,
  });
  await storeEvents(app.ctx, company.companyId, [
    event('billing', { bundle: 'com.a', spendMicros: 3_000_000 }),
    event('billing', { bundle: 'com.b', spendMicros: 1_000_000 }),
    ...Array.from({ length: 100 }, () => event('impression', { bundle: 'com.a' })),
    ...Array.from({ length: 10 }, () => event('install', { bundle: 'com.a' })),
    event('install', { bundle: 'com.b' }),
    // Another campaign, and another day.
    event('billing', { bundle: 'com.a', spendMicros: 7_000_000, campaignId: uuidv4() }),
    event('billing', { bundle: 'com.a', spendMicros: 7_000_000, at: '2026-01-09T12:00:00Z' }),
  ]);
  const { rows, total, other } = await read(company, campaignUuid);
  expect(rows.map(({ bundle, spends, share }) => [bundle, spends, share])).toEqual([
    ['com.a', 3, 75],
    ['com.b', 1, 25],
  ]);
  expect(rows[0]!.ipm_rate).toEqual({
    value: 100,
    low: expect.closeTo(55.23, 2),
    high: expect.closeTo(174.37, 2),
  });
  // The impression of its install was before the range.
  expect(rows[1]!.ipm_rate).toBeNull();
  expect(rows[0]!.adsets).toEqual([{ uuid: adsetUuid, spends: 3 }]);
  expect(rows[0]).toMatchObject({ name: null, publisher: null, store_link: null, icon_link: null });
  expect(total).toMatchObject({ spends: 4, installs: 11, impressions: 100 });
  expect(other).toBeNull();
});

test('publishers have the name and store link of their bid requests, and the icon of their page', async () => {
  const company = await app.freshCompany();
  const { campaignUuid } = await makeRunningCampaign(app, company);
  const bundle = `com.runner${uuidv4().slice(0, 8)}`;
  const seller = { asi: 'seller.example', sid: '17', hp: 1 };
  const slug = await offer({
    app: {
      bundle,
      name: 'Runner\u0000 \n3',
      storeurl: 'https://evil.example',
      publisher: { name: 'Studio' },
    },
    source: { schain: { complete: 1, nodes: [seller], ver: '1.0' } },
  });
  await storeEvents(app.ctx, company.companyId, [
    { at, kind: 'billing', campaignId: campaignUuid, bundle, spendMicros: 1000 },
  ]);
  const [row] = (await read(company, campaignUuid)).rows;
  expect(row).toMatchObject({
    name: 'Runner 3',
    publisher: 'Studio',
    store_link: `https://play.google.com/store/apps/details?id=${bundle}`,
    supply_chains: [
      { exchange: slug, chain: 'complete', seller: { domain: 'seller.example', id: '17' }, app_ads: null },
    ],
  });
  await eventually(async () => {
    const [later] = (await read(company, campaignUuid)).rows;
    expect(later).toMatchObject({ name: bundle, icon_link: `https://icons.example/${bundle}.png` });
  });
  await read(company, campaignUuid);
  expect(fetched.filter((url) => url.includes(`id=${bundle}`))).toHaveLength(1);
});

test('reports name the publishers’ apps at the first call', async () => {
  const company = await app.freshCompany();
  const [named, unnamed] = [`com.named${uuidv4().slice(0, 8)}`, `com.other${uuidv4().slice(0, 8)}`];
  await makeRunningCampaign(app, company);
  await offer({ app: { bundle: named, name: 'Harbor Merge', publisher: {} } });
  await storeEvents(app.ctx, company.companyId, [
    { at, kind: 'billing', bundle: named, spendMicros: 3000 },
    { at, kind: 'billing', bundle: unnamed, spendMicros: 2000 },
    { at, kind: 'billing', bundle: '', spendMicros: 1000 },
  ]);
  const body = { start_date: DAY, end_date: DAY };
  const bundles = await company.call('POST', '/analytics/bundle', body);
  const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  expect(namesOf(bundles.data.rows)).toEqual(['Harbor Merge', unnamed, 'Unknown']);
  const levels = await company.call('POST', '/analytics/level', { ...body, levels: { bundle: '' } });
  expect(namesOf(levels.data.rows)).toEqual(['Harbor Merge', unnamed, 'Unknown']);
  expect(levels.data.rows[0].value).toBe(named);
});

test('the app-ads.txt of a developer lists the seller of an app or not, and may be missing or unknown', async () => {
  const company = await app.freshCompany();
  const { campaignUuid } = await makeRunningCampaign(app, company);
  const sold = [
    ['runner', { asi: 'seller.example', sid: '17' }, 'listed'],
    ['runner', { asi: 'seller.example', sid: '18' }, 'not_listed'],
    ['runner', { asi: 'broken.example', sid: '18' }, 'not_listed'],
    ['nofile', { asi: 'seller.example', sid: '17' }, 'no_file'],
    ['silent', { asi: 'seller.example', sid: '17' }, null],
  ] as const;
  const expected = new Map<string, unknown>();
  for (const [developer, seller, state] of sold) {
    const bundle = `com.${developer}${uuidv4().slice(0, 8)}`;
    const schain = { complete: 1, nodes: [{ ...seller, hp: 1 }], ver: '1.0' };
    await offer({ app: { bundle, publisher: {} }, source: { schain } });
    expected.set(bundle, [`https://icons.example/${bundle}.png`, [state]]);
  }
  await storeEvents(
    app.ctx,
    company.companyId,
    [...expected.keys()].map((bundle) => ({
      at,
      kind: 'billing',
      campaignId: campaignUuid,
      bundle,
      spendMicros: 1000,
    })),
  );
  const found = async () => {
    const { rows } = await read(company, campaignUuid);
    return new Map(
      rows.map((row) => [row.bundle, [row.icon_link, row.supply_chains.map(({ app_ads: state }) => state)]]),
    );
  };
  await expect.poll(found, { interval: 100, timeout: 60_000 }).toEqual(expected);
});

test('a bundle is blocked and priced in ad sets of the campaign, as changes in the change log, and back', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, company);
  const path = `/campaign/${campaignUuid}/bundle`;
  const blocked = await company.call('PUT', path, {
    bundle: 'COM.Bad_App.',
    adsets: [{ uuid: adsetUuid, blocked: true, bid_cpm: 1.25 }],
  });
  expect(blocked.status).toBe(200);
  expect(blocked.data.adsets[0]).toMatchObject({
    black_list_bundles: ['com.bad_app'],
    bundle_bids: { 'com.bad_app': 1.25 },
  });
  const log = await company.call('GET', `/company/${company.companyId}/changes?page=1&limit=1`);
  expect(JSON.stringify(log.data)).toContain('black_list_bundles');
  const same = await company.call('PUT', path, {
    bundle: 'com.bad_app',
    adsets: [{ uuid: adsetUuid, blocked: true }],
  });
  expect(same.data.adsets[0].black_list_bundles).toEqual(['com.bad_app']);
  const back = await company.call('PUT', path, {
    bundle: 'com.bad_app',
    adsets: [{ uuid: adsetUuid, blocked: false, bid_cpm: null }],
  });
  expect(back.data.adsets[0]).toMatchObject({ black_list_bundles: [], bundle_bids: {} });
});

test('a bundle is changed in all of the ad sets or in none, and only in ad sets of the campaign', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, company);
  const other = await app.freshCompany();
  const foreign = await makeRunningCampaign(app, other);
  const change = (adsets: string[]) => ({
    bundle: 'com.bad',
    adsets: adsets.map((uuid) => ({ uuid, blocked: true })),
  });
  const path = `/campaign/${campaignUuid}/bundle`;
  for (const uuid of [foreign.adsetUuid, uuidv4()])
    expect((await company.call('PUT', path, change([adsetUuid, uuid]))).status).toBe(404);
  expect((await company.call('GET', `/adset/${adsetUuid}`)).data.black_list_bundles).toEqual([]);
  expect((await other.call('PUT', path, change([foreign.adsetUuid]))).status).toBe(404);
  expect((await other.call('GET', `/campaign/${campaignUuid}/bundles?${query}`)).status).toBe(404);
  const invalid = await company.call('PUT', path, {
    bundle: 'a b',
    adsets: [{ uuid: adsetUuid, bid_cpm: 0 }],
  });
  expect(invalid.status).toBe(422);
  expect(invalid.errors.map(({ field }) => field)).toEqual(['bundle', 'adsets.0.bid_cpm']);
});
