/**
 * npm run test:services: runs the tests of stores, events, live updates and files against PostgreSQL, NATS and an
 * S3-compatible server. Starts all of them itself, on free ports. `npm run test:all` runs more files, and then a browser test
 * against deploy/local-cluster.mjs.
 */
import { fileURLToPath } from 'node:url';
import { ensurePrograms } from './apt.mjs';
import { ensureBuilt } from './build.mjs';
import { chromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { nats } from './nats.mjs';
import { postgres } from './postgres.mjs';
import { runPlaywright, runVitest, combined } from './test-runs.mjs';
import { IS_WHOLE } from './whole-run.mjs';

/** Runs the tests. Without PostgreSQL, NATS or Chromium they are one failure. */
export function testServices() {
  if (![chromium, nats, postgres].every((program) => program.isThere()))
    return {
      passed: 0,
      failed: 1,
      failures: ['PostgreSQL, NATS or Chromium is missing'],
      files: [],
    };
  const stores = runVitest('services', ['--config', 'vitest.services.config.ts']);
  if (!IS_WHOLE) return stores;
  ensureBuilt();
  return combined([stores, runPlaywright('cluster', 'e2e/cluster/playwright.config.ts')]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const installing = ensurePrograms([chromium, nats, postgres]);
  ensureInstalled();
  for (const hint of await installing) console.error(hint);
  const { passed, failed } = testServices();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
