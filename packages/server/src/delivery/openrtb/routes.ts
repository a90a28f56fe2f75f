import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import type { Logger } from 'pino';
import { inStages } from '../../platform/jobs/in-stages.ts';
import type { RawHandler } from '../../platform/http/raw-handler.ts';
import { registerRawHandler } from '../../platform/http/raw-handler.ts';
import { rawHeader } from '../../platform/http/raw-header.ts';
import type { Tally } from '../../platform/telemetry/tally.ts';
import type { BidCounters } from '../exchanges/bid-counts.ts';
import type { PublisherApps } from '../exchanges/publisher-apps.ts';
import type { Funnel } from '../funnel/recorder.ts';
import type { SharedIntake } from '../events/shared-intake.ts';
import type { BiddingStop } from '../snapshot/bidding-stop.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { BidDeps, PreparedAnswer } from './bid.ts';
import { bidOn, timeLimitMs } from './bid.ts';
import { RateGate, isAdmitted } from './gate.ts';
import { noBidBody } from './nbr.ts';
import { parseJson, readBody } from './read-body.ts';
import { readPublisher } from './read-publisher.ts';
import { readBidRequest } from './read-request.ts';
import type { OpenRtbVersion } from './response.ts';
import { answerVersion } from './response.ts';

/** Dependencies of the bidder's route. */
export interface BidderDeps extends BidDeps {
  log: Logger;
  /** Our id in the IAB's Global Vendor List; null without one. */
  tcfVendorId: number | null;
  bidCounters: Pick<BidCounters, 'of'>;
  /** While it is closed, notices could not be stored and no bids are made. */
  intake: Pick<SharedIntake, 'isClosed'>;
  /** While operators have stopped all bidding, requests are answered 204 without being read. */
  biddingStop: Pick<BiddingStop, 'isStopped'>;
  /** Labels ssp and chain (complete, incomplete, absent). */
  supplyChains: Tally;
  /** Current number of bidders, including this one; they share each exchange's rate limit. */
  bidders: () => number;
  /** Explains a sample of the requests. */
  funnel: Pick<Funnel, 'offer'>;
  /** Remembers the apps that bids were sent for. */
  publisherApps: Pick<PublisherApps, 'add'>;
}

/** A bid request whose exchange is admitted. */
interface Arrival {
  ssp: Ssp;
  /** When it arrived, Unix ms, and by the monotonic clock. */
  atMs: number;
  beganMs: number;
  request: IncomingMessage;
  response: ServerResponse;
  /** Null if it cannot be decompressed. */
  body: Buffer | null;
}

/** A bid request that is read, as it was sent and as parsed. */
interface ReadRequest {
  json: unknown;
  parsed: ParsedRequest;
}

interface DecidedRequest extends ReadRequest {
  version: OpenRtbVersion;
  outcome: PreparedAnswer | NoBidReason;
}

const PREFIX = '/openrtb/';
/** Headers as the flat lists that Node takes without copying them. */
const NO_BID_HEADERS = ['x-content-type-options', 'nosniff'];
const EMPTY_HEADERS = [...NO_BID_HEADERS, 'content-length', '0'];
const ZIPPED_FROM_BYTES = 1024;

/**
 * Registers POST /openrtb/{ssp}/{secret}. Responds to a bid request with 200 and bids, or 204 without a bid (200 with
 * `nbr` if the request's `ext.nbr` is 1); the no-bid reason is counted. An unreadable request gets 400, an unknown
 * exchange or wrong secret 404, a body that is too large 413, a request above the rate limit 204 without being read, and
 * an unexpected error 500. Requests that arrive together are answered in stages, each for all of them; see {@link inStages}.
 * Only errors are logged.
 */
export function registerOpenRtb(http: FastifyInstance, deps: BidderDeps): void {
  const answer = bidAnswerer(deps);
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.post(`${PREFIX}*`, (request, reply) => {
      reply.hijack();
      answer(request.raw, reply.raw);
    });
  });
  registerRawHandler(http, {
    route: `${PREFIX}{ssp}/{secret}`,
    takes: ({ method, url }) => method === 'POST' && url?.startsWith(PREFIX) === true,
    answer,
  });
}

