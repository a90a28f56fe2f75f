import { afterAll, vi } from 'vitest';

// Test files of a worker share its modules and process, so mocks and stubs are restored after each file.
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
