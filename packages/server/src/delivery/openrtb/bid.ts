import { fillTrackingMacros } from '@bidwell/contract/tracking-macros';
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
import type { Traffic } from '../pacing/traffic.ts';
import type { Ssp } from '../snapshot/store.ts';
import type { MediaFile } from '../snapshot/types.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { ParsedRequest } from './request.ts';
import type { OpenRtbVersion, RenderedBid } from './response.ts';
import { bidResponse } from './response.ts';

/** What a bid is made from. */
export interface BidDeps {
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
  now: () => Date;
  random: () => number;
}

/** The bid response to a request that arrived at an instant (Unix ms), or why there is none. Holds back what the bids may cost. */
export function bidOn(
  request: ParsedRequest,
  ssp: Ssp,
  arrivedAtMs: number,
  version: OpenRtbVersion,
  deps: BidDeps,
): object | NoBidReason {
  const nowMs = deps.now().getTime();
  deps.traffic.count();
  const limitMs = Math.min(request.timeLimitMs ?? Infinity, ssp.timeoutMs ?? Infinity);
  const isLate = (atMs: number): boolean => atMs - arrivedAtMs >= limitMs;
  if (isLate(nowMs)) return 'timeout';
  if (ssp.auctionType !== 'request') request.auctionType = ssp.auctionType === 'first' ? 1 : 2;
  const snapshot = deps.snapshot.current();
  const { bids, reason } = runAuction(request, snapshot, {
    nowMs,
    random: deps.random,
    newBidId: deps.newBidId,
    refusal: (candidate, micros) => deps.budgets.refusal(candidate, micros, nowMs),
    resting: deps.budgets.resting(snapshot.candidates),
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
  deps: BidDeps,
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
