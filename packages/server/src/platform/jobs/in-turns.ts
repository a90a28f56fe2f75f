/** Other callers wait at most about this long for work that is done in turns. */
const TURN_MS = 8;

/**
 * Does long work on the event loop a few milliseconds at a time: the work yields where it may be interrupted, every few
 * hundred steps. Between its turns the process answers others.
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

/** The same at once: for work that is known to be short. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
