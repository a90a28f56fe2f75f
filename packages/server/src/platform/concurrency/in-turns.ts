/** How long one turn of the event loop works, ms; the rest waits for the next one. */
const WORK_MS_MAX = 10;
/** Pieces of work that one turn begins at most. */
const BEGUN_MAX = 128;

/**
 * Returns a function that takes work of an owner to begin after the sockets were read. Owners take turns, and the work of each begins
 * in its order. A turn of the event loop begins as much as it can in ten milliseconds, with the immediate continuation of each piece, so
 * that a client with thousands of requests holds others for moments. A response that is sent while sockets are read would let its
 * client send again in the same turn; libuv then polls up to 48 times before timers and all other work of the process. Work must not
 * throw. The caller bounds how much waits: a connection has one request at a time.
 */
export function inTurns(): (owner: string, work: () => void) => void {
  /** Waiting work by owner; the owner whose turn is next comes first. */
  const queues = new Map<string, (() => void)[]>();
  let waiting = 0;
  let scheduled = 0;
  /** When this turn began to work, by the monotonic clock; null between turns. */
  let beganMs: number | null = null;

  const takeNext = (): (() => void) | undefined => {
    for (const [owner, queue] of queues) {
      const work = queue.shift();
      // Moved behind all other waiting owners.
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      waiting -= 1;
      return work;
    }
    return undefined;
  };
  const schedule = (): void => {
    const target = Math.min(waiting, BEGUN_MAX);
    for (; scheduled < target; scheduled += 1) setImmediate(run);
  };
  // One immediate for each piece: between them Node.js runs the piece's continuations.
  const run = (): void => {
    scheduled -= 1;
    beganMs ??= performance.now();
    if (performance.now() - beganMs < WORK_MS_MAX) takeNext()?.();
    if (scheduled > 0) return;
    beganMs = null;
    schedule();
  };
  return (owner, work) => {
    const queue = queues.get(owner);
    if (queue) queue.push(work);
    else queues.set(owner, [work]);
    waiting += 1;
    // Immediates that come while a turn works would run in the next one, in addition to the immediates scheduled then.
    if (beganMs === null) schedule();
  };
}
