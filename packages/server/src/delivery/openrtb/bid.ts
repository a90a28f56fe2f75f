import { fillTrackingMacros } from '@bidwell/contract/tracking-macros';
import type { AdsetFaults } from '../snapshot/adset-faults.ts';
import type { AuctionBid, AuctionContext } from '../auction/auction.ts';
import { runAuction } from '../auction/auction.ts';
import type { Judgement } from '../model/valuation.ts';
import { impressionMicros } from '../auction/price.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { further } from '../model/no-bid-reasons.ts';
import type { BidRef, BidUrls } from '../model/event.ts';
import type { Signer } from '../events/signing.ts';
import { asksForInstallToken, trackingValues } from '../events/touch.ts';
import { renderMarkup } from '../markup/render.ts';
import type { Verification } from '../markup/vast.ts';
import type { Budgets } from '../pacing/budgets.ts';
import type { Traffic } from '../pacing/traffic.ts';
import type { Ssp } from '../snapshot/store.ts';
import type { Candidate, MediaFile } from '../model/candidate.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
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
  /** Takes note of an ad set whose bid could not be made. */
  faults: AdsetFaults;
  publicUrl: string;
  /** Our own domain, of `publicUrl`. */
  domain: string;
  /** Where devices load the files of creatives. */
  assetUrl: string;
  /** The script that measures videos where the app has the Open Measurement SDK; null for none. */
  verification: Verification | null;
  now: () => Date;
  random: () => number;
}

/** A bid response, serialised. */
export interface BidAnswer {
  json: string;
}

/** How often the auction is held again without the ad sets whose bids cannot be sent. */
const ROUNDS_MAX = 4;

/** The bid response to a request that arrived at an instant (Unix ms), or why there is none. Holds back what the bids may cost. */
export function bidOn(
  request: ParsedRequest,
  ssp: Ssp,
  arrivedAtMs: number,
  version: OpenRtbVersion,
  deps: BidDeps,
): BidAnswer | NoBidReason {
  const nowMs = deps.now().getTime();
  deps.traffic.count();
  const limitMs = Math.min(request.timeLimitMs ?? Infinity, ssp.timeoutMs ?? Infinity);
  const isLate = (atMs: number): boolean => atMs - arrivedAtMs >= limitMs;
  if (isLate(nowMs)) return 'timeout';
  if (ssp.auctionType !== 'request') request.auctionType = ssp.auctionType === 'first' ? 1 : 2;
  const answer = sendableAnswer(request, ssp, version, nowMs, deps);
  if (typeof answer === 'string') return answer;
  // An answer that comes too late is none: nothing may be held back for it.
  if (isLate(deps.now().getTime())) return 'timeout';
  for (const { ref, candidate, imp } of answer.bids) {
    if (ref.test) continue;
    const { expiresAfterSeconds } = imp;
    deps.budgets.reserve(ref.bidId, candidate, impressionMicros(ref.bidCpmMicros), nowMs, {
      exchange: ssp.slug,
      expiresAfterSeconds,
    });
    deps.onBid(ref);
  }
  return { json: answer.json };
}

interface SendableAnswer extends BidAnswer {
  bids: readonly AuctionBid[];
}

/**
 * Holds the auction and renders its bids. An ad set whose bid cannot be rendered, or makes the answer too long for the
 * exchange, loses only that bid: the auction is held again without it.
 */
function sendableAnswer(
  request: ParsedRequest,
  ssp: Ssp,
  version: OpenRtbVersion,
  nowMs: number,
  deps: BidDeps,
): SendableAnswer | NoBidReason {
  const barred = new Map<Candidate, NoBidReason>();
  const snapshot = deps.snapshot.current();
  const context: AuctionContext = {
    nowMs,
    random: deps.random,
    newBidId: deps.newBidId,
    refusal: (candidate, micros) => barred.get(candidate) ?? deps.budgets.refusal(candidate, micros, nowMs),
    resting: deps.budgets.resting(snapshot.candidates),
    judgement: deps.judge(request, nowMs),
    chargeOn: ssp.chargeOn,
    secure: deps.publicUrl.startsWith('https:'),
  };
  for (let round = 1; ; round += 1) {
    const { bids, reason } = runAuction(request, snapshot, context);
    if (reason) return reason;
    const barredBefore = barred.size;
    let rendered = renderAll(bids, request, ssp, nowMs, barred, deps);
    while (rendered.length > 0) {
      const json = shortEnough(request, rendered, version, ssp, deps.domain);
      const isShort = !isLongerThan(json, ssp.answerBytesMax);
      if (isShort && (barred.size === barredBefore || round === ROUNDS_MAX))
        return { json, bids: rendered.map(({ bid }) => bid) };
      if (isShort) break;
      const longest = longestOf(rendered);
      barred.set(longest.bid.candidate, 'answer_too_long');
      rendered = rendered.filter((one) => one !== longest);
    }
    if (round === ROUNDS_MAX) return [...barred.values()].reduce(further);
  }
}

