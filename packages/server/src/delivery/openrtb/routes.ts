import { fillTrackingMacros } from '@bidwell/contract/tracking-macros';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Counter, Histogram } from 'prom-client';
import type { AuctionBid } from '../auction/auction.ts';
import { runAuction } from '../auction/auction.ts';
import type { InstallRate } from '../auction/price.ts';
import { impressionMicros } from '../auction/price.ts';
import type { NoBidReason } from '../auction/reasons.ts';
import type { BidUrls } from '../events/event.ts';
import type { Signer } from '../events/signing.ts';
import { trackingValues } from '../events/touch.ts';
import { renderMarkup } from '../markup/render.ts';
import type { Budgets } from '../pacing/budgets.ts';
import type { Traffic } from '../pacing/traffic.ts';
import type { MediaFile } from '../snapshot/types.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import { BODY_BYTES_MAX, readBody } from './read-body.ts';
import { readBidRequest } from './read-request.ts';
import type { ParsedRequest } from './request.ts';
import type { OpenRtbVersion, RenderedBid } from './response.ts';
import { answerVersion, bidResponse } from './response.ts';

/** What the bidder needs of the world. */
export interface BidderDeps {
  snapshot: SnapshotService;
  budgets: Budgets;
  traffic: Traffic;
  newBidId: () => string;
  signer: Signer;
  installRate: InstallRate;
  publicUrl: string;
  now: () => Date;
  random: () => number;
  /** Labels ssp and outcome (bid, no_bid, unreadable). */
  requests: Counter<'ssp' | 'outcome'>;
  /** Labels ssp and reason. */
  noBids: Counter<'ssp' | 'reason'>;
  /** Seconds from the parsed body to the answer. */
  duration: Histogram;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When its head was read, Unix ms. Set for bid requests. */
    arrivedAtMs: number;
  }
}

/**
 * POST /openrtb/{ssp}: answers a bid request with bids (200), nothing (204, its reason counted) or, when it cannot be
 * read, 400 without content. An unknown exchange is 404. Nothing is awaited once the body is there, nothing is logged.
 */
export function registerOpenRtb(http: FastifyInstance, deps: BidderDeps): void {
  void http.register(async (scope) => {
    scope.decorateRequest('arrivedAtMs', 0);
    scope.addHook('onRequest', (request, _reply, done) => {
      request.arrivedAtMs = deps.now().getTime();
      done();
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (request: FastifyRequest, body: Buffer) => readBody(request.headers, body),
    );
    scope.post<{ Params: { ssp: string } }>('/openrtb/:ssp', (request, reply) => {
      const ssp = deps.snapshot.ssp(request.params.ssp);
      if (!ssp) return reply.code(404).send('');
      const stopTimer = deps.duration.startTimer();
      const parsed = readBidRequest(request.body, ssp.slug);
      if (!parsed) {
        deps.requests.inc({ ssp: ssp.slug, outcome: 'unreadable' });
        return reply.code(400).send('');
      }
      const version = answerVersion(request.headers['x-openrtb-version']);
      const answer = bidOn(parsed, ssp.chargeOn, request.arrivedAtMs, version, deps);
      stopTimer();
      if (typeof answer === 'string') {
        deps.requests.inc({ ssp: ssp.slug, outcome: 'no_bid' });
        deps.noBids.inc({ ssp: ssp.slug, reason: answer });
        return reply.code(204).send();
      }
      deps.requests.inc({ ssp: ssp.slug, outcome: 'bid' });
      return reply.header('x-openrtb-version', version).type('application/json').send(JSON.stringify(answer));
    });
  });
}

function bidOn(
  request: ParsedRequest,
  chargeOn: 'billing' | 'win',
  arrivedAtMs: number,
  version: OpenRtbVersion,
  deps: BidderDeps,
): object | NoBidReason {
  const nowMs = deps.now().getTime();
  deps.traffic.count();
  const { timeLimitMs } = request;
  if (timeLimitMs !== null && nowMs - arrivedAtMs >= timeLimitMs) return 'timeout';
  const { bids, reason } = runAuction(request, deps.snapshot.current(), {
    nowMs,
    random: deps.random,
    newBidId: deps.newBidId,
    refusal: (candidate, micros) => deps.budgets.refusal(candidate, micros, nowMs),
    installRate: deps.installRate,
    chargeOn,
    secure: deps.publicUrl.startsWith('https:'),
  });
  if (reason) return reason;
  for (const { ref, candidate } of bids) {
    if (!ref.test) deps.budgets.reserve(ref.bidId, candidate, impressionMicros(ref.bidCpmMicros), nowMs);
  }
  return bidResponse(
    request,
    bids.map((bid) => render(bid, request, deps, nowMs)),
    version,
  );
}

function render(bid: AuctionBid, request: ParsedRequest, deps: BidderDeps, nowMs: number): RenderedBid {
  const urls = deps.signer.urlsFor(bid.ref);
  const addresses = {
    urls,
    viewUrl: viewUrl(bid, request, urls, nowMs),
    fileUrl: ({ uuid, extension }: MediaFile) => `${deps.publicUrl}/m/${uuid}.${extension}`,
  };
  return { bid, urls, markup: renderMarkup(bid, addresses) };
}

function viewUrl(
  { candidate, ref }: AuctionBid,
  { device }: ParsedRequest,
  urls: BidUrls,
  nowMs: number,
): string {
  const touch = {
    clickId: urls.clickId,
    campaignName: candidate.campaignName,
    ip: device.ip,
    userAgent: device.userAgent,
    atMs: nowMs,
  };
  return fillTrackingMacros(candidate.viewUrl, trackingValues(ref, touch));
}
