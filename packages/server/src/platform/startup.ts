import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from './database-unavailable.ts';
import { Unavailable } from './errors.ts';
import { backoffMs } from './concurrency/backoff.ts';

/** One step of the startup, on which others may depend. */
export interface Step {
  isDone(): boolean;
  /** Resolves when the step is done; never rejects. */
  done: Promise<void>;
}

/**
 * Startup steps that need a database or S3. The server listens without the steps whose service is unavailable, and retries them
 * in the background.
 */
export interface Startup {
  /**
   * Runs `work` once the steps `after` are done, and retries it while it fails. Resolves when it is done, or when it goes
   * on in the background: because a step of `after` is not done, or a service is unavailable or slow. Throws an error of
   * the first try that is not an outage.
   */
  attempt(name: string, work: () => Promise<void>, after?: readonly Step[]): Promise<Step>;
  /** Names of the steps that are not done, in order. */
  waiting(): string[];
  /** Ends all retries. */
  stop(): void;
}

const RETRY_MS = { first: 250, most: 5000 } as const;

/**
 * Creates a {@link Startup} that does not wait longer than `timeoutMs` for a step; the step goes on in the background.
 */
export function createStartup(log: Logger, timeoutMs: number): Startup {
  const pending = new Set<string>();
  const stopping = new AbortController();

  async function retry(name: string, work: () => Promise<void>, failures: number): Promise<void> {
    for (let count = failures; !stopping.signal.aborted; count += 1) {
      if (count > 0) {
        const waitMs = backoffMs(RETRY_MS.first, count, RETRY_MS.most);
        await pause(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      }
      if (stopping.signal.aborted) return;
      try {
        await work();
        pending.delete(name);
        log.info({ step: name }, 'a delayed startup step completed');
        return;
      } catch (err) {
        log.error({ err, job: name }, 'a startup step failed; retrying');
      }
    }
  }

  return {
    async attempt(name, work, after = []) {
      pending.add(name);
      let isDone = false;
      let finish = (): void => {};
      const done = new Promise<void>((resolve) => (finish = resolve));
      const succeed = (): void => {
        pending.delete(name);
        isDone = true;
        finish();
      };
      const inBackground = (failures: number, before: Promise<unknown>): void => {
        void before
          .then(() => retry(name, work, failures))
          .then(() => {
            if (!stopping.signal.aborted) succeed();
          });
      };
      const step = { isDone: () => isDone, done };
      const unfinished = after.filter((one) => !one.isDone());
      if (unfinished.length > 0) {
        inBackground(0, Promise.all(unfinished.map((one) => one.done)));
        return step;
      }
      const first = work().then(
        () => 'done' as const,
        (error: unknown) => ({ error }),
      );
      const outcome = await settledWithin(first, timeoutMs);
      if (outcome === 'done') succeed();
      else if (outcome === 'slow') {
        log.warn({ step: name }, 'a startup step is slow; startup continues without it');
        void first.then((late) => {
          if (late === 'done') succeed();
          else inBackground(1, Promise.resolve());
        });
      } else {
        if (!isOutage(outcome.error)) throw outcome.error;
        log.warn({ err: outcome.error, step: name }, 'a startup step waits for an unavailable service');
        inBackground(1, Promise.resolve());
      }
      return step;
    },
    waiting: () => [...pending],
    stop: () => stopping.abort(),
  };
}

const isOutage = (error: unknown): boolean => error instanceof Unavailable || isDatabaseUnavailable(error);

async function settledWithin<T>(work: Promise<T>, ms: number): Promise<T | 'slow'> {
  if (ms === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<'slow'>((resolve) => (timer = setTimeout(() => resolve('slow'), ms)));
  try {
    return await Promise.race([work, slow]);
  } finally {
    clearTimeout(timer);
  }
}
