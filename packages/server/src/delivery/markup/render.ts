import type { AuctionBid } from '../auction/auction.ts';
import { shownSize, MRAID, USER_INTERACTIVE, playableSize, videoNoBidReason } from '../auction/formats.ts';
import type { BidUrls } from '../model/event.ts';
import { type ParsedImp, type ParsedVideo, type Size, vastVersion } from '../model/bid-request.ts';
import type {
  BannerCreative,
  MediaFile,
  NativeCreative,
  PlayableCreative,
  CreativeFormat,
  VideoCreative,
} from '../model/candidate.ts';
import { encodedUrl, escapeHtml } from '../../platform/escape.ts';
import { fallbackUrl } from '../trackers/app-opening.ts';
import { type NativeMarkup, nativeMarkup } from './native.ts';
import { playableMarkup } from './playable.ts';
import { type VastMarkup, type Verification, vastMarkup } from './vast.ts';

/** URLs and limits of a bid's markup. */
export interface MarkupAddresses {
  urls: BidUrls;
  /** The exchange's own click URL, prepended to ours in HTML; '' when it has none. */
  clickMacro: string;
  /** The measurement partner's view URL, macros filled in. */
  viewUrl: string;
  /** The deep link that a click opens, macros filled in; null where the click's redirect decides. */
  deepLink: string | null;
  /** URL of a file, or of its sized copy with this name. */
  fileUrl: (file: MediaFile, copy?: string | null) => string;
  /** OMID script that measures videos in this app; null for none. */
  verification: Verification | null;
  /** Target length of the markup as a JSON string, in bytes; null is no limit. Only a video's VAST is shortened for it. */
  markupBytesMax: number | null;
}

/** A bid's markup and the properties of it that go into the bid object (OpenRTB 2.6, 4.2.3). */
export interface Markup {
  adm: string;
  /** 1 banner, 2 video, 4 native. */
  mtype: 1 | 2 | 4;
  /** Null for a native ad, and for a playable in a placement without a size. */
  size: Size | null;
  /** URL of an image that represents the ad (`iurl`); null when there is none. */
  imageUrl: string | null;
  /** AdCOM 1.0, "Creative Attributes". */
  attributes: readonly number[];
  /** API frameworks that the markup needs (AdCOM 1.0, "API Frameworks"). */
  apis: readonly number[];
  /** AdCOM 1.0, "Creative Subtypes - Audio/Video"; null unless it is a video. */
  protocol: number | null;
  durationSeconds: number | null;
}

/** Renders the markup of a bid. Pure. */
export function renderMarkup(bid: AuctionBid, addresses: MarkupAddresses): Markup {
  const { creative } = bid;
  switch (creative.type) {
    case 'Banner':
      return renderBanner(creative, bid.imp, addresses);
    case 'Native':
      return renderNative(creative, bid, addresses);
    case 'Video':
      return renderVideo(creative, bid, addresses);
    case 'Playable':
      return renderPlayable(creative, bid.imp, addresses);
  }
}

const plain = { attributes: [], apis: [], protocol: null, durationSeconds: null };

function renderBanner({ file }: BannerCreative, imp: ParsedImp, addresses: MarkupAddresses): Markup {
  const imageUrl = addresses.fileUrl(file);
  const size = shownSize(file, imp);
  const adm = bannerMarkup({
    imageUrl,
    clickUrl: exchangeClick(addresses),
    pixelUrls: impressionUrls(addresses),
    width: size.width,
    height: size.height,
  });
  return { ...plain, adm, mtype: 1, size, imageUrl };
}

function renderNative(creative: NativeCreative, bid: AuctionBid, addresses: MarkupAddresses): Markup {
  const { imp, candidate } = bid;
  const adm = nativeMarkup({
    requested: imp.native!,
    creative,
    app: candidate.app,
    icons: candidate.icons,
    fileUrl: addresses.fileUrl,
    vastTag: (requested) => vastTag(requested, bid, addresses),
    clickUrl: addresses.urls.click,
    opening: openingOf(addresses),
    impressionUrls: impressionUrls(addresses),
  });
  return { ...plain, adm, mtype: 4, size: null, imageUrl: addresses.fileUrl(creative.file) };
}

function openingOf({ deepLink, urls }: MarkupAddresses): NativeMarkup['opening'] {
  return deepLink === null ? null : { deepLink: encodedUrl(deepLink), fallbackUrl: fallbackUrl(urls.click) };
}

/**
 * VAST of the ad set's first video that a native ad may show; null if none fits. It counts the same impression as the native ad,
 * once, and not at the measurement partner.
 */
function vastTag(requested: ParsedVideo, bid: AuctionBid, addresses: MarkupAddresses): string | null {
  for (const creative of bid.candidate.creatives) {
    if (creative.type !== 'Video' || videoNoBidReason({ video: requested }, creative.creativeFormat))
      continue;
    const imp = { ...bid.imp, video: requested };
    return renderVideo(creative, { ...bid, imp }, addresses, [addresses.urls.impression]).adm;
  }
  return null;
}

