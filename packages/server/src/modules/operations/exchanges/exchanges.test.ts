import { Registry } from 'prom-client';
import { v4 as uuidv4 } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startJobs } from '../../../start/composition/jobs.ts';
import { ExchangeMinutes, saveExchangeMinutes } from '../../../delivery/exchanges/exchange-minutes.ts';
import { BidCounters } from '../../../delivery/exchanges/bid-counts.ts';
import { pathOf } from '../../../delivery/trackers/sample-ref.ts';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';
import { iosAppBody, newStoreItem } from '@bidwell/testing/advertising';

const app = await testApp({ MODERATION: 'auto' });

const SECOND_MS = 1000;

const MINUTE_MS = 60_000;

const requestOf = ({ country = 'USA', floor = 0.5, over = {} } = {}) => ({
  id: 'request-1',
  imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: floor }],
  app: { bundle: 'com.publisher', name: 'Publisher' },
  device: { os: 'Android', osv: '14', geo: { country }, ip: '203.0.113.9', ua: 'Agent/1.0' },
  ...over,
});

// In the middle of a minute, so that no test spans two without its doing.
app.clock.now = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 30 * SECOND_MS);

/** An exchange with a campaign that bids there only, and how to send it requests and its notices. */
async function biddingExchange(settings: object = {}) {
  const exchange = await freshExchange(app, settings);
  await campaignOn(app, exchange);
  return {
    ...exchange,
    notify: async (url: string, price = '1.6') => app.http.inject(pathOf(url, price)),
    health: async (query = '') => {
      await app.settled();
      return (await app.operator('GET', `/ssps/${exchange.slug}/health${query}`)).data;
    },
  };
}

test('requests, bids, no-bid reasons, notices and spend are counted by exchange', async () => {
  const exchange = await biddingExchange();
  const [won, lost] = [await exchange.bid(), await exchange.bid()];
  await exchange.notify(won.nurl);
  await exchange.notify(won.burl);
  // A repeated notice counts once.
  await exchange.notify(won.burl);
  await exchange.notify(lost.lurl.replace('${AUCTION_LOSS}', '102'));
  await exchange.send({ device: { os: 'iOS' } });
  await exchange.send({ app: null });
  await exchange.send({ app: null });
  await app.http.inject({ method: 'POST', url: exchange.path, payload: 'no request' });
  const health = await exchange.health();
  expect(health.total).toMatchObject({
    requests: 6,
    answered: 2,
    bids: 2,
    bid_rate_percent: expect.closeTo(33.3, 1),
    wins: 1,
    win_rate_percent: 50,
    billing_notices: 1,
    charged: 1,
    discrepancy_percent: 0,
    loss_notices: 1,
    unreadable: 1,
    failed: 0,
    late: 0,
    above_limit: 0,
    shed: 0,
    spend: 0.0016,
  });
  expect(health.total.latency_p50_ms).toBeGreaterThan(0);
  expect(health.total.latency_p99_ms).toBeGreaterThanOrEqual(health.total.latency_p50_ms);
  expect(health.no_bids).toEqual([
    { reason: 'not_in_app', requests: 2 },
    { reason: 'os', requests: 1 },
  ]);
  expect(health.losses).toEqual([{ code: 102, notices: 1 }]);
  expect(health.charged_without_win).toBe(0);
  expect(health.series).toHaveLength(60);
  expect(health.series.at(-1)).toMatchObject({ requests: 6, wins: 1, complete: false });
  const { data } = await app.operator('GET', '/ssps/health');
  const summary = data.exchanges.find(({ slug }: { slug: string }) => slug === exchange.slug);
  expect(summary.total).toEqual(health.total);
});

