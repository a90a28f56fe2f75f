/** When a message is tried again, and when it is given up. */
export interface RetryPlan {
  /** Delays from one try to the next, ms; after the last one a message is given up. */
  delaysMs: readonly number[];
  /** Each delay is multiplied by a random number between these, so that what failed together is not tried together. */
  jitter: readonly [least: number, most: number];
}

/** Delays that double up to a maximum, each shorter by up to half at random; `tries` in all. Pure. */
export function doubling({
  firstMs,
  maxMs,
  tries,
}: {
  firstMs: number;
  maxMs: number;
  tries: number;
}): RetryPlan {
  const delaysMs = Array.from({ length: tries - 1 }, (_, count) => Math.min(maxMs, firstMs * 2 ** count));
  return { delaysMs, jitter: [0.5, 1] };
}

/** When a message is tried again that was tried `attempts` times, the last time at `now`; null for no more. Pure. */
export function nextTry(
  { delaysMs, jitter: [least, most] }: RetryPlan,
  { attempts, now, random = Math.random }: { attempts: number; now: Date; random?: () => number },
): Date | null {
  const delayMs = delaysMs[attempts - 1];
  if (delayMs === undefined) return null;
  return new Date(now.getTime() + delayMs * (least + random() * (most - least)));
}
