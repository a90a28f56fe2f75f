import { afterAll, vi } from 'vitest';

// Files of one worker share its modules and its process: what a file replaced is put back before the next one.
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
