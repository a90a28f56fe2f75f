import { fillTrackingMacros } from '@bidwell/contract/tracking-links/macros';
import type { AdsetFaults } from '../snapshot/adset-faults.ts';
import { type AuctionBid, type AuctionContext, runAuction } from '../auction/auction.ts';
import type { Valuation } from '../model/valuation.ts';
import { impressionMicros } from '../auction/price.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { further } from '../model/further-reason.ts';
import type { BidRef, BidUrls } from '../model/event.ts';
import type { BidTokens, Signer } from '../trackers/signing.ts';
import { needsInstallToken, trackingValues } from '../trackers/tracking-values.ts';
import { renderMarkup } from '../markup/render.ts';
import type { Verification } from '../markup/vast.ts';
import type { Budgets } from '../pacing/budgets.ts';
import type { Traffic } from '../pacing/traffic.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import type { Candidate, MediaFile } from '../model/candidate.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
import { type BidObject, type OpenRtbVersion, bidObject, priceIn, responseJson } from './response.ts';
import { bidFromTemplate, templateKey } from './bid-template.ts';

/** Dependencies of {@link bidOn}. */
export interface BidDeps extends ResponseDeps {
  snapshot: Pick<SnapshotService, 'current' | 'ssp' | 'rates'>;
  budgets: Budgets;
  traffic: Pick<Traffic, 'count'>;
  /** Called for each bid that is about to be sent; not for test requests. */
  onBid: (ref: BidRef) => void;
}

