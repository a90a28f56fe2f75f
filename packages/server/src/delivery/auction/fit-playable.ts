import type { FlexRatio, ParsedBanner, ParsedImp, Size } from '../model/bid-request.ts';
import type { CreativeFormat } from '../model/candidate.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';

/** Type of a playable's markup (OpenRTB 2.5, 5.2 "Banner Ad Types"). */
const JAVASCRIPT_AD = 3;
/** AdCOM 1.0, "Creative Attributes": user interactive, for instance embedded games. */
export const USER_INTERACTIVE = 13;
/** AdCOM 1.0, "API Frameworks": MRAID 2.0 and 3.0. */
export const MRAID = [5, 6];
/** Minimum size of a placement for a playable, unless it is an interstitial. */
const SMALLEST: Size = { width: 300, height: 250 };

/** No-bid reason if an imp does not accept playables, which scale to the placement; null if it does. */
export function playableNoBidReason(
  { banner, interstitial }: ParsedImp,
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