test('charges without a win notice show, and make the discrepancy negative', async () => {
  const exchange = await biddingExchange();
  const [whole, silent] = [await exchange.bid(), await exchange.bid()];
  await exchange.notify(whole.nurl);
  await exchange.notify(whole.burl);
  await exchange.notify(silent.burl);
  const health = await exchange.health();
  expect(health).toMatchObject({ charged_without_win: 1, total: { wins: 1, charged: 2 } });
  expect(health.total.discrepancy_percent).toBe(-100);
});

test('a billing notice with a price of 0 is a charge and no unreadable price', async () => {
  const exchange = await biddingExchange();
  const bid = await exchange.bid();
  await exchange.notify(bid.nurl);
  await exchange.notify(bid.burl, '0');
  expect((await exchange.health()).total).toMatchObject({ wins: 1, charged: 1, discrepancy_percent: 0 });
  const { data } = await app.operator('GET', '/unreadable-prices?days=1');
  expect(data.unreadable_prices.map(({ ssp }: { ssp: string }) => ssp)).not.toContain(exchange.slug);
});

test('the win rate of an exchange that sends no win notices is not known, nor what it charged without one', async () => {
  const exchange = await biddingExchange();
  await exchange.notify((await exchange.bid()).burl);
  expect(await exchange.health()).toMatchObject({
    total: { bids: 1, charged: 1, win_rate_percent: null },
    charged_without_win: null,
  });
});

test('an exchange that charges on the win notice has no discrepancy', async () => {
  const exchange = await biddingExchange({ charge_on: 'win' });
  await exchange.notify((await exchange.bid()).nurl);
  const { total, charged_without_win } = await exchange.health();
  expect(total).toMatchObject({ wins: 1, charged: 1, discrepancy_percent: null });
  expect(charged_without_win).toBe(0);
});

test('late responses and requests above the limit are counted', async () => {
  const exchange = await biddingExchange({ requests_per_second: 2 });
  const { now } = app.clock;
  onTestFinished(() => void Object.defineProperty(app.clock, 'now', { value: now, writable: true }));
  let ms = now.getTime();
  Object.defineProperty(app.clock, 'now', { configurable: true, get: () => new Date((ms += 5)) });
  await exchange.send({ tmax: 1 });
  await exchange.send();
  await exchange.send();
  Object.defineProperty(app.clock, 'now', { value: now, writable: true });
  const health = await exchange.health();
  expect(health.total).toMatchObject({ requests: 3, late: 1, above_limit: 1 });
  expect(health.no_bids).toContainEqual({ reason: 'timeout', requests: 1 });
});

test('of an exchange above its limit it says what was skipped, what that is worth, and what to ask for', async () => {
  const exchange = await biddingExchange({ requests_per_second: 20 });
  const { now } = app.clock;
  onTestFinished(() => void (app.clock.now = now));
  expect((await exchange.health()).shaping).toBeNull();
  const send = async (requests: number) => {
    for (let sent = 0; sent < requests; sent += 1) await exchange.send();
  };
  await send(30);
  const early = (await exchange.health()).shaping;
  expect(early).toMatchObject({ skipped_value_per_day: null, pretargeting: [] });
  const readOf = (one: Record<string, number>) =>
    one['read_within_limit']! + one['read_by_value']! + one['read_at_random']!;
  expect(readOf(early)).toBeLessThanOrEqual(20);
  const { skipped } = early;
  expect(skipped).toBeGreaterThanOrEqual(10);
  const segment = { country: 'US', system: 'android', format: 'banner 320x50' };
  expect(early.segments).toEqual([{ ...segment, offered: 30, skipped, skipped_value_per_day: null }]);
  // In each second the limit is read, and values are learned.
  for (let second = 1; second <= 6; second += 1) {
    app.clock.now = new Date(now.getTime() + second * SECOND_MS);
    await send(30);
  }
  const { shaping, total } = await exchange.health();
  expect(shaping.unread).toBe(0);
  expect(readOf(shaping) + shaping.skipped).toBe(210);
  expect(total).toMatchObject({ above_limit: shaping.skipped, answered: readOf(shaping) });
  expect(shaping.skipped_value_per_day).toBeGreaterThan(0);
  expect(shaping.pretargeting).toMatchObject([
    { system: 'android', countries: ['US'], formats: ['banner 320x50'] },
  ]);
  // Rates are of the time since the first of these requests, not of the whole hour.
  const sinceMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  expect(shaping.since).toBe(new Date(sinceMs).toISOString());
  const [{ value_per_day: value, added_value_per_day: added, requests_per_second: perSecond }] =
    shaping.pretargeting;
  expect(perSecond * (now.getTime() + 6 * SECOND_MS - sinceMs)).toBeCloseTo(210 * SECOND_MS, 3);
  expect(added).toBeCloseTo(shaping.skipped_value_per_day, 6);
  expect(value).toBeGreaterThan(added);
  // What was skipped is still read when the exchange has no limit any more.
  await app.operator('PUT', `/ssps/${exchange.slug}`, { name: 'Exchange', requests_per_second: null });
  const { pretargeting, skipped: before } = (await exchange.health()).shaping;
  expect({ pretargeting, before }).toEqual({ pretargeting: [], before: shaping.skipped });
});

