import { vi } from 'vitest';

const LIMIT_MS = 60_000;

/**
 * Waits until `check` does not throw; resolves to its result. The limit is long, because it costs time only in a test that
 * fails, and other programs may take the processor for seconds.
 */
export async function eventually<T>(check: () => T | Promise<T>, limitMs = LIMIT_MS): Promise<T> {
  // oxlint-disable-next-line no-restricted-properties -- with a limit that is long enough
  return vi.waitFor(check, { timeout: limitMs, interval: 10 });
}
