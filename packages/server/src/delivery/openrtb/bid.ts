import { fillTrackingMacros } from '@bidwell/contract/tracking-links/macros';
import type { AdsetFaults } from '../snapshot/adset-faults.ts';
import { type AuctionBid, type AuctionContext, type RequestCaps, runAuction } from '../auction/auction.ts';
import type { Valuation } from '../model/valuation.ts';
import { impressionMicros } from '../auction/price.ts';
import type { OversizedCreatives } from '../exchanges/oversized-creatives.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { further } from '../model/no-bid-reason.ts';
import type { BidRef, BidUrls } from '../model/event.ts';
import type { BidTokens, Signer } from '../trackers/signer.ts';
import { opensApp } from '../trackers/app-opening.ts';
import { needsInstallToken, trackingValues } from '../trackers/tracking-values.ts';
import { renderMarkup } from '../markup/render.ts';
import type { Verification } from '../markup/vast.ts';
import type { Budgets } from '../pacing/budgets.ts';
import type { Traffic } from '../pacing/traffic-profile.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import type { Candidate, MediaFile } from '../model/candidate.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import { type ParsedImp, type ParsedRequest, type ParsedVideo, billingIdOf } from '../model/bid-request.ts';
import { type BidObject, type OpenRtbVersion, bidObject, priceIn, responseJson } from './response.ts';
import { randomBytes, randomFillSync } from 'node:crypto';
import { shownSize, playableSize } from '../auction/formats.ts';
import type { Purpose } from '../trackers/bid-payload.ts';
import { encodedUrl, escapeHtml } from '../../platform/escape.ts';
import { v7 as uuidv7 } from 'uuid';

/** Dependencies of {@link bidOn}. */
export interface BidDeps extends ResponseDeps {
  snapshot: Pick<SnapshotService, 'current' | 'ssp' | 'rates'>;
  budgets: Pick<Budgets, 'noBidReason' | 'exhaustedAmong' | 'reserve'>;
  traffic: Pick<Traffic, 'count'>;
  /** Called for each bid that is about to be sent, with how long it waits for its notice, ms; not for test requests. */
  onBid: (ref: BidRef, candidate: Candidate, reservationMs: number) => void;
}

/** Dependencies of {@link responseOf}. */
export interface ResponseDeps {
  snapshot: Pick<SnapshotService, 'current'>;
  budgets: Pick<Budgets, 'noBidReason' | 'exhaustedAmong'>;
  newBidId: () => string;
  signer: Signer;
  /** Valuation of a request's impressions. */
  valuationOf: (request: ParsedRequest, nowMs: number) => Valuation;
  /** The frequency caps of a request; absent where they are not counted. */
  capsFor?: (request: ParsedRequest, nowMs: number) => RequestCaps;
  /** Receives ad sets whose markup could not be rendered. */
  faults: Pick<AdsetFaults, 'report'>;
  /** Remembers creatives whose bid alone is too long for an exchange. */
  oversized: Pick<OversizedCreatives, 'add'>;
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
  deps.traffic.count(request.device, deps.snapshot.current());
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
    const { cached_seconds: cachedSeconds } = ssp.rules;
    const mostMicros = impressionMicros(ref.bidCpmMicros, ref.marginBasisPoints);
    const reservationMs = deps.budgets.reserve(ref.bidId, candidate, mostMicros, nowMs, {
      exchange: ssp.slug,
      expiresAfterSeconds,
      cachedSeconds,
      country: ref.country,
    });
    deps.onBid(ref, candidate, reservationMs);
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
    noBidReason: (candidate, micros, country) =>
      barred.get(candidate) ?? deps.budgets.noBidReason(candidate, micros, nowMs, country),
    exhausted: deps.budgets.exhaustedAmong(snapshot.candidates),
    valuation: deps.valuationOf(request, nowMs),
    chargeOn: ssp.chargeOn,
    secure: deps.publicUrl.startsWith('https:'),
    ...(deps.capsFor && { caps: deps.capsFor(request, nowMs) }),
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
      if (rendered.length === 1) deps.oversized.add(longest.bid.ref, nowMs);
      rendered = rendered.filter((one) => one !== longest);
    }
    if (round === ROUNDS_MAX) return [...barred.values()].reduce(further);
  }
}

