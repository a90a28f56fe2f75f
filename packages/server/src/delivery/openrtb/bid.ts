import { fillTrackingMacros } from '@bidwell/contract/tracking-macros';
import type { AdsetFaults } from '../snapshot/adset-faults.ts';
import type { AuctionBid, AuctionContext } from '../auction/auction.ts';
import { runAuction } from '../auction/auction.ts';
import type { Valuation } from '../model/valuation.ts';
import { impressionMicros } from '../auction/price.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { further } from '../model/no-bid-reasons.ts';
import type { BidRef, BidUrls } from '../model/event.ts';
import type { Signer } from '../events/signing.ts';
import { asksForInstallToken, trackingValues } from '../events/tracking-values.ts';
import { renderMarkup } from '../markup/render.ts';
import type { Verification } from '../markup/vast.ts';
import type { Budgets } from '../pacing/budgets.ts';
import type { Traffic } from '../pacing/traffic.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import type { Candidate, MediaFile } from '../model/candidate.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
import type { OpenRtbVersion, RenderedBid } from './response.ts';
import { bidResponse } from './response.ts';

/** Dependencies of {@link bidOn}. */
export interface BidDeps {
  snapshot: Pick<SnapshotService, 'current' | 'ssp' | 'rates'>;
  budgets: Budgets;
  traffic: Pick<Traffic, 'count'>;
  newBidId: () => string;
  signer: Signer;
  /** Valuation of a request's impressions. */
  judge: (request: ParsedRequest, nowMs: number) => Valuation;
  /** Called for each bid that is about to be sent; not for test requests. */
  onBid: (ref: BidRef) => void;
  /** Receives ad sets whose markup could not be rendered. */
  faults: AdsetFaults;
  publicUrl: string;
  /** Host name of `publicUrl`. */
  domain: string;
  /** Base URL of the creatives' files. */
  assetUrl: string;
  /** Script that measures videos in apps with the Open Measurement SDK; null for none. */
  verification: Verification | null;
  now: () => Date;
  random: () => number;
}

/** A serialised bid response. */
export interface BidAnswer {
  json: string;
}

/** Maximum number of auctions per request; each repetition excludes ad sets whose bids could not be sent. */
const ROUNDS_MAX = 4;

/**
 * Returns the bid response to a request, or the no-bid reason. Reserves budget for the bids. `arrivedAtMs` is in Unix ms.
 */
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
  // The exchange ignores a late response, so no budget is reserved for it.
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
 * Runs the auction and renders its bids. An ad set whose bid cannot be rendered, or makes the response too long for the
 * exchange, is excluded and the auction is run again, up to {@link ROUNDS_MAX} auctions in all.
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
    noBidReason: (candidate, micros) =>
      barred.get(candidate) ?? deps.budgets.noBidReason(candidate, micros, nowMs),
    exhausted: deps.budgets.exhaustedAmong(snapshot.candidates),
    valuation: deps.judge(request, nowMs),
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

/** Renders the bids. Ad sets whose bid cannot be rendered are added to `barred` and reported. */
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

/** Serialises the response; the brief form if the full one exceeds the exchange's limit. */
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

/** Whether a text exceeds a number of bytes in UTF-8; null is no limit. */
function isLongerThan(json: string, bytesMax: number | null): boolean {
  if (bytesMax === null || json.length * UTF8_BYTES_MAX <= bytesMax) return false;
  return Buffer.byteLength(json) > bytesMax;
}

/** Maximum bytes in UTF-8 of one UTF-16 code unit. */
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

/** AdCOM 1.0, "API Frameworks": OMID 1. */
const OMID_1 = 7;

/** Whether a video's player supports OMID: it lists it in `api`, or lists nothing and the app names its OMID partner. */
function isMeasured({ video }: ParsedImp, request: ParsedRequest): boolean {
  if (!video) return false;
  return video.apis.length > 0 ? video.apis.includes(OMID_1) : request.hasMeasurementSdk;
}

/** Estimated maximum length of a brief response with one bid, without its markup and notice URLs. */
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
  const touchpoint = {
    clickId: urls.clickId,
    installToken: asksForInstallToken(candidate.viewUrl) ? urls.installToken() : '',
    campaignName: candidate.campaignName,
    ip: device.ip,
    userAgent: device.userAgent,
    atMs: nowMs,
  };
  return fillTrackingMacros(candidate.viewUrl, trackingValues(ref, touchpoint));
}