/** The bids that can be rendered; the ad sets of the others are barred. */
function renderAll(
  bids: readonly AuctionBid[],
  request: ParsedRequest,
  ssp: Ssp,
  nowMs: number,
  barred: Map<Candidate, NoBidReason>,
  deps: BidDeps,
): RenderedBid[] {
  const rendered: RenderedBid[] = [];
  for (const bid of bids) {
    try {
      rendered.push(render(bid, request, ssp, deps, nowMs));
    } catch (error) {
      barred.set(bid.candidate, 'markup_failed');
      deps.faults.report('markup', bid.candidate, error);
    }
  }
  return rendered;
}

/** A response, a brief one where the exchange limits its length and the whole one is longer. */
function shortEnough(
  request: ParsedRequest,
  rendered: readonly RenderedBid[],
  version: OpenRtbVersion,
  { answerBytesMax }: Ssp,
  ownDomain: string,
): string {
  const json = JSON.stringify(bidResponse(request, rendered, version, ownDomain));
  if (!isLongerThan(json, answerBytesMax)) return json;
  return JSON.stringify(bidResponse(request, rendered, version, ownDomain, true));
}

/** `bytesMax` null is no limit. */
function isLongerThan(json: string, bytesMax: number | null): boolean {
  if (bytesMax === null || json.length * UTF8_BYTES_MAX <= bytesMax) return false;
  return Buffer.byteLength(json) > bytesMax;
}

/** Bytes of one UTF-16 unit in UTF-8, at most. */
const UTF8_BYTES_MAX = 3;

function longestOf(rendered: readonly RenderedBid[]): RenderedBid {
  return rendered.reduce((a, b) => (b.markup.adm.length > a.markup.adm.length ? b : a));
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
    fileUrl: ({ uuid, extension }: MediaFile) => `${deps.assetUrl}/m/${uuid}.${extension}`,
    verification: isMeasured(bid.imp, request) ? deps.verification : null,
    markupBytesMax: markupBytesMax(ssp, urls),
  };
  return { bid, urls, markup: renderMarkup(bid, addresses) };
}

/** AdCOM 1.0, "API Frameworks". */
const OMID_1 = 7;

/** Whether a video's player has the Open Measurement SDK: it says so, or says nothing and the app names its partner. */
function isMeasured({ video }: ParsedImp, request: ParsedRequest): boolean {
  if (!video) return false;
  return video.apis.length > 0 ? video.apis.includes(OMID_1) : request.hasMeasurementSdk;
}

/** What a brief response with one bid says beside its markup and the addresses of its notices usually takes less. */
const OTHER_BYTES = 480;

function markupBytesMax({ answerBytesMax }: Ssp, { win, billing }: BidUrls): number | null {
  if (answerBytesMax === null) return null;
  return answerBytesMax - win.length - billing.length - OTHER_BYTES;
}

function viewUrl(
  { candidate, ref }: AuctionBid,
  { device }: ParsedRequest,
  urls: BidUrls,
  nowMs: number,
): string {
  const touch = {
    clickId: urls.clickId,
    installToken: asksForInstallToken(candidate.viewUrl) ? urls.installToken() : '',
    campaignName: candidate.campaignName,
    ip: device.ip,
    userAgent: device.userAgent,
    atMs: nowMs,
  };
  return fillTrackingMacros(candidate.viewUrl, trackingValues(ref, touch));
}
