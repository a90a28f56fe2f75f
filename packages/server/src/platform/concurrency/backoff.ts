/**
 * Delay before the next try after `failures` in a row, ms: exponential backoff up to a maximum, with random jitter of up
 * to half, so that processes do not all retry at once after an outage.
 */
export function backoffMs(
  firstMs: number,
  failures: number,
  maxMs: number,
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30)) * (1 - random() / 2);
}
