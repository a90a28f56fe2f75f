import type { FlexRatio, ParsedBanner, ParsedImp, Size } from '../model/bid-request.ts';
import type { CreativeFormat } from '../model/candidate.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';

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
