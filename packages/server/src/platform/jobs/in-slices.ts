/** Runs work that pauses often to its end, for whoever has nobody to let on. */
export function inOneGo<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Runs work that pauses often, and lets others on after each few milliseconds of it: what takes a second must not hold up
 * those who have ten milliseconds.
 */
export async function inSlices<Result>(work: Generator<unknown, Result>, sliceMs = 3): Promise<Result> {
  for (;;) {
    const endMs = performance.now() + sliceMs;
    while (performance.now() < endMs) {
      const step = work.next();
      if (step.done) return step.value;
    }
    await new Promise((resume) => setImmediate(resume));
  }
}
