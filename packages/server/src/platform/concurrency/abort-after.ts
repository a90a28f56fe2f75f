import { setMaxListeners } from 'node:events';

/** Works that share a signal before Node.js warns of a leak. Zero for no limit breaks `getMaxListeners` in Node 20. */
const LISTENERS_MAX = 10_000;

/**
 * Calls `work` with a signal that aborts with a TimeoutError after `ms`, or earlier with one of `signals`. The timer does not
 * keep the process running, and nothing is left of it when the work has ended. In place of `AbortSignal.any` with
 * `AbortSignal.timeout`: in Node 20 garbage collection removes that timer, and what waits for the signal waits for ever
 * (nodejs/node issue 57736).
 */
export async function abortAfter<T>(
  ms: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const late = setTimeout(() => controller.abort(new DOMException('not in time', 'TimeoutError')), ms);
  late.unref();
  const abort = (): void => controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const other of signals) {
    setMaxListeners(LISTENERS_MAX, other);
    other.addEventListener('abort', abort);
  }
  if (signals.some(({ aborted }) => aborted)) abort();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(late);
    for (const other of signals) other.removeEventListener('abort', abort);
  }
}
