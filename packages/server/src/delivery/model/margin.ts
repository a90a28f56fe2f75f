import type { Micros } from '@bidwell/contract/lib/money';

/** Basis points in a whole: 10,000 are a margin of 100 % on the media cost. */
const WHOLE = 10_000;

/**
 * What the advertiser is charged per thousand impressions: the exchange's price and the margin on it, rounded down to a
 * micro. Exact for all prices.
 */
export function chargeCpmMicros(cpmMicros: Micros, marginBasisPoints: number): Micros {
  if (marginBasisPoints === 0) return cpmMicros;
  // In two parts, because the product of a price and the basis points may exceed 2^53.
  const whole = Math.floor(cpmMicros / WHOLE);
  const rest = cpmMicros - whole * WHOLE;
  return cpmMicros + whole * marginBasisPoints + Math.floor((rest * marginBasisPoints) / WHOLE);
}

/** The price to bid at an exchange so that it and the margin on it do not exceed what an advertiser bids. */
export function mediaCpmMicros(advertiserCpmMicros: Micros, marginBasisPoints: number): Micros {
  if (marginBasisPoints === 0) return advertiserCpmMicros;
  const divisor = WHOLE + marginBasisPoints;
  const whole = Math.floor(advertiserCpmMicros / divisor);
  const rest = advertiserCpmMicros - whole * divisor;
  return whole * WHOLE + Math.floor((rest * WHOLE) / divisor);
}