/** Inputs for rendering the bids of one request. */
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

/** Renders a bid from its template. The result is the same as from {@link renderObject}. */
function renderFromTemplate(bid: AuctionBid, rendering: Rendering): RenderedBid {
  const { request, ssp, version, deps } = rendering;
  const { ref, imp } = bid;
  const tokens = deps.signer.tokensFor(ref);
  const key = templateKey(bid, request, ssp, version, isMeasurable(imp, request));
  const values = {
    bidId: ref.bidId,
    impId: imp.id,
    price: priceIn(request.currency!, ref.bidCpmMicros),
    ...linksOf(bid, tokens, rendering),
    tokens,
  };
  const json = bidFromTemplate(bid, key, values, (marks) => {
    const markedBid = { ...bid, ref: { ...ref, bidId: marks.bidId }, imp: { ...imp, id: marks.impId } };
    return {
      ...renderObject(
        markedBid,
        marks.tokens,
        { ...marks, deepLink: values.deepLink && marks.deepLink },
        rendering,
      ),
      price: marks.price,
    };
  });
  return { bid, json, brief: () => json, markupChars: json.length };
}

/** Renders a bid for an exchange that limits the length of responses: the length decides what the markup contains. */
function renderWithinLimit(bid: AuctionBid, rendering: Rendering): RenderedBid {
  const tokens = rendering.deps.signer.tokensFor(bid.ref);
  const links = linksOf(bid, tokens, rendering);
  const object = renderObject(bid, tokens, links, rendering);
  return {
    bid,
    json: JSON.stringify(object),
    brief: () => JSON.stringify(renderObject(bid, tokens, links, rendering, true)),
    markupChars: object.adm.length,
  };
}

/** Renders the object of a bid with these tokens and links. */
function renderObject(
  bid: AuctionBid,
  tokens: BidTokens,
  { viewUrl, deepLink }: BidLinks,
  { request, ssp, version, deps }: Rendering,
  isBrief = false,
): BidObject {
  const macros = { price: ssp.priceMacro, loss: ssp.lossMacro, minToWin: ssp.rules.min_to_win };
  const urls = deps.signer.urlsWith(tokens, bid.ref.chargeOn, macros);
  const markup = renderMarkup(bid, {
    urls,
    clickMacro: ssp.clickMacro,
    viewUrl,
    deepLink,
    fileUrl: ({ uuid, extension }: MediaFile, copy: string | null = null) =>
      `${deps.assetUrl}/m/${uuid}${copy === null ? '' : `.${copy}`}.${extension}`,
    verification: isMeasurable(bid.imp, request) ? deps.verification : null,
    markupBytesMax: markupBytesMax(ssp, urls),
  });
  const feedbackToken = ssp.rules.bid_feedback ? tokens('feedback') : null;
  const { domain: ownDomain } = deps;
  return bidObject(
    { bid, urls, markup, feedbackToken },
    request,
    version,
    { ownDomain, rules: ssp.rules },
    isBrief,
  );
}

/** AdCOM 1.0, "API Frameworks": OMID 1. */
const OMID_1 = 7;

/** Whether a video's player supports OMID: it lists it in `api`, or lists nothing and the app names its OMID partner. */
function isMeasurable({ video }: ParsedImp, request: ParsedRequest): boolean {
  if (!video) return false;
  return video.apis.length > 0 ? video.apis.includes(OMID_1) : request.hasMeasurementSdk;
}

/** Estimated maximum length of a brief response with one bid, without its markup and notice URLs. */
const OTHER_BYTES = 480;

