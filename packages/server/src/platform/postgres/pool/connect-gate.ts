import { isDatabaseUnavailable } from '../../database-unavailable.ts';
import { backoffMs } from '../../concurrency/backoff.ts';

const pause = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const RETRY_MS = { first: 50, most: 2000 } as const;

/**
 * Limits the attempts to connect while a database is unavailable: one at a time, with backoff and jitter, for all callers
 * that wait meanwhile. So many processes with many requests neither flood a database that starts again nor reconnect all
 * at once. Callers wait instead of failing at once, at most two seconds and the time of the attempt.
 */
export function connectGate<T>(connect: () => Promise<T>): () => Promise<T> {
  let failures = 0;
  let probe: Promise<T> | null = null;

  const attempt = async (): Promise<T> => {
    const before = failures;
    try {
      const connection = await connect();
      failures = 0;
      return connection;
    } catch (error) {
      // Attempts that fail together count once.
      if (failures === before && isDatabaseUnavailable(error)) failures += 1;
      throw error;
    }
  };

  return async () => {
    if (failures === 0) return attempt();
    if (probe) {
      await probe;
      return attempt();
    }
    const own = pause(backoffMs(RETRY_MS.first, failures, RETRY_MS.most)).then(attempt);
    probe = own;
    try {
      return await own;
    } finally {
      probe = null;
    }
  };
}
