import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Counts } from './counts.ts';
import type { PersonalityName } from './personality.ts';
import { startExchange } from './run.ts';
import { listening } from './testing/listening.ts';
import type { BidRequest } from './traffic/bid-request.ts';

interface Seen {
  request: IncomingMessage;
  /** Null if it is not JSON. */
  body: BidRequest | null;
}

/**
 * Runs an exchange until it has sent at least `minRequests` requests and `isEnough` holds for its counts: on a busy machine some
 * responses come later than tmax. Returns what the bidder received and the exchange counted.
 */
async function meet(
  personality: PersonalityName,
  minRequests: number,
  respond: (seen: Seen, response: ServerResponse, url: string) => void,
  isEnough: (counts: Counts) => boolean = () => true,
) {
  const seen: Seen[] = [];
  const notices: string[] = [];
  const stop = new AbortController();
  const url: string = await listening((request, response, text) => {
    if (!request.url!.startsWith('/openrtb/')) {
      notices.push(request.url!);
      response.writeHead(200).end();
      return;
    }
    const received = { request, body: parsed(text) };
    seen.push(received);
    respond(received, response, url);
    if (seen.length >= minRequests && isEnough(exchange.counts())) stop.abort();
  });
  const exchange = startExchange({
    url,
    ssp: 'test',
    requestsPerSecond: 500,
    steady: true,
    seed: 1,
    personality,
    callTimeoutMs: 60_000,
    auctionsMax: 8,
    signal: stop.signal,
  });
  await exchange.finished;
  return { seen, notices, counts: exchange.counts() };
}

function parsed(text: string): BidRequest | null {
  try {
    return JSON.parse(text) as BidRequest;
  } catch {
    return null;
  }
}

const noBid = (_seen: Seen, response: ServerResponse) => response.writeHead(204).end();

const highBids = ({ body }: Seen, url: string) =>
  JSON.stringify({
    id: body!.id,
    seatbid: [
      {
        bid: body!.imp.map(({ id }) => ({
          id: `${body!.id} ${id}`,
          impid: id,
          price: 900,
          adm: `<img src="${url}/pixel">`,
          nurl: `${url}/win`,
          burl: `${url}/billing?bid=\${AUCTION_BID_ID}`,
          lurl: `${url}/loss`,
        })),
      },
    ],
  });

test.each([
  ['first-price', [1]],
  ['second-price', [2]],
  ['standard', [1, 2]],
] as const)('a %s exchange holds auctions of types %j', async (personality, types) => {
  const { seen } = await meet(personality, 60, noBid);
  expect([...new Set(seen.map(({ body }) => body!.at))].sort()).toEqual(types);
});

test('a lossy exchange loses some notices, sends others twice, and counts both', async () => {
  const { notices, counts } = await meet(
    'lossy',
    400,
    (seen, response, url) => response.writeHead(200).end(highBids(seen, url)),
    ({ impressions, lostNotices }) => impressions >= 50 && lostNotices > 0,
  );
  expect(counts.lostNotices).toBeGreaterThan(0);
  const bids = notices.filter((notice) => notice.startsWith('/billing'));
  expect(new Set(bids).size).toBeLessThan(bids.length);
});

test('a slow exchange sends a request in two parts', async () => {
  const { seen, counts } = await meet('slow', 20, noBid, ({ noBids }) => noBids > 0);
  expect(seen.every(({ request }) => request.headers['transfer-encoding'] === 'chunked')).toBe(true);
  expect(counts.noBids).toBeGreaterThan(0);
});

test('a malformed exchange sends valid and invalid requests, and expects the invalid ones to be rejected', async () => {
  const isSound = ({ body }: Seen) =>
    typeof body?.id === 'string' && Array.isArray(body.imp) && body.imp.length > 0;
  const { seen, counts } = await meet(
    'malformed',
    300,
    (received, response) => response.writeHead(isSound(received) ? 204 : 400).end(),
    ({ refused }) => refused > 0,
  );
  const sound = seen.filter(isSound).length;
  expect(sound).toBeGreaterThan(150);
  expect(sound).toBeLessThan(seen.length);
  expect(counts.refused).toBeGreaterThan(0);
});

test('the largest exchange compresses, has short timeouts, and sends billing notices only', async () => {
  const { seen, notices, counts } = await meet('adx', 100, (received, response, url) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(highBids(received, url))),
  );
  expect(
    seen.every(({ request, body }) => request.headers['content-encoding'] === 'gzip' && body!.tmax === 100),
  ).toBe(true);
  expect(counts).toMatchObject({ badAnswers: 0 });
  // On a busy machine a response may take longer than the 100 ms of tmax.
  expect(counts.wins).toBeGreaterThanOrEqual((counts.requests - counts.late) / 2);
  expect(notices.filter((notice) => notice.startsWith('/win') || notice.startsWith('/loss'))).toEqual([]);
});
