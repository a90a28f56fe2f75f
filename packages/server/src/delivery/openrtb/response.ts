import { CONTENT_1_0, categoryIn } from '@bidwell/contract/reference/iab-taxonomies';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import { truncate } from '@bidwell/contract/lib/truncate';
import type { AuctionBid } from '../auction/auction.ts';
import type { BidUrls } from '../model/event.ts';
import type { Markup } from '../markup/render.ts';
import { type Currency, type ParsedRequest, billingIdOf } from '../model/bid-request.ts';
import type { CreativeTypes, ExchangeRules } from '@bidwell/contract/operator/exchange-rules';
import { RESERVATION_MS } from '../pacing/leases.ts';
import { MRAID } from '../auction/formats.ts';

/** A bid of the auction with its URLs and markup. */
interface RenderedBid {
  bid: AuctionBid;
  urls: BidUrls;
  markup: Markup;
  /** Token by which the exchange says later how the bid ended; null where it gives no feedback. */
  feedbackToken: string | null;
}

/** Types of markup (OpenRTB 2.6, `mtype`). */
const VIDEO = 2;

/** A bid object; its other properties are only serialised. */
export type BidObject = Record<string, unknown> & { adm: string };

/** Versions of OpenRTB in which we respond. */
export type OpenRtbVersion = '2.5' | '2.6';

/** Version of the response, from the request's header `x-openrtb-version`; 2.5 by default. */
export function responseVersion(header: unknown): OpenRtbVersion {
  return typeof header === 'string' && /^2\.6\b/.test(header.trim()) ? '2.6' : '2.5';
}

/** Writes a bid response (OpenRTB 2.5 and 2.6, 4.2) with bids as JSON, at least one. */
export function responseJson(
  request: ParsedRequest,
  bids: readonly { bid: AuctionBid; json: string }[],
  isBrief = false,
): string {
  const bidId = isBrief ? '' : `"bidid":${JSON.stringify(bids[0]!.bid.ref.bidId)},`;
  let list = bids[0]!.json;
  for (let index = 1; index < bids.length; index += 1) list += `,${bids[index]!.json}`;
  return (
    `{"id":${JSON.stringify(request.id)},${bidId}"cur":${JSON.stringify(request.currency!.code)},` +
    `"seatbid":[{"seat":${JSON.stringify(request.seat)},"bid":[${list}]}]}`
  );
}

/** Maximum `exp` of a bid: its budget reservation ends then. */
function expiresAfterSecondsMax({ cached_seconds: cachedSeconds }: ExchangeRules): number {
  return Math.max(RESERVATION_MS / 1000, cachedSeconds ?? 0);
}

/**
 * Builds a bid object (OpenRTB 2.5 and 2.6, 4.2.3); serialisation leaves out undefined properties. `mtype`, `dur` and the
 * list `apis` exist only in 2.6; 2.5 has a single `api`. `ownDomain` is our domain, used in the extension for the Digital
 * Services Act. A brief bid leaves out the loss URL, the image URL and redundant ids. `rules` are the exchange's.
 */
export function bidObject(
  { bid, urls, markup, feedbackToken }: RenderedBid,
  request: ParsedRequest,
  version: OpenRtbVersion,
  { ownDomain, rules }: { ownDomain: string; rules: ExchangeRules },
  isBrief = false,
): BidObject {
  const { ref, candidate } = bid;
  const { size, imageUrl, attributes, apis, protocol, durationSeconds } = markup;
  const { expiresAfterSeconds } = bid.imp;
  const isNew = version === '2.6';
  const billingId = bid.imp.billing && billingIdOf(bid.imp.billing, candidate.companyId);
  const hasAttributes = attributes.length > 0 || rules.bid_fields?.includes('attr');
  const category = categoryIn(request.categoryTaxonomy, candidate.app.category);
  return {
    id: ref.bidId,
    impid: bid.imp.id,
    price: priceIn(request.currency!, ref.bidCpmMicros),
    adid: isBrief || rules.creative_code ? undefined : ref.creativeId,
    nurl: urls.win,
    burl: urls.billing,
    lurl: isBrief ? undefined : urls.loss,
    adm: markup.adm,
    adomain: [candidate.advertiserDomain],
    bundle: candidate.app.bundle,
    iurl: (isBrief ? null : imageUrl) ?? undefined,
    cid: billingId ?? ref.campaignId,
    crid: ref.creativeId,
    cat: [category.code],
    cattax: category.taxonomy === CONTENT_1_0 ? undefined : category.taxonomy,
    language: candidate.languages.include.size > 0 && ref.language !== '' ? ref.language : undefined,
    attr: hasAttributes ? attributes : undefined,
    apis: isNew && apis.length > 0 ? apis : undefined,
    api: isNew ? undefined : apis[0],
    protocol: protocol ?? undefined,
    w: size?.width,
    h: size?.height,
    mtype: isNew ? markup.mtype : undefined,
    crtype: rules.creative_types ? typeOf(markup, rules.creative_types) : undefined,
    dur: (isNew ? durationSeconds : null) ?? undefined,
    exp:
      expiresAfterSeconds === null ? undefined : Math.min(expiresAfterSeconds, expiresAfterSecondsMax(rules)),
    ext: extensionOf({
      ...(request.dsa && dsaExtension(candidate.advertiserName, ownDomain)),
      ...(rules.mraid_crtype !== null && needsMraid(markup) && { crtype: rules.mraid_crtype }),
      ...(rules.creative_code && { appnexus: { crcode: ref.creativeId } }),
      ...(billingId !== null && { billing_id: billingId }),
      ...(feedbackToken !== null && { event_notification_token: { payload: feedbackToken } }),
    }),
  };
}

/** An `ext` with these members, which is the last member of a bid; undefined for none. */
function extensionOf(members: object): object | undefined {
  return Object.keys(members).length > 0 ? members : undefined;
}

/** Whether markup needs MRAID. */
function needsMraid({ apis }: Markup): boolean {
  return apis.some((api) => MRAID.includes(api));
}

/** The type of creative of markup in the words of an exchange. */
function typeOf(markup: Markup, { html, mraid, vast }: CreativeTypes): string {
  if (markup.mtype === VIDEO) return vast;
  return needsMraid(markup) ? mraid : html;
}

/** DSA parameter: targeting by context such as time, device and placement, without profiles. */
const BASIC_ADVERTISING = 2;
const NAME_CHARS_MAX = 100;

/** Builds `bid.ext.dsa` (IAB Tech Lab, "DSA Transparency"); undefined when the advertiser's name is unknown. */
function dsaExtension(advertiserName: string, ownDomain: string): object | undefined {
  if (advertiserName === '') return undefined;
  const name = truncate(advertiserName, NAME_CHARS_MAX);
  return {
    dsa: {
      behalf: name,
      paid: name,
      transparency: [{ domain: ownDomain, dsaparams: [BASIC_ADVERTISING] }],
      adrender: 0,
    },
  };
}

/** Price in the bid's currency, rounded up to a millionth, so that a bid at the floor does not fall below it. */
export function priceIn({ code, dollars }: Currency, cpmMicros: Micros): number {
  return code === 'USD' ? toDollars(cpmMicros) : toDollars(Math.ceil(cpmMicros / dollars - ROUNDING));
}

/** Tolerance for floating-point error, so that it does not round up by a millionth. */
const ROUNDING = 1e-6;
