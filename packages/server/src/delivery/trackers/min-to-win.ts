import type { Micros } from '@bidwell/contract/lib/money';
import type { BidRef } from '../model/event.ts';
import { type ReadingRules, readPrice } from './price.ts';

/** OpenRTB 2.6, loss reason codes: lost to a higher bid. */
const LOST_TO_HIGHER_BID = 102;
const FIRST_PRICE = 1;

/** What a loss notice says of the auction. */
export interface LossNotice {
  lossReason: number;
  /** `${AUCTION_MIN_TO_WIN}` and `${AUCTION_PRICE}` (OpenRTB 2.6, 4.4), as the exchange replaced them. */
  minToWin: string | undefined;
  price: string | undefined;
}

/**
 * The price at which a lost bid would have won, in the terms of `bidCpmMicros`. Where the exchange does not report it, the
 * price of the winner of a first-price auction that was lost to a higher bid. Undefined where neither is known, and where
 * it is not above the bid, which was lost for another reason then.
 */
export function minToWinOf(
  { lossReason, minToWin, price }: LossNotice,
  { auctionType, bidCpmMicros, dollarsPerUnit }: BidRef,
  rules: ReadingRules,
): Micros | undefined {
  // Exchanges that encrypt the clearing price may send this one as a plain number.
  const reported = readMicros(minToWin, { ...rules, keys: null }) ?? readMicros(minToWin, rules);
  const isOutbid = auctionType === FIRST_PRICE && lossReason === LOST_TO_HIGHER_BID;
  const units = reported ?? (isOutbid ? readMicros(price, rules) : undefined);
  if (units === undefined) return undefined;
  const cpmMicros = Math.round(units * dollarsPerUnit);
  return cpmMicros > bidCpmMicros ? cpmMicros : undefined;
}

/** A positive price in micros of the exchange's currency; undefined for none. */
function readMicros(text: string | undefined, rules: ReadingRules): number | undefined {
  const read = readPrice(text?.trim() ?? '', rules);
  return typeof read === 'number' && read > 0 ? read : undefined;
}