function markupBytesMax({ answerBytesMax }: Ssp, { win, billing }: BidUrls): number | null {
  if (answerBytesMax === null) return null;
  return answerBytesMax - win.length - billing.length - OTHER_BYTES;
}

/** Links of a bid that are not ours, macros filled in and not encoded. */
interface BidLinks {
  /** The measurement partner's. */
  viewUrl: string;
  /** The deep link that a click on a native ad opens; null for none, and for other ads. */
  deepLink: string | null;
}

function linksOf(
  { candidate, creative, ref }: AuctionBid,
  tokens: BidTokens,
  { request: { device }, nowMs, deps }: Rendering,
): BidLinks {
  const viewUrl = creative.viewUrl ?? candidate.viewUrl;
  const clickUrl = creative.clickUrl ?? candidate.clickUrl;
  const { deepLink, campaignName } = candidate;
  const opened = creative.type === 'Native' && opensApp(ref, { clickUrl, deepLink }) ? deepLink : null;
  if (!viewUrl.includes('{') && !opened?.includes('{')) return { viewUrl, deepLink: opened };
  const clickId = tokens('click-id');
  const values = trackingValues(ref, {
    clickId,
    installToken: needsInstallToken(viewUrl, deepLink) ? deps.signer.installTokenOf(clickId) : '',
    campaignName,
    deepLink,
    ip: device.ip,
    userAgent: device.userAgent,
    atMs: nowMs,
  });
  return {
    viewUrl: fillTrackingMacros(viewUrl, values),
    deepLink: opened === null ? null : values.deep_link!,
  };
}

/**
 * Parts that differ between two bids of one template: ids, price, the partner's view URL, the deep link, and the token of each
 * purpose and of feedback.
 */
type Slot = 'id' | 'impid' | 'price' | 'view' | 'deep' | 'feedback' | Purpose;

/** A bid as JSON in parts: a slot follows each text but the last. */
interface BidTemplate {
  texts: readonly string[];
  slots: readonly Slot[];
}

/** Values of a bid's slots. */
interface SlotValues {
  bidId: string;
  impId: string;
  price: number;
  /** Not encoded. */
  viewUrl: string;
  deepLink: string | null;
  tokens: BidTokens;
}

/** Surrounds the names of slots. Random, so that no text of an advertiser contains it; escaping leaves it as it is. */
const MARK = `x${randomBytes(12).toString('hex')}x`;
function marked(slot: Slot): string {
  return MARK + slot + MARK;
}

/** Templates in memory at once; each takes a few KB. */
const TEMPLATES_MAX = 5000;
let templates = new WeakMap<Candidate, Map<string, BidTemplate>>();
let templateCount = 0;

/**
 * JSON of a bid from its template, which is compiled once for a creative of the snapshot and {@link templateKey}.
 * `renderPlain` renders the bid object with the usual functions: a template is its result with marks in place of the
 * slots' values.
 */
function bidFromTemplate(
  { candidate, creative }: AuctionBid,
  key: string,
  values: SlotValues,
  renderPlain: (marks: SlotMarks) => object,
): string {
  let byKey = templates.get(candidate);
  const fullKey = `${creative.uuid} ${key}`;
  let template = byKey?.get(fullKey);
  if (!template) {
    if (templateCount >= TEMPLATES_MAX) {
      templates = new WeakMap();
      byKey = undefined;
      templateCount = 0;
    }
    if (!byKey) templates.set(candidate, (byKey = new Map<string, BidTemplate>()));
    byKey.set(fullKey, (template = compile(renderPlain(MARKS))));
    templateCount += 1;
  }
  const isHtml = creative.type === 'Banner';
  return filled(template, values, isHtml);
}

