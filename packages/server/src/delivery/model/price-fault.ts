/** Why a notice that may charge did not charge a price that it named. `free` is a price of 0. */
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
