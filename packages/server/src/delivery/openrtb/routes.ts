import { fillTrackingMacros } from '@bidwell/contract/tracking-macros';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Counter, Histogram } from 'prom-client';
import type { AuctionBid } from '../auction/auction.ts';
import { runAuction } from '../auction/auction.ts';
import type { Judgement } from '../auction/price.ts';
import { impressionMicros } from '../auction/price.ts';
import type { NoBidReason } from '../auction/reasons.ts';
import type { BidRef, BidUrls } from '../events/event.ts';
import type { Signer } from '../events/signing.ts';
import { trackingValues } from '../events/touch.ts';
import { renderMarkup } from '../markup/render.ts';
import type { Budgets } from '../pacing/budgets.ts';
import type { Ssp } from '../snapshot/store.ts';
import type { Traffic } from '../pacing/traffic.ts';
import type { MediaFile } from '../snapshot/types.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import { RateGate, isAdmitted } from './gate.ts';
import { noBidBody } from './nbr.ts';
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
  /** What is believed of the impressions that a request offers. */
  judge: (request: ParsedRequest, nowMs: number) => Judgement;
  /** A bid is about to be sent. */
  onBid: (ref: BidRef) => void;
  publicUrl: string;
  /** Our number in the IAB's list of vendors; null without one. */
  tcfVendorId: number | null;
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
    /** When its head was read, Unix ms, and whose it is. Set for bid requests. */
    arrivedAtMs: number;
    ssp: Ssp | null;
  }
}

interface BidRequest {
  Params: { ssp: string; secret?: string };
}

/**
 * POST /openrtb/{ssp} or /openrtb/{ssp}/{secret}: answers a bid request with bids (200), nothing (204, its reason
 * counted; or 200 with `nbr` where the request's `ext.nbr` is 1) or, when it cannot be read, 400 without content. An
 * unknown exchange or a wrong secret is 404; beyond the exchange's limit the answer is 204, unread. Nothing is awaited
 * once the body is there, nothing is logged.
 */
export function registerOpenRtb(http: FastifyInstance, deps: BidderDeps): void {
  const gate = new RateGate();
  const noBid = (ssp: string, reason: NoBidReason): void => {
    deps.requests.inc({ ssp, outcome: 'no_bid' });
    deps.noBids.inc({ ssp, reason });
  };
  void http.register(async (scope) => {
    scope.decorateRequest('arrivedAtMs', 0);
    scope.decorateRequest('ssp', null);
    scope.addHook<BidRequest>('onRequest', (request, reply, done) => {
      const { params } = request;
      const ssp = deps.snapshot.ssp(params.ssp);
      request.arrivedAtMs = deps.now().getTime();
      if (!ssp || !isAdmitted(ssp, params.secret)) return void reply.code(404).send('');
      if (!gate.admits(ssp, request.arrivedAtMs)) {
        noBid(ssp.slug, 'too_many_requests');
        return void reply.code(204).send();
      }
      request.ssp = ssp;
      done();
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (request: FastifyRequest, body: Buffer) => readBody(request.headers, body),
    );
    const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const ssp = request.ssp!;
      const stopTimer = deps.duration.startTimer();
      const parsed = readBidRequest(request.body, ssp.slug, deps.snapshot.rates(), deps.tcfVendorId);
      if (!parsed) {
        deps.requests.inc({ ssp: ssp.slug, outcome: 'unreadable' });
        return reply.code(400).send('');
      }
      const version = answerVersion(request.headers['x-openrtb-version']);
      const answer = bidOn(parsed, ssp, request.arrivedAtMs, version, deps);
      stopTimer();
      if (typeof answer !== 'string') {
        deps.requests.inc({ ssp: ssp.slug, outcome: 'bid' });
        return sendJson(reply, version, answer);
      }
      noBid(ssp.slug, answer);
      return parsed.wantsReason
        ? sendJson(reply, version, noBidBody(parsed.id, answer))
        : reply.code(204).send();
    };
    scope.post<BidRequest>('/openrtb/:ssp', handler);
    scope.post<BidRequest>('/openrtb/:ssp/:secret', handler);
  });
}

function sendJson(reply: FastifyReply, version: OpenRtbVersion, body: object): FastifyReply {
  return reply.header('x-openrtb-version', version).type('application/json').send(JSON.stringify(body));
}

function bidOn(
  request: ParsedRequest,
  ssp: Ssp,
  arrivedAtMs: number,
  version: OpenRtbVersion,
  deps: BidderDeps,
): object | NoBidReason {
  const nowMs = deps.now().getTime();
  deps.traffic.count();
  const limitMs = Math.min(request.timeLimitMs ?? Infinity, ssp.timeoutMs ?? Infinity);
  const isLate = (atMs: number): boolean => atMs - arrivedAtMs >= limitMs;
  if (isLate(nowMs)) return 'timeout';
  if (ssp.auctionType !== 'request') request.auctionType = ssp.auctionType === 'first' ? 1 : 2;
  const { bids, reason } = runAuction(request, deps.snapshot.current(), {
    nowMs,
    random: deps.random,
    newBidId: deps.newBidId,
    refusal: (candidate, micros) => deps.budgets.refusal(candidate, micros, nowMs),
    judgement: deps.judge(request, nowMs),
    chargeOn: ssp.chargeOn,
    secure: deps.publicUrl.startsWith('https:'),
  });
  if (reason) return reason;
  const body = bidResponse(
    request,
    bids.map((bid) => render(bid, request, ssp, deps, nowMs)),
    version,
  );
  // An answer that comes too late is none: nothing may be held back for it.
  if (isLate(deps.now().getTime())) return 'timeout';
  for (const { ref, candidate } of bids) {
    if (ref.test) continue;
    deps.budgets.reserve(ref.bidId, candidate, impressionMicros(ref.bidCpmMicros), nowMs);
    deps.onBid(ref);
  }
  return body;
}

function render(
  bid: AuctionBid,
  request: ParsedRequest,
  ssp: Ssp,
  deps: BidderDeps,
  nowMs: number,
): RenderedBid {
  const urls = deps.signer.urlsFor(bid.ref, { price: ssp.priceMacro, loss: ssp.lossMacro });
  const addresses = {
    urls,
    clickMacro: ssp.clickMacro,
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
