import {
  type ParsedImp,
  type FlexRatio,
  type ParsedBanner,
  type Size,
  type ParsedAsset,
  vastVersion,
  type ParsedVideo,
} from '../model/bid-request.ts';
import type { FormatIndex, FormatAdsets } from '../snapshot/snapshot.ts';
import type { CreativeFormat } from '../model/candidate.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { further } from '../model/no-bid-reason.ts';
import { shownImage } from '../model/native-parts.ts';

/**
 * Creative formats that an imp accepts. `reason` is the latest no-bid reason of the formats that it does not accept.
 */
export interface Fitting {
  slots: readonly FormatAdsets[];
  reason: NoBidReason;
}

/** What an imp takes. */
export type Placements = Pick<ParsedImp, 'banner' | 'video' | 'native' | 'interstitial' | 'rewarded'>;

const checks: Record<
  CreativeFormat['type'],
  (imp: Placements, creativeFormat: CreativeFormat) => NoBidReason | null
> = {
  Banner: bannerNoBidReason,
  Video: videoNoBidReason,
  Playable: playableNoBidReason,
  Native: nativeNoBidReason,
};

/** Creative types for rewarded imps: the user watches or plays until the reward is earned. */
const rewarding: readonly CreativeFormat['type'][] = ['Video', 'Playable'];

/** The no-bid reason of a creative format for an imp; null if it fits. */
export function formatNoBidReason(imp: Placements, creativeFormat: CreativeFormat): NoBidReason | null {
  const { type } = creativeFormat;
  return checks[type](imp, creativeFormat) ?? (imp.rewarded && !rewarding.includes(type) ? 'rewarded' : null);
}

/** Checks every creative format in the snapshot against an imp: format, size, type, duration, blocks. */
export function fittingFormats(imp: Placements, byFormat: FormatIndex): Fitting {
  const slots: FormatAdsets[] = [];
  let reason: NoBidReason = 'no_matching_format';
  const add = (type: CreativeFormat['type']): void => {
    for (const slot of byFormat[type]) {
      const rejection = formatNoBidReason(imp, slot.creativeFormat);
      if (rejection) reason = further(reason, rejection);
      else slots.push(slot);
    }
  };
  if (imp.banner) {
    add('Banner');
    add('Playable');
  }
  if (imp.video) add('Video');
  if (imp.native) add('Native');
  return { slots, reason };
}

/** Type of our banner markup (OpenRTB 2.5, 5.2 "Banner Ad Types"). */
const XHTML_BANNER_AD = 2;
const HTML = 'text/html';

/** No-bid reason if an imp does not accept image banners of a creative format; null if it does. */
function bannerNoBidReason(
  { banner, interstitial }: Placements,
  creativeFormat: CreativeFormat,
): NoBidReason | null {
  if (!banner) return 'no_matching_format';
  if (banner.blockedTypes.includes(XHTML_BANNER_AD)) return 'blocked_ad_type';
  const fits =
    banner.ratios.some((ratio) => ratioFits(creativeFormat, ratio)) ||
    sizeFits(creativeFormat, banner, interstitial);
  if (!fits) return 'no_matching_size';
  // The image is sent inside HTML: an imp that accepts HTML accepts every type of image.
  const { mimes } = banner;
  return mimes.length === 0 || mimes.includes(creativeFormat.contentType) || mimes.includes(HTML)
    ? null
    : 'mime_not_accepted';
}

/** Relative tolerance of the aspect ratio. */
const BANNER_RATIO_TOLERANCE = 0.01;

function ratioFits({ width, height }: Size, ratio: FlexRatio): boolean {
  const difference = (width * ratio.height) / (height * ratio.width) - 1;
  return width >= ratio.widthMin && Math.abs(difference) <= BANNER_RATIO_TOLERANCE;
}

/**
 * The size in which an imp shows an image banner that fits it, and which its bid has: an interstitial that lists sizes shows it
 * in one of those, centered in the smallest that it fits in. Elsewhere it is the size of the banner.
 */
export function shownSize(file: Size, { banner, interstitial }: ParsedImp): Size {
  if (!banner || !interstitial || banner.sizes.length === 0) return file;
  if (banner.ratios.some((ratio) => ratioFits(file, ratio))) return file;
  let shown: Size | null = null;
  for (const size of banner.sizes)
    if (isWithin(file, size) && (!shown || size.width * size.height < shown.width * shown.height))
      shown = size;
  return shown ?? file;
}

/** An interstitial accepts, besides the exact sizes, every full-screen banner that fits in a listed size or on its screen. */
function sizeFits(
  creativeFormat: CreativeFormat,
  { sizes, ratios, screen }: ParsedBanner,
  interstitial: boolean,
): boolean {
  const places = screen ? [screen] : sizes;
  if (places.some(({ width, height }) => width === creativeFormat.width && height === creativeFormat.height))
    return true;
  const takesAny = places.length === 0 && ratios.length === 0;
  if (!interstitial) return takesAny;
  return (
    isFullScreen(creativeFormat) && (takesAny || places.some((place) => isWithin(creativeFormat, place)))
  );
}

const LONG_SIDE = 480;
const SHORT_SIDE = 320;

/** The smallest full-screen banner is 320 by 480. Both sides count: a leaderboard is long, but not full-screen. */
function isFullScreen({ width, height }: Size): boolean {
  return Math.max(width, height) >= LONG_SIDE && Math.min(width, height) >= SHORT_SIDE;
}

