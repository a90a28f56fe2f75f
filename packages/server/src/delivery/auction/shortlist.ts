import type { ParsedDevice, ParsedImp, Size } from '../openrtb/request.ts';
import type { BannerCreative, Candidate, SizeSlot, Snapshot } from '../snapshot/types.ts';
import type { NoBidReason } from './reasons.ts';
import { further } from './reasons.ts';

/** Whom an imp is worth asking. */
export interface Shortlist {
  /** The sizes that fit the imp. */
  slots: SizeSlot[];
  /** The ad sets of these sizes for the device's system and country; each list begins with the highest bidder. */
  lists: (readonly Candidate[])[];
  /** How far those came that are not on it. */
  reason: NoBidReason;
}

/** Takes from the index the ad sets whose size, operating system and country fit. */
export function shortlist(
  imp: ParsedImp,
  { os, country }: Pick<ParsedDevice, 'os' | 'country'>,
  snapshot: Snapshot,
): Shortlist {
  const slots = fittingSlots(imp, snapshot);
  const lists: (readonly Candidate[])[] = [];
  let reason: NoBidReason = 'no_matching_size';
  for (const { byOs } of slots) {
    const osSlot = byOs.get(os);
    if (!osSlot) {
      reason = further(reason, 'os');
      continue;
    }
    const here = osSlot.byCountry.get(country);
    if (osSlot.byCountry.size > (here ? 1 : 0)) reason = further(reason, 'country');
    if (here) lists.push(here);
    if (osSlot.anywhere.length > 0) lists.push(osSlot.anywhere);
  }
  return { slots, lists, reason };
}

/** An ad set's banners that an imp takes: of a size that fits, of a type it accepts. */
export function fittingBanners(
  { banners }: Candidate,
  { banner }: ParsedImp,
  slots: readonly SizeSlot[],
): BannerCreative[] {
  return banners.filter(
    (own) =>
      slots.some(({ width, height }) => width === own.width && height === own.height) &&
      acceptsType(banner?.mimes ?? [], own),
  );
}

const mimes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif' };

function acceptsType(accepted: readonly string[], { extension }: BannerCreative): boolean {
  return accepted.length === 0 || accepted.includes(mimes[extension] ?? '');
}

function fittingSlots({ banner, interstitial }: ParsedImp, { bySize }: Snapshot): SizeSlot[] {
  const sizes = banner?.sizes ?? [];
  const keys = new Set(sizes.map(({ width, height }) => `${width}x${height}`));
  if (keys.size > 0 && !interstitial) {
    return [...keys].map((key) => bySize.get(key)).filter((slot) => slot !== undefined);
  }
  if (!interstitial) return [...bySize.values()];
  return [...bySize].flatMap(([key, slot]) =>
    keys.has(key) || (isFullScreen(slot) && (keys.size === 0 || sizes.some((size) => isWithin(slot, size))))
      ? [slot]
      : [],
  );
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
