/**
 * A signal that aborts with a TimeoutError after `ms`, or earlier with one of `signals`. The timer does not keep the process
 * running. In place of `AbortSignal.any` with `AbortSignal.timeout`: in Node 20 garbage collection removes that timer, and
 * what waits for the signal waits for ever (nodejs/node issue 57736).
 */
export function abortAfter(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const late = setTimeout(() => controller.abort(new DOMException('not in time', 'TimeoutError')), ms);
  late.unref();
  for (const other of signals) {
    const abort = (): void => {
      clearTimeout(late);
      controller.abort(other.reason);
    };
    if (other.aborted) abort();
    // The listener goes with this signal.
    else other.addEventListener('abort', abort, { signal, once: true });
  }
  return signal;
}
