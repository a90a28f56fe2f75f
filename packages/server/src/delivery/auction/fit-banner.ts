import type { ParsedImp, Size } from '../openrtb/request.ts';
import type { Shape } from '../snapshot/types.ts';
import type { NoBidReason } from './reasons.ts';

/** What our markup is, in the list "Banner Ad Types" (OpenRTB 2.5, 5.2). */
const XHTML_BANNER_AD = 2;

/** Why an imp does not take image banners of a shape; null when it does. */
export function bannerRefusal({ banner, interstitial }: ParsedImp, shape: Shape): NoBidReason | null {
  if (!banner) return 'no_matching_format';
  if (banner.blockedTypes.includes(XHTML_BANNER_AD)) return 'blocked_ad_type';
  if (!sizeFits(shape, banner.sizes, interstitial)) return 'no_matching_size';
  if (banner.mimes.length > 0 && !banner.mimes.includes(shape.contentType)) return 'mime_not_accepted';
  return null;
}

/** An interstitial takes, beside the very size, every full-screen banner that its screen holds. */
function sizeFits(shape: Shape, sizes: readonly Size[], interstitial: boolean): boolean {
  if (sizes.some(({ width, height }) => width === shape.width && height === shape.height)) return true;
  if (!interstitial) return sizes.length === 0;
  return isFullScreen(shape) && (sizes.length === 0 || sizes.some((size) => isWithin(shape, size)));
}

const LONG_SIDE = 480;
const SHORT_SIDE = 320;

/** The smallest full-screen banner is 320 by 480; a leaderboard is long, but no full screen. */
function isFullScreen({ width, height }: Size): boolean {
  return Math.max(width, height) >= LONG_SIDE && Math.min(width, height) >= SHORT_SIDE;
}

/** No larger than the screen and of its orientation. */
function isWithin({ width, height }: Size, screen: Size): boolean {
  return width <= screen.width && height <= screen.height && width > height === screen.width > screen.height;
}
