import { expect, onTestFinished, test } from 'vitest';
import type { AuctionResult } from './auction.ts';
import { emptyCounts } from './counts.ts';
import { createHttpClient } from './http-client.ts';
import { type Ended, type NoticeDeps, followWin, isOnServer, sendLossNotice } from './notices.ts';
import { type NoticeBehaviour, PERSONALITIES } from './personality.ts';
import { listening } from './testing/listening.ts';
import { SLOTS } from './traffic/slots.ts';

const won: AuctionResult = { won: true, clearingCpmMicros: 1_500_000, minToWinCpmMicros: 1_490_000 };
const lost: AuctionResult = {
  won: false,
  lossReason: 102,
  clearingCpmMicros: 3_000_000,
  minToWinCpmMicros: 3_010_000,
};

/** Starts a server that records the paths of requests; returns the dependencies and ended auctions that use it. */
async function playground({
  chance = 0,
  location = 'https://app.appsflyer.com/id1?clickid=CLICK',
  status = 200,
  behaviour = {} as Partial<NoticeBehaviour>,
} = {}) {
  const paths: string[] = [];
  const userAgents: (string | undefined)[] = [];
  const url = await listening((request, response) => {
    paths.push(request.url!);
    userAgents.push(request.headers['user-agent']);
    const click = request.url!.startsWith('/t/click');
    response.writeHead(click ? 302 : status, click ? { location } : {}).end();
  });
  const http = createHttpClient({ timeoutMs: 60_000, connections: 4 });
  onTestFinished(() => http.close());
  const counts = emptyCounts();
  const deps: NoticeDeps = {
    http,
    url,
    postback: { mmp: 'appmetrica', secret: 'SECRET' },
    random: () => chance,
    now: () => 1_700_000_000_000,
    delay: async () => {},
    counts,
    seenImages: new Set(),
    behaviour: { ...PERSONALITIES.standard.notices, ...behaviour },
  };
  const ended = (result: AuctionResult): Ended => ({
    bid: {
      id: 'bid-1',
      impId: '1',
      seatId: 'seat',
      adId: 'ad',
      creativeId: 'creative',
      priceCpmMicros: 2_000_000,
      markup:
        `<a href="${url}/t/click/C"><img src="${url}/m/1.png"></a>` +
        `<img src="${url}/t/impression/I?p=\${AUCTION_PRICE}"><img src="https://view.example/third-party">`,
      winUrl: `${url}/t/win/W?price=\${AUCTION_PRICE}`,
      billingUrl: `${url}/t/billing/B?price=\${AUCTION_PRICE}`,
      lossUrl: `${url}/t/loss/L?reason=\${AUCTION_LOSS}&mtw=\${AUCTION_MIN_TO_WIN}`,
    },
    result,
    requestId: 'request-1',
    impression: { slot: SLOTS[0]!, bundle: 'com.app', country: 'DEU', creativeId: 'creative' },
    os: 'ios',
    userAgent: 'Mozilla/5.0 (iPhone)',
  });
  return { paths, userAgents, counts, deps, ended };
}

test('a win sends win, impression, billing, click and install, with the clearing price and the click id', async () => {
  const { paths, counts, deps, ended } = await playground();
  await followWin(ended(won), deps);
  expect(paths.slice(0, 5)).toEqual([
    '/t/win/W?price=1.5',
    '/m/1.png',
    '/t/impression/I?p=1.5',
    '/t/billing/B?price=1.5',
    '/t/click/C',
  ]);
  expect(paths[5]).toMatch(/^\/postback\/appsflyer\/SECRET\?clickid=CLICK&event_name=install/);
  expect(paths).toHaveLength(6);
  expect(counts).toMatchObject({
    impressions: 1,
    clicks: 1,
    installs: 1,
    spendMicros: 1500,
    noticeFailures: 0,
  });
});

test('the first use of the app that was installed is reported, with the money of the ads in it', async () => {
  const { paths, counts, deps, ended } = await playground();
  const postback = { ...deps.postback!, modelOf: () => 'game' as const };
  await followWin(ended(won), { ...deps, postback });
  const queries = paths.slice(6).map((path) => new URLSearchParams(path.split('?')[1]));
  expect(queries.map((query) => query.get('event_name'))).toContain('ad_revenue');
  for (const query of queries) {
    expect(query.get('click_id')).toBe('CLICK');
    if (query.get('event_name') === 'ad_revenue') {
      expect(query.get('is_ad_revenue')).toBe('1');
      expect(Number(query.get('revenue'))).toBeGreaterThan(0);
    }
  }
  expect(counts).toMatchObject({ installs: 1, appEvents: queries.length, noticeFailures: 0 });
});

