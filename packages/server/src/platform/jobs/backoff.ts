/**
 * How long to wait before the next try after `failures` in a row: twice as long each time up to a bound, and by chance up to
 * half of that shorter, so that the processes that an outage stopped do not come back all at once.
 */
export function backoffMs(
  firstMs: number,
  failures: number,
  maxMs: number,
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30)) * (1 - random() / 2);
}