function bidAnswerer(deps: BidderDeps): RawHandler {
  const gate = new RateGate(deps.bidders);

  function admitted(request: IncomingMessage, response: ServerResponse, arrivedAtMs: number): Ssp | null {
    const [slug = '', secret, ...rest] = pathParts(request.url ?? '');
    const ssp = deps.snapshot.ssp(slug);
    if (!ssp || rest.length > 0 || !isAdmitted(ssp, secret, arrivedAtMs)) {
      end(response, 404);
      return null;
    }
    const isStopped = deps.biddingStop.isStopped();
    if (!isStopped && gate.admits(ssp, arrivedAtMs)) return ssp;
    deps.bidCounters.of(ssp.slug).noBid(isStopped ? 'bidding_stopped' : 'too_many_requests');
    end(response, 204);
    return null;
  }

  function read({ ssp, body, response }: Arrival): ReadRequest | null {
    const json = body && parseJson(body);
    const parsed = readBidRequest(json, ssp.slug, {
      seat: ssp.seat,
      auctionType: ssp.auctionType,
      rates: deps.snapshot.rates(),
      tcfVendorId: deps.tcfVendorId,
    });
    if (parsed) return { json, parsed };
    deps.bidCounters.of(ssp.slug).unreadable += 1;
    end(response, 400);
    return null;
  }

  function decide({ ssp, atMs, request }: Arrival, { json, parsed }: ReadRequest): DecidedRequest {
    const version = answerVersion(rawHeader(request, 'x-openrtb-version'));
    const outcome = deps.intake.isClosed() ? 'event_log' : bidOn(parsed, ssp, atMs, version, deps);
    return { json, parsed, version, outcome };
  }

  function finish(arrival: Arrival, decided: DecidedRequest): void {
    const { ssp, atMs, beganMs } = arrival;
    const { json, parsed, outcome } = decided;
    respond(arrival, decided);
    const latencyMs = performance.now() - beganMs;
    const counts = deps.bidCounters.of(ssp.slug);
    counts.observe(latencyMs);
    if (outcome === 'timeout' || latencyMs >= timeLimitMs(parsed, ssp)) counts.late += 1;
    const chain = parsed.supplyChain;
    deps.supplyChains.inc(ssp.slug, chain === null ? 'absent' : chain.complete ? 'complete' : 'incomplete');
    if (typeof outcome === 'string') counts.noBid(outcome);
    else {
      counts.answered += 1;
      if (!parsed.test) {
        counts.bids += outcome.bids.length;
        deps.publisherApps.add(parsed.app?.bundle ?? '', ssp.slug, atMs, () => readPublisher(parsed, json));
      }
    }
    deps.funnel.offer(parsed, json, typeof outcome === 'string' ? outcome : outcome.bids);
  }

  function failed({ ssp, response }: Arrival, err: unknown): void {
    deps.bidCounters.of(ssp.slug).failed += 1;
    deps.log.error({ err }, 'a bid request could not be answered');
    if (!response.headersSent) end(response, 500);
  }

  const answer = inStages({ read, decide, finish, failed });
  return (request, response) => {
    const beganMs = performance.now();
    const atMs = deps.now().getTime();
    const ssp = admitted(request, response, atMs);
    if (!ssp) return void request.resume();
    readBody(request, (body) => {
      if (body === 'too-large') {
        deps.bidCounters.of(ssp.slug).unreadable += 1;
        return end(response, 413, ['connection', 'close']);
      }
      answer({ ssp, atMs, beganMs, request, response, body });
    });
  };
}

function respond({ request, response }: Arrival, { parsed, version, outcome }: DecidedRequest): void {
  if (typeof outcome !== 'string') sendJson(request, response, version, outcome.json);
  else if (parsed.wantsReason)
    sendJson(request, response, version, JSON.stringify(noBidBody(parsed.id, outcome)));
  else end(response, 204);
}

function pathParts(url: string): string[] {
  const queryAt = url.indexOf('?');
  const path = url.slice(PREFIX.length, queryAt < 0 ? undefined : queryAt);
  const parts = path.split('/');
  return path.includes('%') ? parts.map(decoded) : parts;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function end(response: ServerResponse, status: number, headers: readonly string[] = []): void {
  response.writeHead(status, status === 204 ? NO_BID_HEADERS : [...EMPTY_HEADERS, ...headers]);
  response.end();
}

/** Sends JSON, compressed if it is at least {@link ZIPPED_FROM_BYTES} long and the exchange accepts gzip. */
function sendJson(request: IncomingMessage, response: ServerResponse, version: string, json: string): void {
  const send = (content: string | Buffer, encoding?: string): void => {
    const bytes = Buffer.byteLength(content);
    const headers = [
      'x-content-type-options',
      'nosniff',
      'content-type',
      'application/json; charset=utf-8',
      'content-length',
      String(bytes),
      'x-openrtb-version',
      version,
    ];
    if (encoding) headers.push('content-encoding', encoding);
    response.writeHead(200, headers);
    // A string body is written together with the headers. ASCII is the same in Latin-1, which takes less time to encode.
    response.end(content, bytes === content.length ? 'latin1' : 'utf8');
  };
  if (json.length < ZIPPED_FROM_BYTES || !takesGzip(request)) return send(json);
  gzip(json, { level: 1 }, (error, zipped) => (error ? send(json) : send(zipped, 'gzip')));
}

function takesGzip(request: IncomingMessage): boolean {
  const accepted = rawHeader(request, 'accept-encoding');
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
}
