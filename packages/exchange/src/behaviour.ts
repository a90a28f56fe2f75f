import { hashOf, seededRandom } from './random.ts';
import type { Slot } from './traffic/slots.ts';

/** What somebody sees: where, and which creative. */
export interface Sight {
  slot: Slot;
  bundle: string;
  country: string;
  creativeId: string;
}

/** Of the auctions won, how many the app really shows. */
export const SHOWN_SHARE = 0.96;

/**
 * How likely a click on an impression is: by the kind of slot, more or less of it by app, country and creative. Each of
 * them has its lasting trait, so that reports tell good from bad.
 */
export function clickProbability({ slot, bundle, country, creativeId }: Sight): number {
  const base = slot.interstitial ? 0.06 : slot.name.includes('rectangle') ? 0.028 : 0.014;
  return (
    base *
    trait(`click ${bundle}`, 0.5, 1.6) *
    trait(`click ${country}`, 0.7, 1.3) *
    trait(creativeId, 0.5, 1.6)
  );
}

/** How likely an install is after a click. */
export function installProbability({ bundle, country, creativeId }: Sight): number {
  return (
    0.14 *
    trait(`install ${bundle}`, 0.4, 1.7) *
    trait(`install ${country}`, 0.6, 1.4) *
    trait(`install ${creativeId}`, 0.6, 1.5)
  );
}

/** A number between the two that this text always has. */
function trait(text: string, low: number, high: number): number {
  return low + (high - low) * seededRandom(hashOf(text))();
}
