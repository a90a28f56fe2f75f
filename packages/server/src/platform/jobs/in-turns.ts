/** Longest run before yielding to the event loop. */
const TURN_MS = 8;

/**
 * Runs a generator to completion, and yields to the event loop every few milliseconds. The generator yields where it may
 * be interrupted, every few hundred steps.
 */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let endMs = performance.now() + TURN_MS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < endMs) continue;
    await new Promise((next) => setImmediate(next));
    endMs = performance.now() + TURN_MS;
  }
}

/** Runs a generator to completion without yielding to the event loop, for work that is known to be short. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
