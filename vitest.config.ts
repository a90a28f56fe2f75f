import { defaultExclude, defineConfig } from 'vitest/config';
import { TEST_LIMITS } from './scripts/test-limits.mjs';
import { SlowestFirst, workers } from './scripts/test-order.mjs';
import { EXHAUSTIVE, IS_WHOLE } from './scripts/whole-run.mjs';

/** Tests that run a whole server. */
const withServer = {
  ...TEST_LIMITS,
  // chDB opens one data folder in a process at a time, and threads share a process.
  pool: 'forks',
  // Loading the server takes longer than most files' tests: a worker loads it once.
  isolate: false,
  setupFiles: ['packages/testing/src/restore-mocks.ts'],
} as const;

export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
    maxWorkers: workers(),
    sequence: { sequencer: SlowestFirst },
    globalSetup: ['scripts/test-folder.mjs'],
    projects: [
      { test: { ...TEST_LIMITS, name: 'scripts', include: ['scripts/**/*.test.mjs'] } },
      {
        test: {
          ...TEST_LIMITS,
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...withServer,
          name: 'server',
          include: ['packages/{server,exchange,mcp,testing}/src/**/*.test.ts', 'chaos/**/*.test.ts'],
          exclude: [...defaultExclude, ...(IS_WHOLE ? [] : [EXHAUSTIVE])],
        },
      },
      {
        test: {
          ...withServer,
          name: 'client',
          include: ['packages/client/{src,examples}/**/*.test.ts'],
          globalSetup: ['scripts/generate.mjs'],
        },
      },
      {
        extends: './packages/console/vite.config.ts',
        root: './packages/console',
        test: {
          ...TEST_LIMITS,
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
