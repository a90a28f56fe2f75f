/**
 * Money is an integer number of micros: millionths of a US dollar. It becomes a decimal number of dollars only at the
 * wire and on the screen.
 */
export type Micros = number;

/** Micros in one dollar. */
export const MICROS = 1_000_000;

/** The largest amount that is still an exact integer: nine billion dollars. */
export const MAX_DOLLARS = 9_000_000_000;

/**
 * Dollars (as they come over the wire) to micros, rounded half away from zero to the nearest micro.
 * Throws RangeError for what is not finite or is beyond {@link MAX_DOLLARS}.
 */
export function toMicros(dollars: number): Micros {
  if (!Number.isFinite(dollars) || Math.abs(dollars) > MAX_DOLLARS) {
    throw new RangeError(`Not an amount of money: ${dollars}`);
  }
  return Math.sign(dollars) * Math.round(Math.abs(dollars) * MICROS) || 0;
}

/** Micros to dollars, for the wire. Exact to the micro for every amount the platform admits. */
export function toDollars(micros: Micros): number {
  return micros / MICROS;
}

/** The price of one impression, in micros, at a CPM (price of a thousand) in micros; rounded half up. */
export function cpmToImpressionMicros(cpmMicros: Micros): Micros {
  return Math.round(cpmMicros / 1000);
}
