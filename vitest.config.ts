import { defineConfig } from 'vitest/config';
import { SlowestFirst, workers } from './scripts/test-order.mjs';

export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
    maxWorkers: workers(),
    sequence: { sequencer: SlowestFirst },
    projects: [
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'] } },
      {
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['packages/server/src/**/*.test.ts', 'packages/exchange/src/**/*.test.ts'],
          // chDB opens one data folder in a process at a time, and threads share a process.
          pool: 'forks',
          // Loading the server takes longer than most files' tests: a worker loads it once.
          isolate: false,
          globalSetup: ['scripts/test-folder.mjs'],
          setupFiles: ['packages/server/src/testing/restore-mocks.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: './packages/console/vite.config.ts',
        root: './packages/console',
        test: {
          name: 'console',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // As above: a document for each file took four fifths of the time.
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
        },
      },
    ],
  },
});
