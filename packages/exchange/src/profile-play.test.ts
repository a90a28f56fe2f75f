import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Counts } from './counts.ts';
import { personalityOf } from './personality.ts';
import { type ExchangeOptions, startExchange } from './run.ts';
import { listening } from './testing/listening.ts';
import type { BidRequest } from './traffic/bid-request.ts';

/** A bid that Unity accepts, of a server whose address is https. */
const bidOf = (request: BidRequest, over: object = {}) => ({
  id: `bid ${request.id}`,
  impid: request.imp[0]!.id,
  price: 900,
  crid: 'creative',
  adomain: ['example.com'],
  crtype: 'HTML',
  adm: '<img src="https://bidder.example/pixel">',
  nurl: 'https://bidder.example/win?price=${AUCTION_PRICE}&mtw=${AUCTION_MINIMUM_BID_TO_WIN}',
  burl: 'https://bidder.example/billing?price=${AUCTION_PRICE}',
  lurl: 'https://bidder.example/loss?reason=${AUCTION_LOSS}',
  ...over,
});

/** Plays a named exchange against a bidder until `isEnough`; returns what it asked and which notices it sent. */
async function play(
  options: Pick<ExchangeOptions, 'personality' | 'agreement'>,
  over: (request: BidRequest) => object,
  isEnough: (seen: { counts: Readonly<Counts>; notices: URL[] }) => boolean,
) {
  const requests: BidRequest[] = [];
  const notices: URL[] = [];
  const stop = new AbortController();
  const url: string = await listening((request, response, text) => {
    if (request.url!.startsWith('/openrtb/')) {
      const asked = JSON.parse(text) as BidRequest;
      requests.push(asked);
      respond(response, {
        id: asked.id,
        seatbid: [{ seat: '7', bid: [bidOf(asked, over(asked))] }],
      });
    } else {
      notices.push(new URL(request.url!, url));
      response.writeHead(200).end();
    }
    if (isEnough({ counts: exchange.counts(), notices })) stop.abort();
  });
  const exchange = startExchange({
    url,
    publicUrl: 'https://bidder.example',
    ssp: 'test',
    requestsPerSecond: 200,
    steady: true,
    seed: 1,
    callTimeoutMs: 60_000,
    auctionsMax: 8,
    signal: stop.signal,
    ...options,
  });
  await exchange.finished;
  const sent = (kind: string) => notices.filter(({ pathname }) => pathname === `/${kind}`);
  return { requests, sent, counts: exchange.counts(), refusals: exchange.refusals() };
}

function respond(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(body)));
}

test('Unity: one imp over https, impressions after a while, and money for those alone', async () => {
  // A hundred-thousandth of two hours.
  const { requests, sent, counts, refusals } = await play(
    { personality: personalityOf('unity', 0.00001) },
    () => ({}),
    ({ notices }) => notices.filter(({ pathname }) => pathname === '/billing').length >= 10,
  );
  expect(requests.every(({ imp, at, tmax }) => imp.length === 1 && at === 1 && tmax === 200)).toBe(true);
  expect(requests.every(({ imp }) => imp[0]!.secure === 1)).toBe(true);
  expect(refusals).toEqual([]);
  expect(counts).toMatchObject({ rejectedBids: 0, badAnswers: 0 });
  // The last notices may be on their way when the exchange stops.
  expect(sent('billing').length).toBeGreaterThanOrEqual(10);
  expect(counts.spendMicros).toBeGreaterThan(0);
});

test('Unity refuses bids in its own words, counts them by reason, and tells the bidder its code', async () => {
  const { sent, counts, refusals } = await play(
    { personality: personalityOf('unity') },
    () => ({ crtype: undefined }),
    ({ notices }) => notices.length >= 10,
  );
  expect(refusals).toEqual([
    expect.stringMatching(
      /^\d+ × 1004 Type of creative \(crtype\) is missing in the bid: The bid has no crtype\.$/,
    ),
  ]);
  expect(counts).toMatchObject({ wins: 0, spendMicros: 0, rejectedBids: counts.bids });
  expect(new Set(sent('loss').map(({ searchParams }) => searchParams.get('reason')))).toEqual(
    new Set(['1004']),
  );
});

test('AppLovin writes the second bid into the win notice, and 0 where there was none', async () => {
  const { sent, counts } = await play(
    { personality: personalityOf('applovin') },
    () => ({}),
    ({ notices }) => notices.filter(({ pathname }) => pathname === '/win').length >= 40,
  );
  const seconds = sent('win').map(({ searchParams }) => Number(searchParams.get('mtw')));
  expect(counts.rejectedBids).toBe(0);
  expect(seconds.every((price) => price >= 0 && price < 900)).toBe(true);
  expect(seconds).toContain(0);
  expect(Math.max(...seconds)).toBeGreaterThan(0);
});

test('Google names billing ids, excludes creatives, and says in later requests how bids ended', async () => {
  const { requests, sent, counts, refusals } = await play(
    { personality: personalityOf('google'), agreement: { billingIds: ['41'], reviewMs: 0 } },
    ({ imp }) => ({
      cid: '41',
      crid: ['creative', 'another'].find(
        (id) => imp[0]!.ext?.excluded_creatives?.[0]?.buyer_creative_id !== id,
      ),
      ext: { billing_id: '41', event_notification_token: { payload: 'token' } },
    }),
    ({ counts: { requests: asked }, notices }) => asked >= 200 && notices.length > 0,
  );
  expect(requests.every(({ imp }) => imp[0]!.ext!.billing_id!.includes('41'))).toBe(true);
  expect(requests.some(({ imp }) => imp[0]!.ext!.excluded_creatives !== undefined)).toBe(true);
  expect(requests.flatMap(({ ext }) => ext?.bid_feedback ?? [])).toContainEqual({
    event_notification_token: { payload: 'token' },
    creative_status_code: 1,
    price: expect.any(Number),
    minimum_bid_to_win: expect.any(Number),
  });
  expect(sent('win').concat(sent('loss'))).toEqual([]);
  expect([refusals, counts.rejectedBids]).toEqual([[], 0]);
});

test('a creative wins only after its review', async () => {
  const { sent, counts } = await play(
    { personality: personalityOf('xandr'), agreement: { billingIds: [], reviewMs: 3_600_000 } },
    () => ({ ext: { appnexus: { crcode: 'creative' } } }),
    ({ notices }) => notices.length >= 10,
  );
  expect(counts.unreviewed).toBe(counts.bids);
  expect(sent('loss').every(({ searchParams }) => searchParams.get('reason') === '201')).toBe(true);
});
