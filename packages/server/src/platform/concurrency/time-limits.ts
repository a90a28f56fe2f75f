import type { Logger } from 'pino';
import { setMaxListeners } from 'node:events';

/**
 * Settles as `work` does, or rejects with an error of this class and message after `ms`; the work itself goes on.
 * Infinity is no limit. A result that arrived while the process was paused is not late.
 */
export async function inTime<T>(
  work: Promise<T>,
  ms: number,
  message: string,
  Late: new (message: string) => Error = Error,
): Promise<T> {
  if (ms === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Timers run before the data on sockets is read.
    timer = setTimeout(() => setImmediate(() => reject(new Late(message))), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Runs one step of the shutdown, and stops waiting for it after `ms`. Resolves with whether it ended in time. A failure
 * is logged and counts as an end.
 */
export async function withTimeout(
  name: string,
  ms: number,
  log: Logger,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const ended = work().catch((err: unknown) => {
    log.error({ err, part: name }, 'a part of the server failed to stop');
  });
  try {
    await inTime(ended, ms, 'late');
    return true;
  } catch {
    log.warn({ part: name }, 'a part of the server did not stop in time; stopping the remaining parts');
    return false;
  }
}

/** Works that share a signal before Node.js warns of a leak. Zero for no limit breaks `getMaxListeners` in Node 20. */
const LISTENERS_MAX = 10_000;

/**
 * Calls `work` with a signal that aborts with a TimeoutError after `ms`, or earlier with one of `signals`. The timer does not
 * keep the process running, and nothing is left of it when the work has ended. In place of `AbortSignal.any` with
 * `AbortSignal.timeout`: in Node 20 garbage collection removes that timer, and code that waits for the signal waits for ever
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

/** Settles as `work` does, or rejects with the reason of `signal` as soon as that aborts; the work itself goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
