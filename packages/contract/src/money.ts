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

/**
 * The price of one impression of a bid, in micros, at a CPM (price of a thousand) in micros. What is left of the division is
 * rounded up for as many bids as it is large (a price of 10.4 is 11 for two bids of five and 10 for the others, by a random
 * part of the bid's id), so that the sum over many bids is right; one bid always gets the same. Never above the price
 * rounded up.
 */
export function cpmToImpressionMicros(cpmMicros: Micros, bidId: string): Micros {
  const whole = Math.floor(cpmMicros / 1000);
  const thousandths = cpmMicros - whole * 1000;
  return thousandths > 0 && chanceOf(bidId) * 1000 < thousandths ? whole + 1 : whole;
}

/** Evenly spread between 0 and 1: the random bytes 10 and 11 of a UUIDv7. */
function chanceOf(bidId: string): number {
  return (Number.parseInt(bidId.slice(24, 28), 16) + 0.5) / 65_536;
}
