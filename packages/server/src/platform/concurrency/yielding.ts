/** Longest run before yielding to the event loop, in milliseconds: bids have a deadline of ten. */
const SLICE_MS = 3;

/**
 * Runs a generator to completion, and yields to the event loop every `sliceMs`, so that long work does not delay bids.
 * The generator yields where it may be interrupted, every few hundred steps. `onSlice` is called with the duration of each
 * run between two yields to the event loop. Rejects with the generator's error.
 */
export async function runYielding<Result>(
  work: Generator<unknown, Result>,
  sliceMs = SLICE_MS,
  onSlice?: (ms: number) => void,
): Promise<Result> {
  let beganMs = performance.now();
  for (;;) {
    const step = work.next();
    const ranMs = performance.now() - beganMs;
    if (!step.done && ranMs < sliceMs) continue;
    onSlice?.(ranMs);
    if (step.done) return step.value;
    await new Promise((resume) => setImmediate(resume));
    beganMs = performance.now();
  }
}

/** Runs a generator to completion without yielding to the event loop, for work that is known to be short. */
export function runToCompletion<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Returns a function to await between steps of work that is not one generator. It resolves at once until the steps of a turn
 * of the event loop have taken `sliceMs`, then after the loop has served waiting events.
 */
export function eventLoopShare(sliceMs = SLICE_MS): () => Promise<void> {
  let turn: { beganMs: number; next: Promise<void> } | null = null;
  const begin = (): { beganMs: number; next: Promise<void> } => {
    const next = new Promise<void>((resume) => {
      setImmediate(() => {
        turn = null;
        resume();
      });
    });
    return { beganMs: performance.now(), next };
  };
  return async () => {
    if (turn && performance.now() - turn.beganMs >= sliceMs) await turn.next;
    turn ??= begin();
  };
}
