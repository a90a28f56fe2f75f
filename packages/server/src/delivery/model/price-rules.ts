import type { UnreadablePriceRule } from '@bidwell/contract/operator';

/** The two keys that an exchange gives for its encrypted prices. */
export interface PriceKeys {
  encryption: Buffer;
  integrity: Buffer;
}

/** How an exchange sends its prices, and what is charged where one cannot be read. */
export interface PriceRules {
  /** Null where prices are sent as they are. */
  keys: PriceKeys | null;
  unreadable: UnreadablePriceRule;
}

/** The rules of an exchange that is not known any more. */
export const PLAIN_PRICES: PriceRules = { keys: null, unreadable: 'bid' };
