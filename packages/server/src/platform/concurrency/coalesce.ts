/**
 * Coalesces overlapping calls of `work`: one runs, and at most one more is queued for all calls that come meanwhile. The
 * promise of a call settles with a run that began after the call.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    waiting = undefined;
    const run = work().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };
  return () => {
    if (waiting) return waiting;
    if (!running) return begin();
    waiting = running.then(begin, begin);
    return waiting;
  };
}