/** AdCOM 1.0, "API Frameworks". */
const OMID_1 = 7;
/** AdCOM 1.0, "Creative Attributes": has a skip button. */
const SKIP_BUTTON = 16;

function renderVideo(
  creative: VideoCreative & { creativeFormat: CreativeFormat },
  { imp, ref, candidate }: AuctionBid,
  addresses: MarkupAddresses,
  impressions = impressionUrls(addresses),
): Markup {
  const { file, endCard, durationMs, creativeFormat } = creative;
  const requested = imp.video!;
  const { version, protocol } = vastVersion(requested.protocols)!;
  const maySkip = !imp.rewarded && version !== '2.0';
  const skipAfterSeconds = maySkip ? skipAfter(requested, durationMs / 1000) : null;
  const { verification } = addresses;
  const markup = {
    version,
    adServingId: ref.bidId,
    creativeId: creative.uuid,
    title: candidate.app.name,
    advertiser: candidate.advertiserDomain,
    durationMs,
    skipAfterSeconds,
    video: { ...file, url: addresses.fileUrl(file), bitrateKbps: creativeFormat.bitrateKbps },
    endCard: endCard && { ...endCard, url: addresses.fileUrl(endCard) },
    clickUrl: addresses.urls.click,
    impressionUrls: impressions,
    eventUrl: addresses.urls.videoEvent,
    verification,
  };
  return {
    adm: fittingVast(markup, addresses.markupBytesMax),
    mtype: 2,
    size: file,
    imageUrl: endCard && addresses.fileUrl(endCard),
    attributes: skipAfterSeconds === null ? [] : [SKIP_BUTTON],
    apis: verification ? [OMID_1] : [],
    protocol,
    durationSeconds: creativeFormat.durationSeconds,
  };
}

/** The most detailed VAST within the limit; the shortest if none fits. */
function fittingVast(markup: Omit<VastMarkup, 'detail'>, bytesMax: number | null): string {
  let adm = vastMarkup({ ...markup, detail: 'full' });
  for (const detail of ['brief', 'shortest'] as const) {
    if (bytesMax === null || Buffer.byteLength(JSON.stringify(adm)) <= bytesMax) return adm;
    adm = vastMarkup({ ...markup, detail });
  }
  return adm;
}

const SKIP_AFTER_SECONDS = 5;

/** Seconds after which the video can be skipped; null when skipping is not allowed or the video ends before. */
function skipAfter(requested: ParsedVideo, seconds: number): number | null {
  if (!requested.skippable || requested.blockedAttributes.includes(SKIP_BUTTON)) return null;
  if (seconds <= requested.skipMinSeconds) return null;
  const after = requested.skipAfterSeconds || SKIP_AFTER_SECONDS;
  return after < seconds ? after : null;
}

function renderPlayable(
  { file }: PlayableCreative,
  { banner }: ParsedImp,
  addresses: MarkupAddresses,
): Markup {
  const adm = playableMarkup({
    pageUrl: addresses.fileUrl(file),
    clickUrl: exchangeClick(addresses),
    impressionUrls: impressionUrls(addresses),
  });
  return {
    ...plain,
    adm,
    mtype: 1,
    size: banner && playableSize(banner),
    imageUrl: null,
    attributes: [USER_INTERACTIVE],
    apis: MRAID.filter((api) => banner?.apis.includes(api)),
  };
}

/** Our click URL, appended to the exchange's where the exchange counts clicks itself. */
function exchangeClick({ urls, clickMacro }: MarkupAddresses): string {
  return clickMacro === '' ? urls.click : clickMacro + encodeURIComponent(urls.click);
}

/** The measurement partner's URL is encoded because it may contain macros in braces, which URLs do not allow. */
function impressionUrls({ urls, viewUrl }: MarkupAddresses): string[] {
  return [urls.impression, encodedUrl(viewUrl)];
}

/** Inputs of a banner's markup. All URLs are final: macros are filled in. */
export interface BannerMarkup extends Size {
  imageUrl: string;
  clickUrl: string;
  /** Loaded together with the banner: our impression tracker, then the measurement partner's. */
  pixelUrls: readonly string[];
}

/**
 * HTML of an image banner: a linked image and tracking pixels. An image of another ratio is centered in the width and height.
 * All values are escaped.
 */
export function bannerMarkup({ imageUrl, clickUrl, pixelUrls, width, height }: BannerMarkup): string {
  const image = `<img src="${escapeHtml(imageUrl)}" width="${width}" height="${height}" alt="" style="display:block;border:0;object-fit:contain">`;
  const link = `<a href="${escapeHtml(clickUrl)}" target="_blank" rel="noopener">${image}</a>`;
  return link + pixelUrls.map(pixel).join('');
}

function pixel(url: string): string {
  return `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="position:absolute;left:-9999px">`;
}
