import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { withTimeout } from '../../platform/concurrency/time-limits.ts';
import { type Startup, createStartup } from '../../platform/startup.ts';

/** How long the start waits for a database server before it continues without it. */
const STARTUP_TIMEOUT_MS = 8000;
/** Timeouts for closing each part, with database servers: one that is unreachable must not block the stop. */
const PART_MS: Record<string, number> = { http: 3500, delivery: 6500, counter: 2500, other: 1500 };

/** State that all parts of a server share while it starts, runs and stops. */
export interface Lifetime {
  config: Config;
  log: Logger;
  now: () => Date;
  startup: Startup;
  /** Adds a part that is closed before all parts opened so far, and returns it. */
  closing: <T>(part: string, value: T, close: () => Promise<unknown>) => T;
  /** Closes all parts, the last opened first. */
  close: () => Promise<void>;
  /** True once the process is stopping. */
  isStopping: () => boolean;
  /** Reports that the process stops, before anything is closed. */
  stopping: () => void;
}

export function createLifetime(config: Config, log: Logger, now: () => Date): Lifetime {
  let isStopping = false;
  const isServers = config.databaseUrl !== undefined || config.clickhouseUrl !== undefined;
  // Embedded engines have nothing to wait for but their own work, so they need no timeout.
  const startup = createStartup(log, isServers ? STARTUP_TIMEOUT_MS : Infinity);
  const closers: [part: string, close: () => Promise<unknown>][] = [];
  return {
    config,
    log,
    now,
    startup,
    closing(part, value, close) {
      closers.unshift([part, close]);
      return value;
    },
    async close() {
      isStopping = true;
      startup.stop();
      for (const [part, closeOne] of closers.splice(0))
        await withTimeout(part, isServers ? (PART_MS[part] ?? PART_MS['other']!) : Infinity, log, closeOne);
    },
    isStopping: () => isStopping,
    stopping: () => void (isStopping = true),
  };
}