test('skipped requests whose value was not known yet are worth as much as others of their kind', async () => {
  const exchange = await biddingExchange({ requests_per_second: 20 });
  const { now } = app.clock;
  onTestFinished(() => void (app.clock.now = now));
  const startMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const at = (seconds: number) => (app.clock.now = new Date(startMs + seconds * SECOND_MS));
  const meanOf = ({ shaping }: { shaping: Record<string, number> }) => {
    const seconds = (app.clock.now.getTime() - Date.parse(String(shaping['since']))) / SECOND_MS;
    return (shaping['skipped_value_per_day']! * seconds) / shaping['skipped']!;
  };
  at(10);
  for (let sent = 0; sent < 30; sent += 1) await exchange.send();
  expect((await exchange.health()).shaping.skipped_value_per_day).toBeNull();
  for (let second = 70; second < 76; second += 1) {
    at(second);
    for (let sent = 0; sent < 30; sent += 1) await exchange.send();
  }
  const [whole, last] = [await exchange.health(), await exchange.health('?minutes=1')];
  expect(whole.shaping.skipped).toBeGreaterThan(last.shaping.skipped);
  expect(meanOf(whole) / meanOf(last)).toBeCloseTo(1, 6);
});

test('what is more than ten times the limit is not looked at', async () => {
  const exchange = await biddingExchange({ requests_per_second: 2 });
  for (let sent = 0; sent < 25; sent += 1) await exchange.send();
  const { shaping } = await exchange.health();
  expect(shaping.unread).toBeGreaterThanOrEqual(5);
  expect(shaping.skipped).toBe(23 - shaping.unread);
  expect(shaping.skipped_percent).toBeCloseTo((23 / 25) * 100, 6);
  // The figures of segments are of all requests.
  expect(shaping.segments).toMatchObject([{ offered: 25, skipped: 23 }]);
});

test('requests that came before the limit say nothing of what was skipped', async () => {
  const exchange = await biddingExchange();
  const { now } = app.clock;
  onTestFinished(() => void (app.clock.now = now));
  for (let sent = 0; sent < 40; sent += 1) await exchange.send();
  expect((await exchange.health()).shaping).toBeNull();
  app.clock.now = new Date(now.getTime() + MINUTE_MS);
  await app.operator('PUT', `/ssps/${exchange.slug}`, { name: 'Exchange', requests_per_second: 2 });
  await app.settled();
  for (let sent = 0; sent < 25; sent += 1) await exchange.send();
  const { shaping } = await exchange.health();
  expect(shaping.skipped_percent).toBeCloseTo((23 / 25) * 100, 6);
  expect(shaping.segments).toMatchObject([{ offered: 25, skipped: 23 }]);
});

