/**
 * npm test: installs what it needs, then types and lint, unit and API tests, and browser tests. Ends with one line that
 * sums what the runners ran.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { chromiumPath, ensureChromium } from './chromium.mjs';
import { ensureInstalled, root } from './install.mjs';
import { ensureNats } from './nats.mjs';

ensureInstalled();
const { check } = await import('./check.mjs');
const reports = join(root, '.cache', 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const checked = await check();
const natsMissing = ensureNats();
if (natsMissing) console.error(natsMissing);
const unit = runVitest();
await ensureBuilt();
const chromiumMissing = ensureChromium();
if (chromiumMissing) console.error(chromiumMissing);
const browser = chromiumMissing ? { passed: 0, failed: 1 } : runPlaywright();

const passed = unit.passed + browser.passed + (checked ? 1 : 0);
const failed = unit.failed + browser.failed + (checked ? 0 : 1);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function runVitest() {
  const report = join(reports, 'vitest.json');
  const status = run(process.execPath, [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0 } = read(report);
  return { passed: numPassedTests, failed: atLeastOne(status, numFailedTests || numFailedTestSuites) };
}

function runPlaywright() {
  const report = join(reports, 'playwright.json');
  const status = run(
    process.execPath,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
    { CHROMIUM_PATH: chromiumPath(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const { expected = 0, unexpected = 0, flaky = 0 } = read(report).stats ?? {};
  return { passed: expected + flaky, failed: atLeastOne(status, unexpected) };
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

/** A runner that failed without a failed test (a crash, a file that does not load) counts as one. */
function atLeastOne(status, failures) {
  return status === 0 ? failures : Math.max(1, failures);
}
