import type { Micros } from '@bidwell/contract/money';
import { cpmToImpressionMicros, toMicros } from '@bidwell/contract/money';
import type { ChargeOn } from '@bidwell/contract/operator';
import type { BidRef, EventKind } from './event.ts';

const DOLLARS_MAX = 1_000_000;

/** The kinds of event that an exchange charges at; of several, the first that comes. */
const charging: Record<ChargeOn, readonly EventKind[]> = {
  billing: ['billing'],
  win: ['win'],
  impression: ['impression'],
  first: ['billing', 'impression'],
};

/** Whether an event of a kind may spend a bid's money. */
export function chargesAt(chargeOn: ChargeOn, kind: EventKind): boolean {
  return charging[chargeOn].includes(kind);
}

/** Whether the impression, as the markup reports it, may. */
export function chargesImpression(chargeOn: ChargeOn): boolean {
  return chargesAt(chargeOn, 'impression');
}

/**
 * What a notice spends: the clearing price of one impression, in micros. An exchange that leaves the macro unreplaced or
 * empty is owed at most the bid, so the bid is charged; a price above the bid is cut to it; an audit render (`AUDIT`)
 * and a test bid cost nothing. Only what the exchange charges at spends (OpenRTB 2.6, 4.4).
 */
export function spendOf(kind: EventKind, ref: BidRef, price: string | undefined): Micros {
  if (!chargesAt(ref.chargeOn, kind) || ref.test || price === 'AUDIT') return 0;
  const cleared = clearingCpmMicros(price, ref.dollarsPerUnit) ?? ref.bidCpmMicros;
  return cpmToImpressionMicros(Math.min(cleared, ref.bidCpmMicros));
}

function clearingCpmMicros(price: string | undefined, dollarsPerUnit: number): Micros | null {
  // As many digits as a double prints, and its short form for the very small.
  if (!price || !/^\d{1,9}(\.\d{1,30})?(e-\d{1,2})?$/i.test(price)) return null;
  return toMicros(Math.min(Number(price) * dollarsPerUnit, DOLLARS_MAX));
}
