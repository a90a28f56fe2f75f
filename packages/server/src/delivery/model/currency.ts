/** What one unit of each known currency is worth in dollars. */
export type CurrencyRates = ReadonlyMap<string, number>;
export const DOLLARS_ONLY: CurrencyRates = new Map([['USD', 1]]);
