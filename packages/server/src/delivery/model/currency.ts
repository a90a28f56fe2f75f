/** Dollars per unit, by currency code (ISO 4217). */
export type CurrencyRates = ReadonlyMap<string, number>;
export const DOLLARS_ONLY: CurrencyRates = new Map([['USD', 1]]);