/** Whether a banner is no larger than the screen and has its orientation. */
function isWithin({ width, height }: Size, screen: Size): boolean {
  return width <= screen.width && height <= screen.height && width > height === screen.width > screen.height;
}

/** Type of a playable's markup (OpenRTB 2.5, 5.2 "Banner Ad Types"). */
const JAVASCRIPT_AD = 3;
/** AdCOM 1.0, "Creative Attributes": user interactive, for instance embedded games. */
export const USER_INTERACTIVE = 13;
/** AdCOM 1.0, "API Frameworks": MRAID 2.0 and 3.0. */
export const MRAID = [5, 6];
/** Minimum size of a placement for a playable, unless it is an interstitial. */
const SMALLEST: Size = { width: 300, height: 250 };

/** No-bid reason if an imp does not accept playables, which scale to the placement; null if it does. */
function playableNoBidReason(
  { banner, interstitial }: Placements,
  creativeFormat: CreativeFormat,
): NoBidReason | null {
  if (!banner) return 'no_matching_format';
  if (banner.blockedTypes.includes(JAVASCRIPT_AD)) return 'blocked_ad_type';
  if (banner.blockedAttributes.includes(USER_INTERACTIVE)) return 'blocked_attribute';
  if (!MRAID.some((own) => banner.apis.includes(own))) return 'api_not_accepted';
  if (banner.mimes.length > 0 && !banner.mimes.includes(creativeFormat.contentType))
    return 'mime_not_accepted';
  const isLarge = banner.sizes.some(isLargeEnough) || banner.ratios.some(isLargeRatio);
  return interstitial || isLarge ? null : 'no_matching_size';
}

/** The listed size in which an imp shows a playable, or its screen's; null without either. */
export function playableSize({ sizes, screen }: ParsedBanner): Size | null {
  return sizes.find(isLargeEnough) ?? sizes[0] ?? screen;
}

/** Whether a scaling placement is large enough at its minimum width. */
function isLargeRatio({ width, height, widthMin }: FlexRatio): boolean {
  return isLargeEnough({ width: widthMin, height: (widthMin * height) / width });
}

function isLargeEnough({ width, height }: Size): boolean {
  return width >= SMALLEST.width && height >= SMALLEST.height;
}

/** No-bid reason if native ads of a creative format lack an asset that an imp requires; null if they have all. */
function nativeNoBidReason({ native }: Placements, creativeFormat: CreativeFormat): NoBidReason | null {
  if (!native) return 'no_matching_format';
  return native.assets.every((asset) => !asset.required || isThere(asset, creativeFormat))
    ? null
    : 'native_assets';
}

function isThere(asset: ParsedAsset, creativeFormat: CreativeFormat): boolean {
  switch (asset.kind) {
    case 'title':
      return true;
    case 'image':
      return shownImage(asset, creativeFormat) !== null;
    case 'icon':
      return creativeFormat.hasIcon;
    case 'data':
      return creativeFormat.dataTypes.includes(asset.type);
    case 'video':
      return creativeFormat.videos.some((format) => videoNoBidReason(asset, format) === null);
    case 'other':
      return false;
  }
}

/** AdCOM 1.0, "Delivery Methods": progressive and download. */
const DELIVERIES = [2, 3];
/** Relative tolerance of the aspect ratio where letterboxing is not allowed. */
const VIDEO_RATIO_TOLERANCE = 0.02;

/** No-bid reason if an imp does not accept videos of a creative format; null if it does. */
export function videoNoBidReason(
  { video }: Pick<ParsedImp, 'video'>,
  creativeFormat: CreativeFormat,
): NoBidReason | null {
  if (!video) return 'no_matching_format';
  if (!video.linear) return 'not_linear';
  if (vastVersion(video.protocols) === null) return 'protocol_not_accepted';
  if (video.deliveries.length > 0 && !DELIVERIES.some((own) => video.deliveries.includes(own)))
    return 'delivery_not_accepted';
  if (video.mimes.length > 0 && !video.mimes.includes(creativeFormat.contentType)) return 'mime_not_accepted';
  if (!durationFits(video, creativeFormat.durationSeconds)) return 'video_duration';
  if (creativeFormat.bitrateKbps < video.kbpsMin || creativeFormat.bitrateKbps > video.kbpsMax)
    return 'video_bitrate';
  return videoRatioFits(video, creativeFormat) ? null : 'video_orientation';
}

function durationFits(
  { exactSeconds, secondsMin, secondsMax, podSeconds }: ParsedVideo,
  seconds: number,
): boolean {
  if (podSeconds !== null && seconds > podSeconds) return false;
  return exactSeconds.length > 0
    ? exactSeconds.includes(seconds)
    : seconds >= secondsMin && seconds <= secondsMax;
}

/** Full screen requires the same orientation; without letterboxing the aspect ratio has to match. */
function videoRatioFits(
  { size, boxing, fullScreen }: ParsedVideo,
  { width, height }: CreativeFormat,
): boolean {
  if (!size) return true;
  if (!boxing) return Math.abs((width / height) * (size.height / size.width) - 1) <= VIDEO_RATIO_TOLERANCE;
  return !fullScreen || size.width === size.height || width > height === size.width > size.height;
}
