import { inTime } from './concurrency/in-time.ts';
import type { Step } from './startup.ts';

/** Probes often wait for one second only, so an answer is not waited for longer. */
const ANSWER_MS = 800;
/** An engine that answered this recently is available although its next answer is late: this process may be busy. */
const LATE_MAX_MS = 5000;

/**
 * Returns a function that tells within a second whether an engine is available, once the step `after` of the start is done:
 * it answers `ping`, or did so in the last five seconds and has not failed since. One ping runs at a time, until it is five
 * seconds old.
 */
export function engineProbe(
  after: Pick<Step, 'isDone' | 'done'>,
  ping: () => Promise<unknown>,
): () => Promise<boolean> {
  let answeredAtMs = -Infinity;
  let running: { beganAtMs: number; answer: Promise<boolean> } | null = null;
  void after.done.then(() => (answeredAtMs = performance.now()));
  const tryOnce = async (): Promise<boolean> => {
    try {
      await ping();
      answeredAtMs = performance.now();
      return true;
    } catch {
      answeredAtMs = -Infinity;
      return false;
    }
  };
  const begin = () => {
    const began = { beganAtMs: performance.now(), answer: tryOnce() };
    void began.answer.then(() => {
      if (running === began) running = null;
    });
    return began;
  };
  return async () => {
    if (!after.isDone()) return false;
    if (running && performance.now() - running.beganAtMs >= LATE_MAX_MS) running = null;
    running ??= begin();
    return inTime(running.answer, ANSWER_MS, 'no answer').catch(
      () => performance.now() - answeredAtMs < LATE_MAX_MS,
    );
  };
}