/** Dependencies of {@link responseOf}. */
export interface ResponseDeps {
  snapshot: Pick<SnapshotService, 'current'>;
  budgets: Pick<Budgets, 'noBidReason' | 'exhaustedAmong'>;
  newBidId: () => string;
  signer: Signer;
  /** Valuation of a request's impressions. */
  valuationOf: (request: ParsedRequest, nowMs: number) => Valuation;
  /** Receives ad sets whose markup could not be rendered. */
  faults: Pick<AdsetFaults, 'report'>;
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

/** A serialised bid response and the bids in it. */
export interface PreparedResponse {
  json: string;
  bids: readonly AuctionBid[];
  /** The JSON of each bid, and whether they have the brief form. */
  texts: readonly string[];
  isBrief: boolean;
}

/** How long after the arrival of a request its exchange waits for the response, ms; Infinity without a limit. */
export function timeLimitMs(request: ParsedRequest, ssp: Ssp): number {
  return Math.min(request.timeLimitMs ?? Infinity, ssp.timeoutMs ?? Infinity);
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
): PreparedResponse | NoBidReason {
  const nowMs = deps.now().getTime();
  deps.traffic.count();
  const limitMs = timeLimitMs(request, ssp);
  const isLate = (atMs: number): boolean => atMs - arrivedAtMs >= limitMs;
  if (isLate(nowMs)) return 'timeout';
  const response = responseOf(request, ssp, version, nowMs, deps);
  if (typeof response === 'string') return response;
  // The exchange ignores a late response, so no budget is reserved for it.
  if (isLate(deps.now().getTime())) return 'timeout';
  for (const { ref, candidate, imp } of response.bids) {
    if (ref.test) continue;
    const { expiresAfterSeconds } = imp;
    const mostMicros = impressionMicros(ref.bidCpmMicros, ref.marginBasisPoints);
    deps.budgets.reserve(ref.bidId, candidate, mostMicros, nowMs, {
      exchange: ssp.slug,
      expiresAfterSeconds,
    });
    deps.onBid(ref);
  }
  return response;
}

/**
 * Runs the auction and renders its bids. An ad set whose bid cannot be rendered, or makes the response too long for the
 * exchange, is excluded and the auction is run again, up to {@link ROUNDS_MAX} auctions in all.
 */
export function responseOf(
  request: ParsedRequest,
  ssp: Ssp,
  version: OpenRtbVersion,
  nowMs: number,
  deps: ResponseDeps,
): PreparedResponse | NoBidReason {
  const barred = new Map<Candidate, NoBidReason>();
  const snapshot = deps.snapshot.current();
  const context: AuctionContext = {
    nowMs,
    random: deps.random,
    newBidId: deps.newBidId,
    noBidReason: (candidate, micros) =>
      barred.get(candidate) ?? deps.budgets.noBidReason(candidate, micros, nowMs),
    exhausted: deps.budgets.exhaustedAmong(snapshot.candidates),
    valuation: deps.valuationOf(request, nowMs),
    chargeOn: ssp.chargeOn,
    secure: deps.publicUrl.startsWith('https:'),
  };
  for (let round = 1; ; round += 1) {
    const { bids, reason } = runAuction(request, snapshot, context);
    if (reason) return reason;
    const barredBefore = barred.size;
    let rendered = renderAll(bids, { request, ssp, version, nowMs, deps }, barred);
    while (rendered.length > 0) {
      const { json, texts, isBrief } = shortEnough(request, rendered, ssp);
      const isShort = !isLongerThan(json, ssp.answerBytesMax);
      if (isShort && (barred.size === barredBefore || round === ROUNDS_MAX))
        return { json, bids: rendered.map(({ bid }) => bid), texts, isBrief };
      if (isShort) break;
      const longest = longestOf(rendered);
      barred.set(longest.bid.candidate, 'answer_too_long');
      rendered = rendered.filter((one) => one !== longest);
    }
    if (round === ROUNDS_MAX) return [...barred.values()].reduce(further);
  }
}

/** What the bids of one request are rendered for. */
interface Rendering {
  request: ParsedRequest;
  ssp: Ssp;
  version: OpenRtbVersion;
  nowMs: number;
  deps: ResponseDeps;
}

/** A bid as JSON. The brief form and the length of the markup matter only where the length of responses is limited. */
interface RenderedBid {
  bid: AuctionBid;
  json: string;
  brief: () => string;
  markupChars: number;
}

/** Renders the bids. Ad sets whose bid cannot be rendered are added to `barred` and reported. */
function renderAll(
  bids: readonly AuctionBid[],
  rendering: Rendering,
  barred: Map<Candidate, NoBidReason>,
): RenderedBid[] {
  const rendered: RenderedBid[] = [];
  for (const bid of bids) {
    try {
      rendered.push(
        rendering.ssp.answerBytesMax === null
          ? renderFromTemplate(bid, rendering)
          : renderWithinLimit(bid, rendering),
      );
    } catch (error) {
      barred.set(bid.candidate, 'markup_failed');
      rendering.deps.faults.report('markup', bid.candidate, error);
    }
  }
  return rendered;
}

/** Serialises the response; the brief form if the full one exceeds the exchange's limit. */
function shortEnough(
  request: ParsedRequest,
  rendered: readonly RenderedBid[],
  { answerBytesMax }: Ssp,
): Omit<PreparedResponse, 'bids'> {
  const json = responseJson(request, rendered);
  if (!isLongerThan(json, answerBytesMax))
    return { json, texts: rendered.map((one) => one.json), isBrief: false };
  const bids = rendered.map(({ bid, brief }) => ({ bid, json: brief() }));
  return { json: responseJson(request, bids, true), texts: bids.map((one) => one.json), isBrief: true };
}

/** Whether a text exceeds a number of bytes in UTF-8; null is no limit. */
function isLongerThan(json: string, bytesMax: number | null): boolean {
  if (bytesMax === null || json.length * UTF8_BYTES_MAX <= bytesMax) return false;
  return Buffer.byteLength(json) > bytesMax;
}

/** Maximum bytes in UTF-8 of one UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;

function longestOf(rendered: readonly RenderedBid[]): RenderedBid {
  return rendered.reduce((a, b) => (b.markupChars > a.markupChars ? b : a));
}

/** Renders a bid from its template. The result is the same as that of {@link renderPlain}. */
function renderFromTemplate(bid: AuctionBid, rendering: Rendering): RenderedBid {
  const { request, ssp, version, deps } = rendering;
  const { ref, imp } = bid;
  const tokens = deps.signer.tokensFor(ref);
  const key = templateKey(bid, request, ssp, version, isMeasured(imp, request));
  const values = {
    bidId: ref.bidId,
    impId: imp.id,
    price: priceIn(request.currency!, ref.bidCpmMicros),
    viewUrl: viewUrlOf(bid, tokens, rendering),
    tokens,
  };
  const json = bidFromTemplate(bid, key, values, (marks) => {
    const markedBid = { ...bid, ref: { ...ref, bidId: marks.bidId }, imp: { ...imp, id: marks.impId } };
    return { ...renderPlain(markedBid, marks.tokens, marks.viewUrl, rendering), price: marks.price };
  });
  return { bid, json, brief: () => json, markupChars: json.length };
}

/** Renders a bid for an exchange that limits the length of responses: what the markup contains depends on its length. */
function renderWithinLimit(bid: AuctionBid, rendering: Rendering): RenderedBid {
  const tokens = rendering.deps.signer.tokensFor(bid.ref);
  const viewUrl = viewUrlOf(bid, tokens, rendering);
  const object = renderPlain(bid, tokens, viewUrl, rendering);
  return {
    bid,
    json: JSON.stringify(object),
    brief: () => JSON.stringify(renderPlain(bid, tokens, viewUrl, rendering, true)),
    markupChars: object.adm.length,
  };
}

/** Renders the object of a bid with these tokens and view URL. */
function renderPlain(
  bid: AuctionBid,
  tokens: BidTokens,
  viewUrl: string,
  { request, ssp, version, deps }: Rendering,
  isBrief = false,
): BidObject {
  const macros = { price: ssp.priceMacro, loss: ssp.lossMacro };
  const urls = deps.signer.urlsWith(tokens, bid.ref.chargeOn, macros);
  const markup = renderMarkup(bid, {
    urls,
    clickMacro: ssp.clickMacro,
    viewUrl,
    fileUrl: ({ uuid, extension }: MediaFile, copy: string | null = null) =>
      `${deps.assetUrl}/m/${uuid}${copy === null ? '' : `.${copy}`}.${extension}`,
    verification: isMeasured(bid.imp, request) ? deps.verification : null,
    markupBytesMax: markupBytesMax(ssp, urls),
  });
  return bidObject({ bid, urls, markup }, request, version, deps.domain, isBrief);
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

function viewUrlOf(
  { candidate, creative, ref }: AuctionBid,
  tokens: BidTokens,
  { request: { device }, nowMs, deps }: Rendering,
): string {
  const viewUrl = creative.viewUrl ?? candidate.viewUrl;
  if (!viewUrl.includes('{')) return viewUrl;
  const clickId = tokens('click-id');
  const touchpoint = {
    clickId,
    installToken: needsInstallToken(viewUrl) ? deps.signer.installTokenOf(clickId) : '',
    campaignName: candidate.campaignName,
    ip: device.ip,
    userAgent: device.userAgent,
    atMs: nowMs,
  };
  return fillTrackingMacros(viewUrl, trackingValues(ref, touchpoint));
}
