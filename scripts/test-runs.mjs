/** Runs Vitest and Playwright, and counts what passed and failed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { chromium, chromiumPath } from './chromium.mjs';
import { root } from './install.mjs';

const reports = join(root, '.cache', 'reports');
/** How much of the error of a failed test is printed: enough for the expected and the found value, and the place. */
const ERROR_LINES = 12;
const LINE_LENGTH = 200;

/**
 * The result of a run: its tests, the file and name of each that failed with the start of its error, and the duration of each
 * test file without the time of its imports.
 * @typedef {{ passed: number, failed: number, failures: string[], files: { name: string, ms: number }[] }} TestRun
 */

/**
 * Runs Vitest with these arguments.
 * @param {string} name of the report
 * @returns {TestRun}
 */
export function runVitest(name, args) {
  const report = freshReport(name);
  const status = run(process.execPath, [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ]);
  const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0, testResults = [] } = read(report);
  const files = testResults.map(({ name: path, startTime, endTime }) => ({
    name: relative(root, path),
    ms: endTime - startTime,
  }));
  return {
    passed: numPassedTests,
    failed: atLeastOne(status, numFailedTests || numFailedTestSuites),
    failures: testResults.flatMap(failuresOfFile),
    files,
  };
}

/**
 * Runs the browser tests of a configuration; one failure if there is no browser.
 * @param {string} name of the report
 * @returns {TestRun}
 */
export function runPlaywright(name, config, args = []) {
  if (!chromium.isThere()) return { passed: 0, failed: 1, failures: ['There is no browser'], files: [] };
  const report = freshReport(name);
  const status = run(
    process.execPath,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config', config, ...args],
    { CHROMIUM_PATH: chromiumPath(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const { stats = {}, suites = [] } = read(report);
  const { expected = 0, unexpected = 0 } = stats;
  const files = suites.map((suite) => ({ name: `e2e/${suite.file}`, ms: sum(msOfTests(suite)) }));
  return {
    passed: expected,
    failed: atLeastOne(status, unexpected),
    failures: suites
      .flatMap(specsOf)
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => named(`e2e/${file} > ${title}`, errorOf(tests))),
    files,
  };
}

/** Adds up runs. */
export function combined(runs) {
  return {
    passed: sum(runs.map(({ passed }) => passed)),
    failed: sum(runs.map(({ failed }) => failed)),
    failures: runs.flatMap(({ failures }) => failures),
    files: runs.flatMap(({ files }) => files),
  };
}

/** The failed tests of a file in Vitest's report; the file's own name if it could not be loaded. */
function failuresOfFile({ name: path, status, assertionResults }) {
  const file = relative(root, path);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [file] : [];
  return failed.map(({ fullName, failureMessages }) => named(`${file} > ${fullName}`, failureMessages?.[0]));
}

/** The first error of a test in Playwright's report. */
function errorOf(tests) {
  return tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message;
}

/** A failed test with the first lines of its error, without colours and the runner's own stack. */
function named(test, error = '') {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*(node_modules|new Promise)/.test(line));
  return [test, ...lines.slice(0, ERROR_LINES).map((line) => `    ${line.slice(0, LINE_LENGTH)}`)].join('\n');
}

/** The tests of a suite in Playwright's report. */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

function freshReport(name) {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, `${name}.json`);
  rmSync(path, { force: true });
  return path;
}

/** Durations of all test runs in a suite of Playwright's report, in milliseconds. */
function msOfTests(suite) {
  const all = specsOf(suite).flatMap(({ tests }) => tests);
  return all.flatMap(({ results }) => results.map(({ duration }) => duration));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
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
