import type { BidRef } from '../model/event.ts';
import { chargeCpmMicros } from '../model/price-rules.ts';
import { pricePointOf } from './counts.ts';
import type { WinRates } from './win-rates.ts';

/**
 * The expected charge for a bid, with the company's margin, in micros: its price times its chance to win. The price is an upper bound in
 * auctions that charge the second price.
 */
export function expectedChargeMicros(ref: BidRef, wins: WinRates): number {
  const { bidCpmMicros, valueCpmMicros = bidCpmMicros, marginBasisPoints } = ref;
  const chance = wins.chanceOf(pricePointOf(ref), valueCpmMicros > 0 ? bidCpmMicros / valueCpmMicros : 1);
  return (chance * chargeCpmMicros(bidCpmMicros, marginBasisPoints)) / 1000;
}
