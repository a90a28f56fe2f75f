import type { DeviceNotices, UnreadablePriceRule } from '@bidwell/contract/operator/schema';
import type { EventKind } from './event.ts';
import type { Micros } from '@bidwell/contract/lib/money';

/** Keys of an exchange that encrypts its prices. */
export interface PriceKeys {
  encryption: Buffer;
  integrity: Buffer;
}

/** How an exchange sends prices, and the charge when a price cannot be read. */
export interface PriceRules {
  /** Null when prices are sent in plain text. */
  keys: PriceKeys | null;
  /** Whether its plain prices have a decimal comma; absent in a snapshot on disk of an earlier release. */
  decimalComma?: boolean;
  unreadable: UnreadablePriceRule;
  /** Which of its notices the device calls instead of the exchange's server. */
  deviceNotices: DeviceNotices;
}

/** Fallback for an exchange that no longer exists. */
export const PLAIN_PRICES: PriceRules = { keys: null, unreadable: 'bid', deviceNotices: 'none' };

/** Whether an event comes from a device, where the creative or the publisher can change the price in it. */
export function isFromDevice(kind: EventKind, { deviceNotices }: Pick<PriceRules, 'deviceNotices'>): boolean {
  if (kind === 'loss') return false;
  if (kind === 'win') return deviceNotices === 'all';
  return kind !== 'billing' || deviceNotices === 'billing' || deviceNotices === 'all';
}

/** A price with a factor on it, in whole micros. A higher price or factor never gives less. */
export function multiplied(cpmMicros: Micros, factor: number): Micros {
  return factor === 1 ? cpmMicros : Math.round(cpmMicros * factor);
}

/** Basis points in a whole: 10,000 are a margin of 100 % on the media cost. */
const WHOLE = 10_000;

/**
 * The charge to the advertiser per thousand impressions: the exchange's price plus the margin on it, rounded down to a
 * micro. Exact for all prices.
 */
export function chargeCpmMicros(cpmMicros: Micros, marginBasisPoints: number): Micros {
  if (marginBasisPoints === 0) return cpmMicros;
  // In two parts, because the product of a price and the basis points may exceed 2^53.
  const whole = Math.floor(cpmMicros / WHOLE);
  const rest = cpmMicros - whole * WHOLE;
  return cpmMicros + whole * marginBasisPoints + Math.floor((rest * marginBasisPoints) / WHOLE);
}

/** The price to bid at an exchange so that it and the margin on it do not exceed the advertiser's bid. */
export function mediaCpmMicros(advertiserCpmMicros: Micros, marginBasisPoints: number): Micros {
  if (marginBasisPoints === 0) return advertiserCpmMicros;
  const divisor = WHOLE + marginBasisPoints;
  const whole = Math.floor(advertiserCpmMicros / divisor);
  const rest = advertiserCpmMicros - whole * divisor;
  return whole * WHOLE + Math.floor((rest * WHOLE) / divisor);
}
