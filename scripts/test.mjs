/**
 * npm test [-- --changed [COMMIT]]: installs dependencies, then runs type checks and lint, unit and API tests, the journeys of
 * the browser tests, and tests against services (test-services.mjs). Ends with the ten slowest test files, the names of the
 * tests that failed, and a one-line summary. With --changed it runs only the unit and API tests that depend on files changed
 * since the commit (or not committed yet), and the browser tests only if a browser test or a package that they run changed,
 * but not the tests against services.
 *
 * npm run test:all runs every test (whole-run.mjs).
 */
import { spawnSync } from 'node:child_process';
import { ensurePrograms } from './apt.mjs';
import { ensureBuilt } from './build.mjs';
import { chromium } from './chromium.mjs';
import { ensureInstalled, root } from './install.mjs';
import { nats } from './nats.mjs';
import { postgres } from './postgres.mjs';
import { runPlaywright, runVitest, combined } from './test-runs.mjs';
import { testServices } from './test-services.mjs';
import { IS_WHOLE } from './whole-run.mjs';

const changedSince = readArguments(process.argv.slice(2).filter((argument) => argument !== '--all'));
const withBrowser = wantsBrowser();
// Debian's packages and npm's are installed at the same time.
const installing = ensurePrograms(withBrowser ? [chromium, nats, postgres] : [nats, postgres]);
ensureInstalled();
const { check } = await import('./check.mjs');

const checked = await check();
for (const hint of await installing) console.error(hint);
const unit = runVitest(
  'vitest',
  changedSince === null ? [] : [`--changed=${changedSince}`, '--passWithNoTests'],
);
const browser = withBrowser ? runBrowserTests() : combined([]);
const services = changedSince === null && hasServices() ? testServices() : combined([]);
const all = combined([unit, browser, services]);
printSlowest(all.files);
printFailures(checked ? all.failures : ['npm run check', ...all.failures]);

const passed = all.passed + (checked ? 1 : 0);
const failed = all.failed + (checked ? 0 : 1);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** The commit of --changed; null to run everything. */
function readArguments([flag, commit, ...more]) {
  if (flag === undefined) return null;
  if (flag === '--changed' && more.length === 0) return commit ?? 'HEAD';
  console.error('npm test takes no more than: -- --changed [COMMIT]');
  process.exit(1);
}

/** True if the changes can affect the browser tests. */
function wantsBrowser() {
  if (changedSince === null) return true;
  const shown = [
    'e2e',
    'package-lock.json',
    ...['console', 'contract', 'exchange', 'server'].map((name) => `packages/${name}`),
  ];
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const changed = git('diff', '--name-only', changedSince, '--', ...shown);
  const added = git('ls-files', '--others', '--exclude-standard', '--', ...shown);
  if (changed.status !== 0) throw new Error(changed.stderr);
  return `${changed.stdout}${added.stdout}`.split('\n').some((path) => path && !/\.test\.tsx?$/.test(path));
}

/** True on a system with the packages of both servers; otherwise their hints have named the skipped tests. */
function hasServices() {
  return nats.isThere() && postgres.isThere();
}

function runBrowserTests() {
  ensureBuilt();
  return runPlaywright('playwright', 'e2e/playwright.config.ts', IS_WHOLE ? [] : ['--grep', '@journey']);
}

/** Prints the ten slowest test files, without the time of their imports. */
function printSlowest(files) {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  if (slowest.length > 0) console.log('\nThe slowest test files:');
  for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
}

/** Prints the failed tests and the start of their errors, so that the end of a long output says what to look for. */
function printFailures(names) {
  if (names.length > 0)
    console.log(`\nFailed:\n${names.map((name) => `  ${name.replaceAll('\n', '\n  ')}`).join('\n')}\n`);
}
