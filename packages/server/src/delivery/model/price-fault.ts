/** Why a billable notice did not charge a price of its own. `free` is a price of 0. */
export const PRICE_FAULTS = [
  'missing',
  'unreplaced_macro',
  'negative',
  'not_a_number',
  'not_decrypted',
  'audit',
  'free',
] as const;
export type PriceFault = (typeof PRICE_FAULTS)[number];
