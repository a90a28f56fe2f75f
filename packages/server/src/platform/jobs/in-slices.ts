/** Runs a generator to completion without yielding to the event loop. */
export function inOneGo<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Runs a generator to completion, and yields to the event loop every `sliceMs`, so that long work does not delay bids
 * with a deadline of ten milliseconds.
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
