/**
 * Money, as an integer number of micros: millionths of a US dollar. It is converted to decimal dollars only in API
 * responses and on the screen.
 */
export type Micros = number;

/** Micros in one dollar. */
export const MICROS = 1_000_000;

/** Largest amount whose micros are an exact integer: nine billion dollars. */
export const MAX_DOLLARS = 9_000_000_000;

/**
 * Converts dollars of an API call to micros, rounding half away from zero.
 * Throws RangeError if the amount is not finite or exceeds {@link MAX_DOLLARS}.
 */
export function toMicros(dollars: number): Micros {
  if (!Number.isFinite(dollars) || Math.abs(dollars) > MAX_DOLLARS) {
    throw new RangeError(`Not an amount of money: ${dollars}`);
  }
  return Math.sign(dollars) * Math.round(Math.abs(dollars) * MICROS) || 0;
}

/** Converts micros to dollars for API responses. Exact to the micro up to {@link MAX_DOLLARS}. */
export function toDollars(micros: Micros): number {
  return micros / MICROS;
}

/**
 * The price of one impression in micros, at a CPM in micros. The remainder is rounded stochastically: 10.4 becomes 11 with
 * probability 0.4, else 10, so that the sum over many bids is right. The random part of the bid's id decides, so that one
 * bid always has the same price.
 */
export function cpmToImpressionMicros(cpmMicros: Micros, bidId: string): Micros {
  const whole = Math.floor(cpmMicros / 1000);
  const thousandths = cpmMicros - whole * 1000;
  return thousandths > 0 && uniformOf(bidId) * 1000 < thousandths ? whole + 1 : whole;
}

/** A uniform number between 0 and 1, from the random bytes 10 and 11 of a UUIDv7. */
function uniformOf(bidId: string): number {
  return (Number.parseInt(bidId.slice(24, 28), 16) + 0.5) / 65_536;
}
