import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
    projects: [
      { test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          include: ['packages/server/src/**/*.test.ts', 'packages/exchange/src/**/*.test.ts'],
          // chDB allows one data folder a process: each test file gets a process of its own.
          pool: 'forks',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: './packages/console/vite.config.ts',
        root: './packages/console',
        test: { name: 'console', include: ['src/**/*.test.{ts,tsx}'], environment: 'happy-dom' },
      },
    ],
  },
});
