import type { UnreadablePriceRule } from '@bidwell/contract/operator';

/** Keys of an exchange that encrypts its prices. */
export interface PriceKeys {
  encryption: Buffer;
  integrity: Buffer;
}

/** How an exchange sends prices, and what is charged when one cannot be read. */
export interface PriceRules {
  /** Null when prices are sent in plain text. */
  keys: PriceKeys | null;
  unreadable: UnreadablePriceRule;
}

/** Fallback for an exchange that no longer exists. */
export const PLAIN_PRICES: PriceRules = { keys: null, unreadable: 'bid' };
