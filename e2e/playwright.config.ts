import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  // They have a configuration of their own.
  testIgnore: '**/e2e/cluster/**',
  globalSetup: ['../scripts/test-folder.mjs', './support/shared-server.ts'],
  outputDir: '../.cache/browser-tests',
  // Each worker runs a browser. Two cores are busy with three: a test waits for a third of its time.
  workers: 3,
  // Tests run in the order of the files' names. The first files have the longest tests, which would else outlast the others.
  fullyParallel: true,
  // Limits are long, because they cost time only where a test fails, and other programs may use the processor.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json']],
  use: {
    headless: true,
    actionTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    // Recording a trace of every test takes as long as the tests; use --trace on to see how a failure came about.
    trace: 'off',
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