test('calls of a device send its user agent; calls of the exchange and the partner do not', async () => {
  const { paths, userAgents, deps, ended } = await playground();
  await followWin(ended(won), deps);
  const ofDevices = paths.filter((_path, index) => userAgents[index] === 'Mozilla/5.0 (iPhone)');
  expect(ofDevices).toEqual(['/m/1.png', '/t/impression/I?p=1.5', '/t/click/C']);
});

test('the image is loaded once, the pixel each time', async () => {
  const { paths, counts, deps, ended } = await playground();
  await followWin(ended(won), deps);
  await followWin(ended(won), deps);
  expect(paths.filter((path) => path === '/m/1.png')).toHaveLength(1);
  expect(paths.filter((path) => path.startsWith('/t/impression'))).toHaveLength(2);
  expect(counts.impressions).toBe(2);
});

test('without a click nothing follows the impression; a win that is not shown is not billed', async () => {
  const half = await playground({ chance: 0.5 });
  await followWin(half.ended(won), half.deps);
  expect(half.counts).toMatchObject({ impressions: 1, clicks: 0, spendMicros: 1500 });
  const none = await playground({ chance: 0.99 });
  await followWin(none.ended(won), none.deps);
  expect(none.paths).toEqual(['/t/win/W?price=1.5']);
  expect(none.counts).toMatchObject({ impressions: 0, spendMicros: 0 });
});

test('an install after a view without a click is reported with the click id of the view URL', async () => {
  // No click, and an install after the view.
  const { paths, counts, deps, ended } = await playground({ chance: 0.1 });
  const seen = ended(won);
  const slot = { ...SLOTS[0]!, clickRate: 0.01, installRate: 100, viewThroughShare: 1 };
  const view = 'https://impression.appsflyer.com/id1?clickid=VIEW';
  const bid = { ...seen.bid, markup: `${seen.bid.markup}<img src="${view}">` };
  await followWin({ ...seen, bid, impression: { ...seen.impression, slot } }, deps);
  expect(paths.filter((path) => path.startsWith('/t/click'))).toEqual([]);
  expect(paths.at(-1)).toMatch(/^\/postback\/appsflyer\/SECRET\?clickid=VIEW/);
  expect(paths.at(-1)).toContain('attributed_touch_type=impression');
  expect(counts).toMatchObject({ clicks: 0, installs: 1 });
});

test('the partner of an unknown host is the configured one', async () => {
  const { paths, deps, ended } = await playground({ location: 'https://mmp.example/?click_id=X' });
  await followWin(ended(won), deps);
  expect(paths[5]).toMatch(/^\/postback\/appmetrica\/SECRET\?click_id=X/);
});

test('a click without a redirect installs nothing', async () => {
  const { counts, deps, ended } = await playground({ location: 'https://mmp.example/' });
  await followWin(ended(won), deps);
  expect(counts).toMatchObject({ clicks: 1, installs: 0 });
});

test('a loss is sent with its reason and the minimum price to win', async () => {
  const { paths, deps, ended } = await playground();
  await sendLossNotice(ended(lost), deps);
  expect(paths).toEqual(['/t/loss/L?reason=102&mtw=3.01']);
});

test('rejected notices are counted and bill nothing', async () => {
  const { counts, deps, ended } = await playground({ chance: 0.5, status: 503 });
  await followWin(ended(won), deps);
  expect(counts).toMatchObject({ noticeFailures: 4, spendMicros: 0 });
});

test('localhost and the loopback addresses are the same server, other hosts and ports are not', () => {
  expect(isOnServer('http://localhost:8080/t/x', 'http://127.0.0.1:8080')).toBe(true);
  expect(isOnServer('http://localhost:8081/t/x', 'http://127.0.0.1:8080')).toBe(false);
  expect(isOnServer('http://localhost.example:8080/', 'http://localhost:8080')).toBe(false);
  expect(isOnServer('https://localhost:8080/', 'http://localhost:8080')).toBe(false);
  expect(isOnServer('', 'http://localhost:8080')).toBe(false);
});
