import type { DeviceNotices, UnreadablePriceRule } from '@bidwell/contract/operator/schema';
import type { EventKind } from './event.ts';

/** Keys of an exchange that encrypts its prices. */
export interface PriceKeys {
  encryption: Buffer;
  integrity: Buffer;
}

/** How an exchange sends prices, and what is charged when one cannot be read. */
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
