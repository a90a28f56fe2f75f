import type { Logger } from 'pino';

/** Work that repeats until it is stopped. */
export interface RepeatingJob {
  /** Waits for a run in progress; none follows. */
  stop(): Promise<void>;
}

/** Runs `work` again `intervalMs` after it ended: never twice at once. A failed run is logged and tried at the next turn. */
export function every(
  intervalMs: number,
  name: string,
  log: Logger,
  work: () => Promise<unknown>,
): RepeatingJob {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const turn = (): void => {
    running = work()
      .catch((err: unknown) => log.error({ err, job: name }, 'job failed'))
      .then(() => {
        if (!stopped) timer = setTimeout(turn, intervalMs);
      });
  };
  timer = setTimeout(turn, intervalMs);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
