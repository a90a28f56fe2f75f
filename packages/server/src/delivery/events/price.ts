import type { Micros } from '@bidwell/contract/money';
import { cpmToImpressionMicros, toMicros } from '@bidwell/contract/money';
import type { BidRef, EventKind } from './event.ts';

/**
 * What a notice spends: the clearing price of one impression, in micros. An exchange that leaves the macro unreplaced or
 * empty is owed at most the bid, so the bid is charged; a price above the bid is cut to it; an audit render (`AUDIT`)
 * and a test bid cost nothing. Only the notice that the exchange charges at spends (OpenRTB 2.6, 4.4).
 */
export function spendOf(kind: EventKind, ref: BidRef, price: string | undefined): Micros {
  if (kind !== ref.chargeOn || ref.test || price === 'AUDIT') return 0;
  return cpmToImpressionMicros(Math.min(clearingCpmMicros(price) ?? ref.bidCpmMicros, ref.bidCpmMicros));
}

function clearingCpmMicros(price: string | undefined): Micros | null {
  // As many digits as a double prints, and its short form for the very small.
  if (!price || !/^\d{1,9}(\.\d{1,30})?(e-\d{1,2})?$/i.test(price)) return null;
  return toMicros(Number(price));
}
