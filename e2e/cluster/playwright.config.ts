import { defineConfig } from '@playwright/test';
import shared from '../playwright.config.ts';

export default defineConfig({
  ...shared,
  testDir: '.',
  testIgnore: [],
  globalSetup: './local-cluster.ts',
  outputDir: '../../.cache/browser-tests-of-the-cluster',
  workers: 1,
});
