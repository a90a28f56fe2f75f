import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { startExchange } from './run.ts';
import { listening } from './testing/listening.ts';
import type { BidRequest } from './traffic/bid-request.ts';

/** Long enough for calls on a busy machine; other tests cover timeouts. */
const TIMEOUT_MS = 60_000;

/** Starts a server that responds to bid requests with `respond`, or with `noBidStatus` where it returns null, counts calls by path and can wait for a number of them. */
async function bidder(respond: (request: BidRequest, url: string) => object | null, noBidStatus = 204) {
  const seen = new Map<string, number>();
  const waiting: (() => void)[] = [];
  const url: string = await listening((request, response, body) => {
    const kind = request.url!.split('?')[0]!;
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    for (const check of waiting) check();
    if (kind === '/openrtb/test') send(response, respond(JSON.parse(body) as BidRequest, url), noBidStatus);
    else response.writeHead(200).end();
  });
  const enough = (kind: string, count: number) =>
    new Promise<void>((resolve) => {
      waiting.push(() => {
        if ((seen.get(kind) ?? 0) >= count) resolve();
      });
    });
  return { url, seen, enough };
}

function send(response: ServerResponse, body: object | null, noBidStatus: number): void {
  if (!body) response.writeHead(noBidStatus).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const bidOn = (price: number) => (request: BidRequest, url: string) => ({
  id: request.id,
  seatbid: [
    {
      bid: request.imp.map(({ id }) => ({
        id: `bid-${id}`,
        impid: id,
        price,
        crid: 'creative',
        adm: `<img src="${url}/pixel">`,
        nurl: `${url}/win?price=\${AUCTION_PRICE}`,
        burl: `${url}/billing?price=\${AUCTION_PRICE}`,
        lurl: `${url}/loss?reason=\${AUCTION_LOSS}`,
      })),
    },
  ],
});

/** Starts an exchange that sends a request every sixtieth of a second, until it is stopped. */
function exchangeAt(url: string) {
  const end = new AbortController();
  const exchange = startExchange({
    url,
    ssp: 'test',
    requestsPerSecond: 60,
    steady: true,
    seed: 1,
    callTimeoutMs: TIMEOUT_MS,
    auctionsMax: 8,
    signal: end.signal,
  });
  const stop = async (): Promise<void> => {
    end.abort();
    await exchange.finished;
  };
  return { exchange, stop };
}

test('high bids win, are shown and billed; the signal ends the run, and the counts match the server', async () => {
  const { url, seen, enough } = await bidder(bidOn(900));
  const billed = enough('/billing', 20);
  const { exchange, stop } = exchangeAt(url);
  await billed;
  await stop();
  const counts = exchange.counts();
  // Requests that waited for a connection until their timeout were never sent.
  const unseen = counts.requests - seen.get('/openrtb/test')!;
  expect(unseen).toBeGreaterThanOrEqual(0);
  expect(unseen).toBeLessThanOrEqual(counts.late);
  expect(counts.wins).toBe(counts.bids);
  expect(counts.impressions).toBe(seen.get('/billing'));
  expect(counts.spendMicros).toBeGreaterThan(0);
  expect(counts).toMatchObject({ badAnswers: 0, noticeFailures: 0 });
});

test('bids below the floors and the market lose, with loss notices', async () => {
  const { url, seen, enough } = await bidder(bidOn(0.001));
  const losses = enough('/loss', 5);
  const { exchange, stop } = exchangeAt(url);
  await losses;
  await stop();
  expect(exchange.counts().losses).toBeGreaterThan(exchange.counts().wins);
  expect(seen.get('/loss')).toBe(exchange.counts().losses);
});

test('a wrong secret is named, with the status of its answers', async () => {
  const { url, enough } = await bidder(() => null, 404);
  const bidRequests = enough('/openrtb/test', 10);
  const { exchange, stop } = exchangeAt(url);
  await bidRequests;
  // On a busy machine some responses come later than tmax.
  await expect.poll(() => exchange.counts().badAnswers > 0).toBe(true);
  await stop();
  expect(exchange.badResponses()).toEqual([
    `${exchange.counts().badAnswers} × HTTP 404: the server has no exchange of this name with this secret: compare --ssp and --secret with "ssp list"`,
  ]);
});

test('no-bids and invalid responses are counted separately', async () => {
  let turn = 0;
  const { url, enough } = await bidder(() => (turn++ % 2 === 0 ? null : { id: 'another request' }));
  const bidRequests = enough('/openrtb/test', 10);
  const { exchange, stop } = exchangeAt(url);
  await bidRequests;
  // On a busy machine some responses come later than tmax.
  await expect.poll(() => exchange.counts().noBids > 0 && exchange.counts().badAnswers > 0).toBe(true);
  await stop();
  const { requests, noBids, badAnswers, late, bids } = exchange.counts();
  expect(noBids + badAnswers + late).toBe(requests);
  expect(noBids).toBeGreaterThan(0);
  expect(badAnswers).toBeGreaterThan(0);
  expect(bids).toBe(0);
});
