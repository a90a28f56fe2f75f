/** Why the price of a billable notice could not be read. A price of 0 can: it charges nothing. */
export const PRICE_FAULTS = [
  'missing',
  'unreplaced_macro',
  'negative',
  'not_a_number',
  'not_decrypted',
  'audit',
] as const;
export type PriceFault = (typeof PRICE_FAULTS)[number];
