import type { Logger } from 'pino';
import { inTime } from './in-time.ts';

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
