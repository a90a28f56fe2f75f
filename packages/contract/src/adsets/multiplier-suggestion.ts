import { FACTOR_MAX, FACTOR_MIN } from './multipliers.ts';

/** Spend in dollars and installs of an ad set, or of a part of it. */
export interface PaidInstalls {
  spend: number;
  installs: number;
}

/** A factor at which an install of a part would cost what it costs in the ad set. */
export interface SuggestedFactor {
  /** In steps of 0.05. */
  factor: number;
  /** The range in which the factor lies in 80 of 100 cases. */
  low: number;
  high: number;
  /** Whether the range is above or below 1 as a whole. */
  isClear: boolean;
}

/** Installs at the ad set's own cost that every part is assumed to have: few installs change the factor little. */
const PRIOR_INSTALLS = 20;
/** Installs of the ad set below which its own cost is not known. */
const KNOWN_INSTALLS = 50;
/** Standard deviations of a range of 80 %. */
const DEVIATIONS = 1.28;
const STEP = 0.05;

/**
 * The factor for a part of an ad set, such as a country, by its cost per install against the ad set's. Null where the ad set has
 * too few installs, or the part no spend. Installs are counts of a Poisson process with a gamma prior at the ad set's cost.
 */
export function suggestedFactor(part: PaidInstalls, all: PaidInstalls): SuggestedFactor | null {
  if (all.installs < KNOWN_INSTALLS || all.spend <= 0 || part.spend <= 0) return null;
  const expected = (part.spend * all.installs) / all.spend;
  const mean = (part.installs + PRIOR_INSTALLS) / (expected + PRIOR_INSTALLS);
  const error = Math.exp(DEVIATIONS / Math.sqrt(part.installs + PRIOR_INSTALLS));
  const [low, high] = [mean / error, mean * error];
  const stepped = Math.round(mean / STEP) * STEP;
  return {
    factor: Math.round(Math.min(FACTOR_MAX, Math.max(FACTOR_MIN, stepped)) * 100) / 100,
    low,
    high,
    isClear: low > 1 || high < 1,
  };
}
