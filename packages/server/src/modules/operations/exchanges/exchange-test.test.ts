import { expect, test } from 'vitest';
import { iosAppBody, newStoreItem } from '@bidwell/testing/advertising';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });

/** An exchange with a running campaign that bids there only. */
async function biddingExchange(over: Parameters<typeof campaignOn>[2] = {}) {
  const { slug } = await freshExchange(app);
  const { company, ...campaign } = await campaignOn(app, { slug }, over);
  const run = async (request: unknown) => {
    const text = typeof request === 'string' ? request : JSON.stringify(request);
    const { status, data } = await app.operator('POST', `/ssps/${slug}/test`, { request: text });
    expect(status).toBe(200);
    return data;
  };
  return { slug, company, campaign, run };
}

const requestOf = ({ country = 'USA', floor = 0.5, over = {} } = {}) => ({
  id: 'request-1',
  imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: floor }],
  app: { bundle: 'com.publisher', name: 'Publisher' },
  device: { os: 'Android', osv: '14', geo: { country }, ip: '203.0.113.9', ua: 'Agent/1.0' },
  ...over,
});

test('a bid is shown with its markup, and nothing is counted or charged', async () => {
  const { slug, campaign, company, run } = await biddingExchange();
  const tested = await run(requestOf());
  expect(tested).toMatchObject({
    problems: [],
    no_bid_reason: null,
    read: {
      id: 'request-1',
      os: 'android',
      os_version: '14',
      country: 'US',
      bundle: 'com.publisher',
      imps: [{ id: '1', formats: ['banner 320x50'], floor: 0.5 }],
    },
    adsets: { bidding: 1 },
    bids: [
      { imp_id: '1', price: 2.5, campaign_uuid: campaign.campaignUuid, company_uuid: company.companyId },
    ],
  });
  const [bid] = tested.bids;
  expect(bid.markup).toContain('<img');
  expect(JSON.parse(tested.response).seatbid[0].bid[0].burl).toMatch(/^https:\/\/tracker\.invalid\//);
  // The tokens of a tested bid are not valid anywhere.
  const token = /tracker\.invalid(\/t\/impression\/[\w-]+)/.exec(bid.markup)![1]!;
  expect((await app.http.inject(token)).statusCode).toBeGreaterThanOrEqual(400);
  const { body: metrics } = await app.http.inject('/metrics');
  expect(metrics).not.toContain(`ssp="${slug}"`);
});

test('a country that no ad set targets is given as the reason', async () => {
  const { run } = await biddingExchange({ target: { location_include: ['DE'] } });
  const tested = await run(requestOf());
  expect(tested).toMatchObject({ bids: [], response: null, adsets: { bidding: 0 } });
  expect(tested.adsets.reasons).toContainEqual({ reason: 'country', adsets: 1 });
  expect(await run(requestOf({ country: 'DEU' }))).toMatchObject({ no_bid_reason: null });
});

test('a floor above the bid is given as the reason', async () => {
  const { run } = await biddingExchange();
  const tested = await run(requestOf({ floor: 9 }));
  expect(tested).toMatchObject({ no_bid_reason: 'floor', read: { imps: [{ floor: 9 }] } });
  expect(tested.adsets.reasons).toContainEqual({ reason: 'floor', adsets: 1 });
});

test('deviations from OpenRTB are listed with their place', async () => {
  const { run } = await biddingExchange();
  expect(await run('{')).toMatchObject({
    read: null,
    no_bid_reason: 'unreadable',
    problems: [{ severity: 'error', path: '', message: expect.stringContaining('not JSON') }],
  });
  const pathsOf = ({ problems }: { problems: { path: string }[] }) => problems.map(({ path }) => path);
  expect(pathsOf(await run({ imp: [] }))).toEqual(['id', 'imp', 'app', 'device']);
  const imp = [{ id: '1', video: {} }, { id: '1' }];
  expect(pathsOf(await run(requestOf({ over: { imp } })))).toEqual([
    'imp[0].video.mimes',
    'imp[0].video.protocols',
    'imp[1].id',
    'imp[1]',
  ]);
});

test('viewers test too, and an exchange that is off says so', async () => {
  const { slug } = await biddingExchange();
  await app.operator('PUT', `/ssps/${slug}`, { name: 'Exchange', active: false });
  const { headers } = await app.freshOperator('viewer');
  const response = await app.http.inject({
    method: 'POST',
    url: `/api/operator/ssps/${slug}/test`,
    headers,
    payload: { request: JSON.stringify(requestOf()) },
  });
  expect(response.statusCode).toBe(200);
  expect(response.json().data.notes).toEqual([expect.stringContaining('exchange is off')]);
});

test('a bid of an iOS app says how it is signed, or why not, and the response has the signatures', async () => {
  const itemId = newStoreItem();
  const { slug, campaign, run } = await biddingExchange({ app: iosAppBody(itemId) });
  const listed = { versions: ['2.2', '4.0'], sourceapp: '880047117', skadnetids: ['tested01.skadnetwork'] };
  const signingOf = async (skadn: unknown, osv = '17.5') => {
    await app.settled();
    const device = { os: 'iOS', osv, geo: { country: 'USA' }, ip: '203.0.113.9', ua: 'Agent/1.0' };
    const imp = [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 0.5, ext: { skadn } }];
    const { bids, response } = await run(requestOf({ over: { device, imp } }));
    const [{ ext }] = JSON.parse(response).seatbid[0].bid;
    return { ...bids[0].signing, ext };
  };
  const unsigned = { skadnetwork: null, adattributionkit: false, ext: undefined };
  expect(await signingOf(listed)).toEqual({ ...unsigned, unsigned: 'no_network' });
  await app.operator('PUT', '/skadnetwork/networks/tested01.skadnetwork', {});
  expect(await signingOf(listed)).toEqual({ ...unsigned, unsigned: 'exchange_off' });
  await app.operator('PUT', `/skadnetwork/exchanges/${slug}`, { enabled: true });
  expect(await signingOf(listed)).toEqual({ ...unsigned, unsigned: 'no_source_identifier' });
  await app.operator('PUT', `/skadnetwork/apps/${campaign.appUuid}`, { enabled: true });
  expect(await signingOf(listed)).toMatchObject({
    skadnetwork: '4.0',
    adattributionkit: false,
    unsigned: null,
    ext: { skadn: { version: '4.0', network: 'tested01.skadnetwork', itunesitem: String(itemId) } },
  });
  expect(await signingOf(listed, '15.0')).toMatchObject({ skadnetwork: '2.2', unsigned: null });
  expect(await signingOf({ ...listed, skadnetids: [] })).toEqual({ ...unsigned, unsigned: 'not_listed' });
  expect(await signingOf({ ...listed, versions: ['4.0'] }, '15.0')).toEqual({
    ...unsigned,
    unsigned: 'too_old',
  });
  const { exchanges } = (await app.operator('GET', '/skadnetwork')).data;
  expect(exchanges.find((one: { slug: string }) => one.slug === slug)).toMatchObject({ requests: 0 });

  const { run: android } = await biddingExchange();
  expect((await android(requestOf())).bids).toMatchObject([{ signing: null }]);
});
