/**
 * npm test [-- --changed [COMMIT]]: installs dependencies, then runs type checks and lint, unit and API tests, and browser
 * tests. Ends with the ten slowest test files and a one-line summary. With --changed it runs only the unit and API tests
 * that depend on files changed since the commit (or not committed yet), and the browser tests only if a browser test or a
 * package that they run changed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensurePrograms } from './apt.mjs';
import { ensureBuilt } from './build.mjs';
import { chromium, chromiumPath } from './chromium.mjs';
import { ensureInstalled, root } from './install.mjs';
import { nats } from './nats.mjs';

const changedSince = readArguments(process.argv.slice(2));
const withBrowser = wantsBrowser();
// Debian's packages and npm's are installed at the same time.
const installing = ensurePrograms(withBrowser ? [chromium, nats] : [nats]);
ensureInstalled();
const { check } = await import('./check.mjs');
const reports = join(root, '.cache', 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const checked = await check();
for (const hint of await installing) console.error(hint);
const unit = runVitest();
const browser = withBrowser ? runBrowserTests() : { passed: 0, failed: 0, files: [] };
printSlowest([...unit.files, ...browser.files]);

const passed = unit.passed + browser.passed + (checked ? 1 : 0);
const failed = unit.failed + browser.failed + (checked ? 0 : 1);
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

function runBrowserTests() {
  if (!chromium.isThere()) return { passed: 0, failed: 1, files: [] };
  ensureBuilt();
  return runPlaywright();
}

function runVitest() {
  const report = join(reports, 'vitest.json');
  const status = run(process.execPath, [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(changedSince === null ? [] : [`--changed=${changedSince}`, '--passWithNoTests']),
  ]);
  const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0, testResults = [] } = read(report);
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    ms: endTime - startTime,
  }));
  return { passed: numPassedTests, failed: atLeastOne(status, numFailedTests || numFailedTestSuites), files };
}

function runPlaywright() {
  const report = join(reports, 'playwright.json');
  const status = run(
    process.execPath,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
    { CHROMIUM_PATH: chromiumPath(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const { stats = {}, suites = [] } = read(report);
  const { expected = 0, unexpected = 0, flaky = 0 } = stats;
  const files = suites.map((suite) => ({ name: `e2e/${suite.file}`, ms: sum(msOfTests(suite)) }));
  return { passed: expected + flaky, failed: atLeastOne(status, unexpected), files };
}

/** Durations of all test runs in a suite of Playwright's report, in milliseconds. */
function msOfTests({ specs = [], suites = [] }) {
  const results = specs.flatMap(({ tests }) => tests).flatMap((test) => test.results);
  return [...results.map(({ duration }) => duration), ...suites.flatMap(msOfTests)];
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Prints the ten slowest test files, without the time of their imports. */
function printSlowest(files) {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  if (slowest.length > 0) console.log('\nThe slowest test files:');
  for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
}

function run(command, args, env = {}) {
  return spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, UV_THREADPOOL_SIZE: '16', ...env },
  }).status;
}

function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
}

/** The number of failures, at least one if the runner failed without a failed test (a crash, an import error). */
function atLeastOne(status, failures) {
  return status === 0 ? failures : Math.max(1, failures);
}
