/** Minutes from one try to the next; after the last one a delivery has failed. A day in all. */
const DELAYS_MINUTES = [0.1, 0.5, 2, 10, 30, 60, 120, 240, 480, 480];
/** Part of a delay that is random, so that what failed together is not tried together. */
const JITTER_PART = 0.1;

/** When a delivery is tried again that was tried `attempts` times, the last time at `now`; null for no more. Pure. */
export function retryAt(now: Date, attempts: number, random: () => number = Math.random): Date | null {
  const minutes = DELAYS_MINUTES[attempts - 1];
  if (minutes === undefined) return null;
  return new Date(now.getTime() + minutes * 60_000 * (1 + random() * JITTER_PART));
}
