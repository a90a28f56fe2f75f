import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { type Random, hashOf, seededRandom } from './random.ts';
import type { Slot } from './traffic/slots.ts';

/** The kind of ad that is shown. */
export type AdFormat = 'banner' | 'native' | 'video' | 'playable';

/** The format of each type of creative. */
export const AD_FORMATS: Readonly<Record<CreativeType, AdFormat>> = {
  Banner: 'banner',
  Native: 'native',
  Video: 'video',
  Playable: 'playable',
};

/** An impression, as far as it decides about clicks and installs. */
export interface Impression {
  slot: Slot;
  format: AdFormat;
  bundle: string;
  country: string;
  creativeId: string;
}

/** The response rates to a format, as a multiple of the rates of a banner in the same slot. */
const FORMAT_RATES: Record<AdFormat, { clicks: number; installsPerClick: number }> = {
  banner: { clicks: 1, installsPerClick: 1 },
  native: { clicks: 1.3, installsPerClick: 1 },
  video: { clicks: 2.3, installsPerClick: 0.62 },
  // Touches of the game lead to the store as often as interest does.
  playable: { clicks: 5, installsPerClick: 0.42 },
};

/** Share of won auctions whose ad the app shows. */
export const SHOWN_SHARE = 0.96;

/**
 * Probability of a click on an impression: a base rate of the slot, times factors of the format, the app, the country and the
 * creative. The factors are constant, so that reports show which perform well.
 */
export function clickProbability({ slot, format, bundle, country, creativeId }: Impression): number {
  return (
    slot.clickRate *
    FORMAT_RATES[format].clicks *
    trait(`click ${bundle}`, 0.5, 1.6) *
    trait(`click ${country}`, 0.7, 1.3) *
    trait(creativeId, 0.5, 1.6) ** slot.creativeSpread
  );
}

/** Probability of an install after a click. */
export function installProbability(impression: Impression): number {
  return (1 - impression.slot.viewThroughShare) * installRate(impression);
}

/** After a click, more people come back to an app that they have than others install it. */
export const RETURNS_PER_INSTALL = 4;

/** Share of the people who come back that installed the app again. */
const REINSTALLED_SHARE = 0.08;

/** Whether a person who comes back installed the app again. */
export const isReinstall = (random: Random): boolean => random() < REINSTALLED_SHARE;

/** Probability of an install after an impression that was not clicked. */
export function viewThroughProbability(impression: Impression): number {
  return impression.slot.viewThroughShare * clickProbability(impression) * installRate(impression);
}

function installRate({ slot, format, bundle, country, creativeId }: Impression): number {
  return (
    slot.installRate *
    FORMAT_RATES[format].installsPerClick *
    trait(`install ${bundle}`, 0.4, 1.7) *
    trait(`install ${country}`, 0.6, 1.4) *
    trait(`install ${creativeId}`, 0.6, 1.5) ** slot.creativeSpread
  );
}

/** A number between `low` and `high`, derived from the text's hash. */
function trait(text: string, low: number, high: number): number {
  return low + (high - low) * seededRandom(hashOf(text))();
}
