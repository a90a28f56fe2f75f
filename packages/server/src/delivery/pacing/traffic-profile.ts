import { QUARTERS } from './pace.ts';

/** Offers in each quarter hour of a UTC day; null where nobody counted. */
export type DayOfOffers = readonly (number | null)[];

/** Weight of the fallback distribution, in offers. */
const PRIOR_OFFERS = 500;
/** Weight of a day relative to the day after it. */
const YESTERDAY = 0.7;

export const FLAT: readonly number[] = Array.from({ length: QUARTERS }, () => 1 / QUARTERS);

/**
 * Distribution of traffic over a day: shares by quarter hour that sum to 1. `days` are newest first; older ones weigh
 * less. Quarters without counts are taken from `fallback`, and the fewer offers there are the more it weighs.
 */
export function learnTrafficProfile(days: readonly DayOfOffers[], fallback: readonly number[]): number[] {
  const sums = FLAT.map(() => 0);
  const weights = FLAT.map(() => 0);
  let offers = 0;
  days.forEach((day, age) => {
    const weight = YESTERDAY ** age;
    day.forEach((count, quarter) => {
      if (count === null) return;
      sums[quarter]! += count * weight;
      weights[quarter]! += weight;
      offers += count;
    });
  });
  const means = sums.map((sum, quarter) => (weights[quarter]! > 0 ? sum / weights[quarter]! : null));
  const smooth = means.map((mean, quarter) => (mean === null ? null : neighbours(means, quarter, mean)));
  const known = sum(smooth.map((mean) => mean ?? 0));
  const covered = sum(fallback.filter((_part, quarter) => smooth[quarter] !== null));
  if (known <= 0 || covered <= 0) return [...fallback];
  const trust = offers / (offers + PRIOR_OFFERS);
  return smooth.map((mean, quarter) => {
    const prior = fallback[quarter]!;
    return mean === null ? prior : (trust * mean * covered) / known + (1 - trust) * prior;
  });
}

/** Moving average: a quarter hour, and its neighbours at half its weight. */
function neighbours(means: readonly (number | null)[], quarter: number, mean: number): number {
  const before = means.at(quarter - 1) ?? mean;
  const after = means[(quarter + 1) % QUARTERS] ?? mean;
  return (before + 2 * mean + after) / 4;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
