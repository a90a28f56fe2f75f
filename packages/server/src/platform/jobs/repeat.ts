import type { Logger } from 'pino';
import type { Step } from '../startup.ts';
import { span } from '../telemetry/tracing.ts';
import { backoffMs } from '../concurrency/backoff.ts';

/** Work that repeats until it is stopped. */
export interface RepeatingJob {
  /** Waits for a run in progress; none follows. */
  stop(): Promise<void>;
}

/**
 * Runs `work` again `intervalMs` after it ended, never twice at once. A failed run is logged and retried with backoff:
 * after a second or less at first, at most after two intervals or a minute. It first runs once the steps `after` of the start
 * are done.
 */
export function repeat(
  intervalMs: number,
  name: string,
  log: Logger,
  work: () => Promise<unknown>,
  after: readonly Pick<Step, 'done'>[] = [],
): RepeatingJob {
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const turn = (): void => {
    running = Promise.resolve()
      .then(async () => span(`job ${name}`, {}, work))
      .then(
        () => void (failures = 0),
        (err: unknown) => {
          failures += 1;
          log.error({ err, job: name }, 'job failed');
        },
      )
      .then(() => {
        const retryMaxMs = Math.min(60_000, Math.max(2000, 2 * intervalMs));
        const retryMs = (): number => backoffMs(Math.min(1000, intervalMs), failures, retryMaxMs);
        if (!stopped) timer = setTimeout(turn, failures === 0 ? intervalMs : retryMs());
      });
  };
  const begin = async (): Promise<void> => {
    await Promise.all(after.map(({ done }) => done));
    if (!stopped) turn();
  };
  timer = setTimeout(() => void begin(), intervalMs);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
