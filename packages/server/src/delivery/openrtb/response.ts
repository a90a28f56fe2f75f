import { CONTENT_1_0, categoryIn } from '@bidwell/contract/iab-taxonomies';
import type { Micros } from '@bidwell/contract/money';
import { toDollars } from '@bidwell/contract/money';
import { truncate } from '@bidwell/contract/truncate';
import type { AuctionBid } from '../auction/auction.ts';
import type { BidUrls } from '../model/event.ts';
import type { Markup } from '../markup/render.ts';
import type { Currency, ParsedRequest } from '../model/bid-request.ts';
import { RESERVATION_MS } from '../pacing/leases.ts';

/** A bid of the auction with what was made for it: its addresses and its markup. */
export interface RenderedBid {
  bid: AuctionBid;
  urls: BidUrls;
  markup: Markup;
}

/** The versions of OpenRTB that we answer in. */
export type OpenRtbVersion = '2.5' | '2.6';

/** The version to answer in, by the header `x-openrtb-version` of the request. */
export function answerVersion(header: unknown): OpenRtbVersion {
  return typeof header === 'string' && /^2\.6\b/.test(header.trim()) ? '2.6' : '2.5';
}

/**
 * The body of a bid response (OpenRTB 2.5 and 2.6, 4.2). `mtype`, `dur` and the list `apis` exist since 2.6 and go only to
 * those who speak it; 2.5 has one `api`. `ownDomain` is ours, named where the Digital Services Act is asked about. A brief
 * response leaves out the address for losses and what is said elsewhere in it.
 */
export function bidResponse(
  request: ParsedRequest,
  bids: readonly RenderedBid[],
  version: OpenRtbVersion,
  ownDomain: string,
  isBrief = false,
): object {
  return {
    id: request.id,
    bidid: isBrief ? undefined : bids[0]!.bid.ref.bidId,
    cur: request.currency!.code,
    seatbid: [
      {
        seat: request.seat,
        bid: bids.map((rendered) => bidObject(rendered, request, version, ownDomain, isBrief)),
      },
    ],
  };
}

/** Money is held no longer for an impression. */
const EXPIRES_AFTER_SECONDS_MAX = RESERVATION_MS / 1000;

/** What is undefined is left out of the JSON. */
function bidObject(
  { bid, urls, markup }: RenderedBid,
  request: ParsedRequest,
  version: OpenRtbVersion,
  ownDomain: string,
  isBrief: boolean,
): object {
  const { ref, candidate } = bid;
  const { size, imageUrl, attributes, apis, protocol, durationSeconds } = markup;
  const { expiresAfterSeconds } = bid.imp;
  const isNew = version === '2.6';
  const category = categoryIn(request.categoryTaxonomy, candidate.app.category);
  return {
    id: ref.bidId,
    impid: bid.imp.id,
    price: priceIn(request.currency!, ref.bidCpmMicros),
    adid: isBrief ? undefined : ref.creativeId,
    nurl: urls.win,
    burl: urls.billing,
    lurl: isBrief ? undefined : urls.loss,
    adm: markup.adm,
    adomain: [candidate.advertiserDomain],
    bundle: candidate.app.bundle,
    iurl: (isBrief ? null : imageUrl) ?? undefined,
    cid: ref.campaignId,
    crid: ref.creativeId,
    cat: [category.code],
    cattax: category.taxonomy === CONTENT_1_0 ? undefined : category.taxonomy,
    language: candidate.languages.include.size > 0 && ref.language !== '' ? ref.language : undefined,
    attr: attributes.length > 0 ? attributes : undefined,
    apis: isNew && apis.length > 0 ? apis : undefined,
    api: isNew ? undefined : apis[0],
    protocol: protocol ?? undefined,
    w: size?.width,
    h: size?.height,
    mtype: isNew ? markup.mtype : undefined,
    dur: (isNew ? durationSeconds : null) ?? undefined,
    exp: expiresAfterSeconds === null ? undefined : Math.min(expiresAfterSeconds, EXPIRES_AFTER_SECONDS_MAX),
    ext: request.dsa ? dsaExtension(candidate.advertiserName, ownDomain) : undefined,
  };
}

/** What the parameters were that an ad was chosen by: context such as time, device and place in the app; no profile. */
const BASIC_ADVERTISING = 2;
const NAME_CHARS_MAX = 100;

/** IAB Tech Lab, "DSA Transparency", `bid.ext.dsa`; undefined where it is not known who advertises. */
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

/** Rounded up to a millionth, so that a bid at the floor is not below it in the exchange's currency. */
function priceIn({ code, dollars }: Currency, cpmMicros: Micros): number {
  return code === 'USD' ? toDollars(cpmMicros) : toDollars(Math.ceil(cpmMicros / dollars - ROUNDING));
}

/** What a division may leave behind the millionths by itself. */
const ROUNDING = 1e-6;
