import type { FlexRatio, ParsedBanner, ParsedImp, Size } from '../model/bid-request.ts';
import type { CreativeFormat } from '../model/candidate.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';

/** Type of our banner markup (OpenRTB 2.5, 5.2 "Banner Ad Types"). */
const XHTML_BANNER_AD = 2;
const HTML = 'text/html';
/** Relative tolerance of the aspect ratio. */
const RATIO_TOLERANCE = 0.01;

/** No-bid reason if an imp does not accept image banners of a creative format; null if it does. */
export function bannerNoBidReason(
  { banner, interstitial }: ParsedImp,
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

function ratioFits({ width, height }: Size, ratio: FlexRatio): boolean {
  const difference = (width * ratio.height) / (height * ratio.width) - 1;
  return width >= ratio.widthMin && Math.abs(difference) <= RATIO_TOLERANCE;
}

/** An interstitial accepts, besides the exact sizes, every full-screen banner that fits on its screen. */
function sizeFits(
  creativeFormat: CreativeFormat,
  { sizes, ratios }: ParsedBanner,
  interstitial: boolean,
): boolean {
  if (sizes.some(({ width, height }) => width === creativeFormat.width && height === creativeFormat.height))
    return true;
  const takesAny = sizes.length === 0 && ratios.length === 0;
  if (!interstitial) return takesAny;
  return isFullScreen(creativeFormat) && (takesAny || sizes.some((size) => isWithin(creativeFormat, size)));
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
