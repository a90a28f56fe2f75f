import type { Micros } from '@bidwell/contract/money';
import { MICROS, cpmToImpressionMicros } from '@bidwell/contract/money';
import type { ChargeOn, UnreadablePriceRule } from '@bidwell/contract/operator';
import type { BidRef, EventKind } from '../model/event.ts';
import { chargeCpmMicros } from '../model/margin.ts';
import type { PriceKeys, PriceRules } from '../model/price-rules.ts';
import { isFromDevice } from '../model/price-rules.ts';
import { decryptGooglePrice } from './google-price.ts';
import type { PriceFault } from '../model/price-fault.ts';

/** Charge of an event. */
export interface Charge {
  /** Charged for one impression, with the margin. */
  spendMicros: Micros;
  /** The part of it that is margin. */
  marginMicros: Micros;
  fault: PriceFault | null;
  /** True where nothing is charged and a notice with a price may still follow. */
  isOpen: boolean;
  /**
   * True for the price of the bid, because a device sent the event: a lower price that the exchange's server has named
   * for the bid replaces it when the event is counted.
   */
  isUnconfirmed: boolean;
}

const NOTHING: Charge = {
  spendMicros: 0,
  marginMicros: 0,
  fault: null,
  isOpen: false,
  isUnconfirmed: false,
};
/** Upper bound of a price, far above every bid. */
const CPM_MICROS_MAX = 1_000_000 * MICROS;

/** Event kinds at which an exchange charges; of several, the first that comes. */
const charging: Record<ChargeOn, readonly EventKind[]> = {
  billing: ['billing'],
  win: ['win'],
  impression: ['impression'],
  first: ['billing', 'impression'],
};

/** Whether an event of a kind may charge a bid. */
export function chargesAt(chargeOn: ChargeOn, kind: EventKind): boolean {
  return charging[chargeOn].includes(kind);
}

/** Whether the impression, as the markup reports it, may charge a bid. */
export function chargesImpression(chargeOn: ChargeOn): boolean {
  return chargesAt(chargeOn, 'impression');
}

/**
 * Computes the charge of an event: the clearing price of one impression, at most the bid's, and the margin of the bid on
 * it. Only the events at which the exchange charges have one (OpenRTB 2.6, 4.4). Test bids cost nothing.
 *
 * Of a notice from the exchange's server a price of 0 and an audit render (`AUDIT`) charge nothing, and a later notice
 * with a price still charges. For an unreadable price the exchange's rule applies: `bid` charges the bid, which is the
 * most that is owed, `zero` nothing, and `hold` nothing until a notice with a price comes.
 *
 * An event from a device charges the bid, whatever price it has: the creative runs beside our markup and can change it.
 */
export function chargeOf(kind: EventKind, ref: BidRef, price: string | undefined, rules: PriceRules): Charge {
  if (!chargesAt(ref.chargeOn, kind) || ref.test) return NOTHING;
  const read = readPrice(price?.trim() ?? '', rules.keys);
  const cpmMicros = typeof read === 'number' ? dollarsCpm(read, ref) : 0;
  if (isFromDevice(kind, rules)) {
    const fault = typeof read === 'string' ? read : cpmMicros === 0 ? 'free' : null;
    return { ...NOTHING, ...impressionAt(ref.bidCpmMicros, ref), fault, isUnconfirmed: true };
  }
  if (read === 'audit') return { ...NOTHING, fault: read, isOpen: true };
  if (typeof read === 'string') return unreadable(read, ref, rules.unreadable);
  if (cpmMicros === 0) return { ...NOTHING, fault: 'free', isOpen: true };
  return { ...NOTHING, ...impressionAt(cpmMicros, ref) };
}

/**
 * The clearing price that a notice of the exchange's server names for a bid which an event from a device charges; in
 * dollars without the margin, micros per thousand. Undefined where it names none below the bid.
 */
export function namedCpmMicros(
  kind: EventKind,
  ref: BidRef,
  price: () => string | undefined,
  rules: PriceRules,
): Micros | undefined {
  if (kind !== 'win' && kind !== 'billing') return undefined;
  if (ref.test || chargesAt(ref.chargeOn, kind) || isFromDevice(kind, rules)) return undefined;
  if (!charging[ref.chargeOn].some((one) => isFromDevice(one, rules))) return undefined;
  const read = readPrice(price()?.trim() ?? '', rules.keys);
  const cpmMicros = typeof read === 'number' ? dollarsCpm(read, ref) : 0;
  return cpmMicros > 0 && cpmMicros < ref.bidCpmMicros ? cpmMicros : undefined;
}

/** A price in micros of the bid's currency as micros of a dollar, at most the bid. */
function dollarsCpm(read: number, ref: BidRef): Micros {
  return Math.min(Math.round(read * ref.dollarsPerUnit), ref.bidCpmMicros);
}

function unreadable(fault: PriceFault, ref: BidRef, rule: UnreadablePriceRule): Charge {
  if (rule !== 'bid') return { ...NOTHING, fault, isOpen: rule === 'hold' };
  return { ...NOTHING, ...impressionAt(ref.bidCpmMicros, ref), fault };
}

/**
 * The charge of one impression at a clearing price. Both prices per thousand, with and without the margin, are rounded by
 * the same random number, so that the margin is not negative and its sum over many impressions is right.
 */
export function impressionAt(
  mediaCpmMicros: Micros,
  { bidId, marginBasisPoints }: BidRef,
): Pick<Charge, 'spendMicros' | 'marginMicros'> {
  const spendMicros = cpmToImpressionMicros(chargeCpmMicros(mediaCpmMicros, marginBasisPoints), bidId);
  if (marginBasisPoints === 0) return { spendMicros, marginMicros: 0 };
  return { spendMicros, marginMicros: spendMicros - cpmToImpressionMicros(mediaCpmMicros, bidId) };
}

/** Parses a price of a notice, in micros of the exchange's currency per thousand impressions; or returns why there is none. */
export function readPrice(text: string, keys: PriceKeys | null): number | PriceFault {
  if (text === '') return 'missing';
  if (text === 'AUDIT') return 'audit';
  if (/[${}%[\]]/.test(text)) return 'unreplaced_macro';
  if (keys) return decryptGooglePrice(text, keys) ?? 'not_decrypted';
  // As many digits as a double prints, and the exponent form for very small values.
  if (/^\d{1,9}(\.\d{1,30})?(e-\d{1,2})?$/i.test(text))
    return Math.min(Number(text) * MICROS, CPM_MICROS_MAX);
  return /^-\d/.test(text) ? 'negative' : 'not_a_number';
}
