import { hashOf, seededRandom } from './random.ts';
import type { Slot } from './traffic/slots.ts';

/** An impression, as far as it decides about clicks and installs. */
export interface Impression {
  slot: Slot;
  bundle: string;
  country: string;
  creativeId: string;
}

/** Share of won auctions whose ad the app shows. */
export const SHOWN_SHARE = 0.96;

/**
 * Probability of a click on an impression: a base rate of the slot, times factors of the app, the country and the
 * creative. The factors are constant, so that reports show which perform well.
 */
export function clickProbability({ slot, bundle, country, creativeId }: Impression): number {
  return (
    slot.clickRate *
    trait(`click ${bundle}`, 0.5, 1.6) *
    trait(`click ${country}`, 0.7, 1.3) *
    trait(creativeId, 0.5, 1.6) ** slot.creativeSpread
  );
}

/** Probability of an install after a click. */
export function installProbability(impression: Impression): number {
  return (1 - impression.slot.viewThroughShare) * installRate(impression);
}

/** Probability of an install after an impression that was not clicked. */
export function viewThroughProbability(impression: Impression): number {
  return impression.slot.viewThroughShare * clickProbability(impression) * installRate(impression);
}

function installRate({ slot, bundle, country, creativeId }: Impression): number {
  return (
    slot.installRate *
    trait(`install ${bundle}`, 0.4, 1.7) *
    trait(`install ${country}`, 0.6, 1.4) *
    trait(`install ${creativeId}`, 0.6, 1.5) ** slot.creativeSpread
  );
}

/** A number between `low` and `high`, derived from the text's hash. */
function trait(text: string, low: number, high: number): number {
  return low + (high - low) * seededRandom(hashOf(text))();
}
