/** Bid ids of UUIDv7 begin with the time in ms: these bits follow. */
export const RANDOM_BITS = 80n;

/** The smallest bid id of an instant, as a number. */
export function firstIdAt(atMs: number): bigint {
  return BigInt(Math.max(0, Math.floor(atMs))) << RANDOM_BITS;
}

/** The same as a decimal number, for a parameter of a query. */
export function firstIdText(atMs: number): string {
  return firstIdAt(atMs).toString();
}