test('the last minute has the requests of that minute alone', async () => {
  const exchange = await biddingExchange();
  const { now } = app.clock;
  onTestFinished(() => void (app.clock.now = now));
  for (let sent = 0; sent < 6; sent += 1) await exchange.send();
  expect((await exchange.health()).last_minute.requests).toBe(0);
  app.clock.now = new Date(now.getTime() + MINUTE_MS);
  await exchange.send();
  const health = await exchange.health();
  expect(health.last_minute).toMatchObject({ requests: 6, qps: 0.1 });
  expect(health.total.requests).toBe(7);
  expect(health.series.slice(-2)).toMatchObject([
    { requests: 6, complete: true },
    { requests: 1, complete: false },
  ]);
  // Earlier times can be read again, and longer ones in longer steps.
  expect((await exchange.health(`?until=${new Date(now.getTime() + 1).toISOString()}`)).total.requests).toBe(
    6,
  );
  const day = await exchange.health('?minutes=1440');
  expect(day).toMatchObject({ step_minutes: 10, total: { requests: 7 } });
});

test('an exchange without requests has empty figures', async () => {
  const exchange = await biddingExchange();
  const health = await exchange.health();
  expect(health.total).toMatchObject({
    requests: 0,
    qps: 0,
    bid_rate_percent: null,
    win_rate_percent: null,
    latency_p99_ms: null,
    discrepancy_percent: null,
  });
  expect(health).toMatchObject({ no_bids: [], losses: [], charged_without_win: 0 });
});

/** Stores the requests of another process: their latencies and, for those without a bid, the reason. */
async function countElsewhere(slug: string, latenciesMs: readonly number[], at = app.clock.now) {
  const counters = new BidCounters();
  const minutes = new ExchangeMinutes(() => at);
  for (const ms of latenciesMs) {
    counters.of(slug).observe(ms);
    counters.of(slug).noBid('floor');
  }
  minutes.take(counters);
  const processId = uuidv4();
  const store = () => minutes.save((rows) => saveExchangeMinutes(app.ctx.db, processId, rows));
  await store();
  return {
    async again() {
      counters.of(slug).noBid('floor');
      minutes.take(counters);
      await store();
    },
  };
}

test('the figures of several processes are added, and latencies are over all of them', async () => {
  const exchange = await biddingExchange();
  const one = await countElsewhere(
    exchange.slug,
    Array.from({ length: 98 }, () => 2),
  );
  await countElsewhere(exchange.slug, [200, 200]);
  const { total, no_bids } = await exchange.health();
  expect(no_bids).toEqual([{ reason: 'floor', requests: 100 }]);
  expect(total.requests).toBe(100);
  expect(Math.abs(total.latency_p50_ms / 2 - 1)).toBeLessThan(0.08);
  expect(Math.abs(total.latency_p99_ms / 200 - 1)).toBeLessThan(0.08);
  // A process replaces its stored counts of a minute.
  await one.again();
  expect((await exchange.health()).total.requests).toBe(101);
});

