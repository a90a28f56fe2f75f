import { z } from 'zod';

/** A rate that is estimated from counts: in 95 of 100 cases the true one is between `low` and `high`. */
export const Rate = z.object({ value: z.number(), low: z.number(), high: z.number() });
export type Rate = z.infer<typeof Rate>;

/** The 97.5 % quantile of the standard normal distribution, for intervals that hold in 95 of 100 cases. */
const Z = 1.959_963_985;

/**
 * The rate of `successes` in `trials`, times `per`, with its Wilson score interval (E. B. Wilson, 1927), which is right for
 * few successes too. Null without trials, and where there are more successes than trials: their trials were before the
 * range of days.
 */
export function rateOf(successes: number, trials: number, per = 1): Rate | null {
  if (trials <= 0 || successes > trials) return null;
  const share = Math.max(0, successes) / trials;
  const square = Z ** 2 / trials;
  const middle = (share + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials));
  return {
    value: share * per,
    // Rounding would move the bounds away from a value of 0 or 1.
    low: share === 0 ? 0 : Math.max(0, middle - half) * per,
    high: share === 1 ? per : Math.min(1, middle + half) * per,
  };
}