/** Marks to render in place of the values. */
interface SlotMarks {
  bidId: string;
  impId: string;
  price: string;
  viewUrl: string;
  deepLink: string;
  tokens: BidTokens;
}
const MARKS: SlotMarks = {
  bidId: marked('id'),
  impId: marked('impid'),
  price: marked('price'),
  viewUrl: marked('view'),
  deepLink: marked('deep'),
  tokens: marked,
};

function compile(bid: object): BidTemplate {
  // These two are JSON values of their own, without the quotes of the mark.
  const json = JSON.stringify(bid)
    .replace(`"${MARKS.impId}"`, MARKS.impId)
    .replace(`"${MARKS.price}"`, MARKS.price);
  const parts = json.split(MARK);
  return {
    texts: parts.filter((_part, index) => index % 2 === 0),
    slots: parts.filter((_part, index) => index % 2 === 1) as Slot[],
  };
}

function filled({ texts, slots }: BidTemplate, values: SlotValues, isHtml: boolean): string {
  let json = texts[0]!;
  for (let index = 0; index < slots.length; index += 1)
    json += valueOf(slots[index]!, values, isHtml) + texts[index + 1]!;
  return json;
}

function valueOf(
  slot: Slot,
  { bidId, impId, price, viewUrl, deepLink, tokens }: SlotValues,
  isHtml: boolean,
): string {
  switch (slot) {
    case 'id':
      return bidId;
    case 'impid':
      return JSON.stringify(impId);
    case 'price':
      return String(price);
    case 'view': {
      // An encoded URL has no character that JSON, a script or CDATA would escape.
      const url = encodedUrl(viewUrl);
      return isHtml ? escapeHtml(url) : url;
    }
    case 'deep':
      return encodedUrl(deepLink!);
    default:
      return tokens(slot);
  }
}

/** Everything besides the slots and the creative on which a bid object depends. */
function templateKey(
  { imp, candidate, creative, ref }: AuctionBid,
  { categoryTaxonomy, dsa }: ParsedRequest,
  { slug, profile, chargeOn, clickMacro, priceMacro, lossMacro }: Ssp,
  version: OpenRtbVersion,
  isMeasured: boolean,
): string {
  const language = candidate.languages.include.size > 0 ? ref.language : '';
  const terms = `${version} ${categoryTaxonomy} ${dsa !== null} ${imp.expiresAfterSeconds} ${language}`;
  const billingId = imp.billing ? billingIdOf(imp.billing, candidate.companyId) : '';
  const exchange = `${slug} ${profile} ${billingId} ${chargeOn} ${clickMacro} ${priceMacro} ${lossMacro}`;
  if (creative.type !== 'Banner')
    return `${terms} ${exchange} ${isMeasured} ${variantOf(creative.type, imp)}`;
  const { width, height } = shownSize(creative.file, imp);
  return `${terms} ${exchange} ${width} ${height}`;
}

/** The part of an imp on which the markup of a creative type depends. */
function variantOf(
  type: 'Native' | 'Video' | 'Playable',
  { banner, video, native, rewarded }: ParsedImp,
): string {
  switch (type) {
    case 'Native':
      return JSON.stringify(native);
    case 'Video':
      return video ? `${rewarded} ${videoVariant(video)}` : '';
    case 'Playable':
      return JSON.stringify(banner && [playableSize(banner), banner.apis]);
  }
}

/** Without floors and pods, which differ between requests and leave the markup as it is. */
function videoVariant({
  protocols,
  skippable,
  skipMinSeconds,
  skipAfterSeconds,
  blockedAttributes,
}: ParsedVideo): string {
  return `${protocols.join()} ${skippable} ${skipMinSeconds} ${skipAfterSeconds} ${blockedAttributes.join()}`;
}

const ID_BYTES = 16;
/** Buffer of random bytes for 256 ids, since each refill costs a system call. */
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

/** Creates a UUIDv7 that ends with the bidder's tag, by which notices are routed to the bidder. */
export function newBidId(tag: string): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  return uuidv7({ random }).slice(0, -tag.length) + tag;
}
