import type { Range } from '../../../delivery/public.ts';
import type { ComparedRange } from './history-store.ts';

/** Compared forecasts from which on ranges are widened. */
const COMPARED_MIN = 10;
/** The share of days that a range promises to contain. */
export const INSIDE_SHARE = 0.8;
/** Ranges are widened by this much at most: worse forecasts are wrong, not uncertain. */
export const WIDENED_MAX = 3;

/** Whether the actual figure was within the range. Counts are whole, the limits of a range are not. */
export function isInside({ actual, low, high }: ComparedRange): boolean {
  return actual >= Math.floor(low) && actual <= Math.ceil(high);
}

/**
 * By how much ranges have to be wider for 80 % of these compared forecasts to be within theirs: the 80 % quantile, with the
 * correction of split conformal prediction for a small number, of the error as a multiple of the range's width on that
 * side. At least 1, at most {@link WIDENED_MAX}, and 1 while there are too few or enough were within their range.
 */
export function wideningOf(compared: readonly ComparedRange[]): number {
  const { length } = compared;
  if (length < COMPARED_MIN || compared.filter(isInside).length >= INSIDE_SHARE * length) return 1;
  const multiples = compared.map(multipleOf).toSorted((a, b) => a - b);
  const rank = Math.min(length, Math.ceil((length + 1) * INSIDE_SHARE));
  return Math.min(WIDENED_MAX, Math.max(1, multiples[rank - 1]!));
}

/** The error as a multiple of the distance from the estimate to the limit on its side. */
function multipleOf({ about, low, high, actual }: ComparedRange): number {
  if (actual === about) return 0;
  return actual > about ? (actual - about) / (high - about) : (about - actual) / (about - low);
}

/** A range that is wider by a factor on both sides, within what is possible: from 0 to `max`. */
export function widened({ about, low, high }: Range, factor: number, max = Infinity): Range {
  return {
    about,
    low: Math.max(0, about - factor * (about - low)),
    high: Math.min(Math.max(high, max), about + factor * (high - about)),
  };
}
