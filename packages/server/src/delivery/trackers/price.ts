import { MICROS, type Micros, cpmToImpressionMicros } from '@bidwell/contract/lib/money';
import type { ChargeOn, UnreadablePriceRule } from '@bidwell/contract/operator/schema';
import type { BidRef, EventKind, PriceFault } from '../model/event.ts';
import { chargeCpmMicros, type PriceRules, isFromDevice, type PriceKeys } from '../model/price-rules.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

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
/** Upper bound of a price in any currency, far above every bid. A higher number is no price. */
const UNITS_CPM_MAX = 1_000_000_000;

/** Event kinds at which an exchange charges; if there are several, the first that arrives. */
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
 * In a notice from the exchange's server, a price of 0 and an audit render (`AUDIT`) charge nothing, and a later notice
 * with a price still charges. For an unreadable price the exchange's rule applies: `bid` charges the bid, which is the
 * most that is owed, `zero` nothing, and `hold` nothing until a notice with a price comes.
 *
 * An event from a device charges the bid, with any price: the creative runs next to our markup and can change the price.
 */
export function chargeOf(kind: EventKind, ref: BidRef, price: string | undefined, rules: PriceRules): Charge {
  if (!chargesAt(ref.chargeOn, kind) || ref.test) return NOTHING;
  const read = readPrice(price?.trim() ?? '', rules);
  const cpmMicros = typeof read === 'number' ? dollarsCpm(read, ref) : 0;
  if (isFromDevice(kind, rules)) {
    const fault = typeof read === 'string' ? read : null;
    return { ...NOTHING, ...impressionAt(ref.bidCpmMicros, ref), fault, isUnconfirmed: true };
  }
  if (read === 'audit') return { ...NOTHING, fault: read, isOpen: true };
  if (typeof read === 'string') return unreadable(read, ref, rules.unreadable);
  if (cpmMicros === 0) return { ...NOTHING, isOpen: true };
  return { ...NOTHING, ...impressionAt(cpmMicros, ref) };
}

/** The price that a notice names for a bid which another event charges. */
export interface NamedCpm {
  /** In dollars without the margin, micros per thousand; undefined where it names none below the bid. */
  cpmMicros?: Micros;
  /** Why it could not be read, where it could have lowered the charge. */
  fault?: PriceFault;
}

const NAMES_NOTHING: NamedCpm = {};
const FIRST_PRICE = 1;

/**
 * The clearing price that a notice of the exchange's server names for a bid which an event from a device charges. Where it
 * cannot be read, that event charges the bid, which a first-price auction costs anyway.
 */
export function namedCpm(
  kind: EventKind,
  ref: BidRef,
  price: () => string | undefined,
  rules: PriceRules,
): NamedCpm {
  if (kind !== 'win' && kind !== 'billing') return NAMES_NOTHING;
  if (ref.test || chargesAt(ref.chargeOn, kind) || isFromDevice(kind, rules)) return NAMES_NOTHING;
  if (!charging[ref.chargeOn].some((one) => isFromDevice(one, rules))) return NAMES_NOTHING;
  const read = readPrice(price()?.trim() ?? '', rules);
  if (typeof read === 'string')
    return read === 'audit' || ref.auctionType === FIRST_PRICE ? NAMES_NOTHING : { fault: read };
  const cpmMicros = dollarsCpm(read, ref);
  return cpmMicros > 0 && cpmMicros < ref.bidCpmMicros ? { cpmMicros } : NAMES_NOTHING;
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

/** How the prices of an exchange are read. */
export type ReadingRules = Pick<PriceRules, 'keys' | 'decimalComma'>;

/**
 * A number as servers print it: as many digits as a double has, `.5`, `5.`, `+5`, `-0`, `5.0E-1`, `1E+1`. A plus sign
 * in a URL arrives as a space.
 */
const PRINTED_NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+ -]?\d{1,2})?$/i;

/** Parses a price of a notice, in micros of the exchange's currency per thousand impressions; or returns why there is none. */
export function readPrice(text: string, { keys, decimalComma = false }: ReadingRules): number | PriceFault {
  if (text === '') return 'missing';
  if (text === 'AUDIT') return 'audit';
  if (/[${}%[\]]/.test(text)) return 'unreplaced_macro';
  if (keys) return decryptGooglePrice(text, keys) ?? 'not_decrypted';
  const printed = decimalComma && !text.includes('.') ? text.replace(',', '.') : text;
  if (PRINTED_NUMBER.test(printed)) {
    const units = Number(printed.replace(' ', '+'));
    if (units < 0) return 'negative';
    // A rounded zero may be printed with a minus sign.
    if (units === 0) return 0;
    return units <= UNITS_CPM_MAX ? units * MICROS : 'not_a_number';
  }
  return /^-[\d.]/.test(text) ? 'negative' : 'not_a_number';
}

const EXAMPLE_CHARS_MAX = 40;

/**
 * The price of a notice as operators see it: characters that no number, macro or encrypted price contains become
 * question marks.
 */
export function exampleOf(price: string | undefined): string | undefined {
  const text = price?.slice(0, EXAMPLE_CHARS_MAX).replaceAll(/[^\w.,+\-=${}%[\] ]/g, '?');
  return text === '' ? undefined : text;
}

const IV_BYTES = 16;
const PRICE_BYTES = 8;
const MAC_BYTES = 4;

/**
 * Decrypts a clearing price of Google's Authorized Buyers, or of an exchange with the same protocol ("Decrypt Price
 * Confirmations"): unpadded web-safe Base64 of an initialization vector, the price and a MAC. Returns micros of the
 * exchange's currency per thousand impressions; null for a malformed price or one encrypted with other keys.
 */
export function decryptGooglePrice(text: string, keys: PriceKeys): number | null {
  if (!/^[\w-]{38}={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Base64 has unused bits in its last character; only the canonical spelling is valid.
  if (bytes.toString('base64url') !== text.replaceAll('=', '')) return null;
  const iv = bytes.subarray(0, IV_BYTES);
  const pad = createHmac('sha1', keys.encryption).update(iv).digest();
  const price = Buffer.alloc(PRICE_BYTES);
  for (let at = 0; at < PRICE_BYTES; at += 1) price[at] = bytes[IV_BYTES + at]! ^ pad[at]!;
  const mac = createHmac('sha1', keys.integrity).update(price).update(iv).digest().subarray(0, MAC_BYTES);
  if (!timingSafeEqual(mac, bytes.subarray(IV_BYTES + PRICE_BYTES))) return null;
  const micros = Number(price.readBigInt64BE());
  return Number.isSafeInteger(micros) && micros >= 0 ? micros : null;
}
