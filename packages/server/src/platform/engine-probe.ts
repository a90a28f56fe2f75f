import { inTime } from './concurrency/in-time.ts';
import type { Step } from './startup.ts';

/** Probes often wait for one second only, so no response is waited for longer. */
const RESPONSE_MS = 800;
/** An engine that responded this recently is available although its next response is late: this process may be busy. */
const LATE_MAX_MS = 5000;

/**
 * Returns a function that tells within a second whether an engine is available, once the step `after` of the start is done:
 * it responds to `ping`, or did so in the last five seconds and has not failed since. One ping runs at a time, until it is five
 * seconds old.
 */
export function engineProbe(
  after: Pick<Step, 'isDone' | 'done'>,
  ping: () => Promise<unknown>,
): () => Promise<boolean> {
  let respondedAtMs = -Infinity;
  let running: { beganAtMs: number; result: Promise<boolean> } | null = null;
  void after.done.then(() => (respondedAtMs = performance.now()));
  const tryOnce = async (): Promise<boolean> => {
    try {
      await ping();
      respondedAtMs = performance.now();
      return true;
    } catch {
      respondedAtMs = -Infinity;
      return false;
    }
  };
  const begin = () => {
    const began = { beganAtMs: performance.now(), result: tryOnce() };
    void began.result.then(() => {
      if (running === began) running = null;
    });
    return began;
  };
  return async () => {
    if (!after.isDone()) return false;
    if (running && performance.now() - running.beganAtMs >= LATE_MAX_MS) running = null;
    running ??= begin();
    return inTime(running.result, RESPONSE_MS, 'no answer').catch(
      () => performance.now() - respondedAtMs < LATE_MAX_MS,
    );
  };
}
