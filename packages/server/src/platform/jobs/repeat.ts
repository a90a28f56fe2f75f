import type { Logger } from 'pino';
import type { Step } from '../startup.ts';
import { span } from '../telemetry/tracing.ts';
import { backoffMs } from '../concurrency/backoff.ts';

/** The work of a job. The signal aborts when the process stops. */
export type Work = (stopping: AbortSignal) => Promise<unknown>;

/** Work that repeats until it is stopped. */
export interface RepeatingJob {
  /** Aborts the signal of a run in progress, and waits for it; none follows. */
  stop(): Promise<void>;
}

/**
 * Runs `work` again `intervalMs` after it ended, never twice at once. A failed run is logged and retried with backoff:
 * after a second or less at first, at most after two intervals or a minute. It first runs once the steps `after` of the start
 * are done. Its signal aborts when the process stops: calls to services other than this installation's databases have to end then.
 */
export function repeat(
  intervalMs: number,
  name: string,
  log: Logger,
  work: Work,
  after: readonly Pick<Step, 'done'>[] = [],
): RepeatingJob {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const turn = (): void => {
    running = Promise.resolve()
      .then(async () => span(`job ${name}`, {}, () => work(signal)))
      .then(
        () => void (failures = 0),
        (err: unknown) => {
          if (signal.aborted && err === signal.reason) return;
          failures += 1;
          log.error({ err, job: name }, 'job failed');
        },
      )
      .then(() => {
        const retryMaxMs = Math.min(60_000, Math.max(2000, 2 * intervalMs));
        const retryMs = (): number => backoffMs(Math.min(1000, intervalMs), failures, retryMaxMs);
        if (!signal.aborted) timer = setTimeout(turn, failures === 0 ? intervalMs : retryMs());
      });
  };
  const begin = async (): Promise<void> => {
    await Promise.all(after.map(({ done }) => done));
    if (!signal.aborted) turn();
  };
  timer = setTimeout(() => void begin(), intervalMs);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