test('counts that could not be stored are stored later', async () => {
  const counters = new BidCounters();
  const minutes = new ExchangeMinutes(() => app.clock.now);
  counters.of('silent').noBid('floor');
  minutes.take(counters);
  await expect(minutes.save(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  const stored: number[] = [];
  const store = async (rows: readonly { bids: { requests(): number } }[]) =>
    void stored.push(...rows.map(({ bids }) => bids.requests()));
  await minutes.save(store);
  await minutes.save(store);
  expect(stored).toEqual([1]);
});

test('the health of an exchange ends with its minute, and earlier than seven days ago nothing is known', async () => {
  const exchange = await biddingExchange();
  const period = async (query: string) => app.operator('GET', `/ssps/${exchange.slug}/health?${query}`);
  const day = new Date(app.clock.now.getTime() - 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);
  const until = `${day}T10:00:00.000Z`;
  expect((await period(`until=${until}`)).data).toMatchObject({ from: `${day}T09:00:00.000Z`, until });
  expect(await period(`until=2020-01-01T00:00:00Z`)).toMatchObject({
    status: 422,
    data: 'Counts are stored for seven days',
  });
  expect(await period(`until=${day}`)).toMatchObject({
    status: 422,
    data: 'Write a time in UTC, such as 2026-05-01T12:00:00Z',
  });
  expect(await period('minutes=abc')).toMatchObject({ status: 422, data: 'Enter a number' });
});

test('a job deletes counts after seven days', async () => {
  const exchange = await biddingExchange();
  const { now } = app.clock;
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * MINUTE_MS);
  await countElsewhere(exchange.slug, [1], daysAgo(6));
  await countElsewhere(exchange.slug, [1], daysAgo(8));
  onTestFinished(() => void (app.clock.now = now));
  /** The requests of the hour before a time, as they were read a day later. */
  const requestsAt = async (at: Date) => {
    app.clock.now = new Date(at.getTime() + 24 * 60 * MINUTE_MS);
    const { total } = await exchange.health(`?until=${new Date(at.getTime() + 1).toISOString()}`);
    app.clock.now = now;
    return total.requests;
  };
  expect([await requestsAt(daysAgo(6)), await requestsAt(daysAgo(8))]).toEqual([1, 1]);
  const hourly: (() => void)[] = [];
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number) => {
    if (ms === 60 * MINUTE_MS) hourly.push(work);
  }) as never);
  // Without a database server this process needs no turn to run the jobs.
  const config = { ...app.ctx.config, databaseUrl: undefined, roles: new Set(['jobs'] as const) };
  const ctx = { ...app.ctx, config };
  const done = { isDone: () => true, done: Promise.resolve() };
  const jobs = startJobs(ctx, {
    databases: { postgres: done, clickhouseReady: done },
    delivery: { reloadFunds: async () => {}, reconcileBookedSpend: async () => {} } as never,
    postSpend: async () => {},
    registry: new Registry(),
    onMessageQueued: () => {},
  });
  timers.mockRestore();
  for (const work of hourly) work();
  // They begin once their dependencies are ready, unless they are stopped before that.
  await new Promise(setImmediate);
  await Promise.all(jobs.map((job) => job.stop()));
  expect([await requestsAt(daysAgo(6)), await requestsAt(daysAgo(8))]).toEqual([1, 0]);
});

/** An exchange with a running campaign that bids there only. */
async function campaignExchange(over: Parameters<typeof campaignOn>[2] = {}) {
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

test('a bid is shown with its markup, and nothing is counted or charged', async () => {
  const { slug, campaign, company, run } = await campaignExchange();
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
  const { run } = await campaignExchange({ target: { location_include: ['DE'] } });
  const tested = await run(requestOf());
  expect(tested).toMatchObject({ bids: [], response: null, adsets: { bidding: 0 } });
  expect(tested.adsets.reasons).toContainEqual({ reason: 'country', adsets: 1 });
  expect(await run(requestOf({ country: 'DEU' }))).toMatchObject({ no_bid_reason: null });
});

test('a floor above the bid is given as the reason', async () => {
  const { run } = await campaignExchange();
  const tested = await run(requestOf({ floor: 9 }));
  expect(tested).toMatchObject({ no_bid_reason: 'floor', read: { imps: [{ floor: 9 }] } });
  expect(tested.adsets.reasons).toContainEqual({ reason: 'floor', adsets: 1 });
});

test('deviations from OpenRTB are listed with their place', async () => {
  const { run } = await campaignExchange();
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
  const { slug } = await campaignExchange();
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
  const { slug, campaign, run } = await campaignExchange({ app: iosAppBody(itemId) });
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

  const { run: android } = await campaignExchange();
  expect((await android(requestOf())).bids).toMatchObject([{ signing: null }]);
});
