import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { TEST_LIMITS } from './scripts/test-limits.mjs';
import { SlowestFirst, workers } from './scripts/test-order.mjs';
import { IS_WHOLE } from './scripts/whole-run.mjs';

/** What reads and writes PostgreSQL, publishes to NATS or stores files; reports and the bidder's answers do neither. */
const FOLDERS = /^(modules|delivery|platform)\//;
const OTHERS =
  /^(modules\/(reporting\/(?!schedules)|measurement\/|insight\/(bid-log|campaign-reports|delivery-report)\/)|delivery\/openrtb\/)/;

/**
 * Where the engines differ: several connections to PostgreSQL that wait for one another or meet, rows that come back in another
 * order, subjects of NATS, objects of S3. `npm test` runs these files; `npm run test:all` runs all.
 */
const OF_ENGINES = [
  'delivery/correct-spend',
  'delivery/event-log/event-claims',
  'delivery/event-log/stored-events',
  'modules/campaigns/campaigns',
  'modules/campaigns/drafts/drafts',
  'modules/campaigns/history/undo',
  'modules/catalog/creatives/files-in-s3',
  'modules/catalog/creatives/unused-files',
  'modules/identity/accounts',
  'modules/identity/operators/operator-accounts',
  'modules/messaging/alerts/alerts',
  'modules/messaging/messaging',
  'modules/money/invoices/invoices',
  'modules/money/posting',
  'platform/idempotency/idempotency',
  'platform/idempotency/taken-over',
  'platform/postgres/transaction',
  'platform/realtime/nats',
  'platform/realtime/realtime',
].map((name) => `${name}.test.ts`);

/** The tests in these folders that run a whole server. */
function serverTests(): string[] {
  const folder = fileURLToPath(new URL('packages/server/src', import.meta.url));
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const gone = OF_ENGINES.filter((path) => !paths.includes(path));
  if (gone.length > 0) throw new Error(`Tests of the engines that do not exist: ${gone.join(', ')}`);
  return paths
    .filter((path) => path.endsWith('.test.ts') && FOLDERS.test(path) && !OTHERS.test(path))
    .filter((path) => IS_WHOLE || OF_ENGINES.includes(path))
    .map((path) => join(folder, path))
    .filter((path) => readFileSync(path, 'utf8').includes('testApp('));
}

/** Runs tests on PostgreSQL, NATS and S3, which `npm test` runs on the embedded engines before. */
export default defineConfig({
  test: {
    ...TEST_LIMITS,
    name: 'services',
    include: serverTests(),
    experimental: { fsModuleCache: true },
    maxWorkers: workers(),
    sequence: { sequencer: SlowestFirst },
    pool: 'forks',
    isolate: false,
    globalSetup: ['scripts/test-folder.mjs', 'packages/testing/src/engines/services-setup.ts'],
    setupFiles: ['packages/testing/src/restore-mocks.ts'],
  },
});
