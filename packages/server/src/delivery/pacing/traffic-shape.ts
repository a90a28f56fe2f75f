import { QUARTERS } from './pace.ts';

/** Offers in each quarter of a day in UTC; null where nobody counted. */
export type DayOfOffers = readonly (number | null)[];

/** What a shape is believed to be before its own offers say more: as many offers as say so. */
const PRIOR_OFFERS = 500;
/** What a day counts beside the one after it. */
const YESTERDAY = 0.7;

export const FLAT: readonly number[] = Array.from({ length: QUARTERS }, () => 1 / QUARTERS);

/**
 * The shape of a day: parts that sum to 1. Days come newest first, older ones count less. Quarters that nobody counted, and
 * shapes of few offers, lean on `fallback`.
 */
export function learnShape(days: readonly DayOfOffers[], fallback: readonly number[]): number[] {
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
    const believed = fallback[quarter]!;
    return mean === null ? believed : (trust * mean * covered) / known + (1 - trust) * believed;
  });
}

/** A quarter and, half as much each, the ones beside it. */
function neighbours(means: readonly (number | null)[], quarter: number, mean: number): number {
  const before = means.at(quarter - 1) ?? mean;
  const after = means[(quarter + 1) % QUARTERS] ?? mean;
  return (before + 2 * mean + after) / 4;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
