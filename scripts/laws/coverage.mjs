/**
 * Checks that every test named in docs/*-coverage.md exists. A row is
 * `| sentence | file.test.ts: title; file.test.ts: title |`, with files given by the end of their path. No row may be empty.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../install.mjs';

/** What is wrong with the coverage documents in `folder`, as sentences that begin with the name of the document. */
export function coverageProblems(folder) {
  const testFiles = ['packages', 'e2e'].flatMap((name) => filesUnder(join(folder, name)));
  return readdirSync(join(folder, 'docs'))
    .filter((name) => name.endsWith('-coverage.md'))
    .flatMap((name) => problemsOf(name, readFileSync(join(folder, 'docs', name), 'utf8'), testFiles));
}

function problemsOf(name, text, testFiles) {
  return rowsOf(text).flatMap((row) => {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const tests = (cells[2] ?? '').split(/; (?=`)/).filter(Boolean);
    if (tests.length === 0) return [`${name}: no test shows "${cells[1]}"`];
    return tests
      .filter((test) => !exists(test, testFiles))
      .map((test) => `${name}: there is no test "${test}"`);
  });
}

/** The rows of all tables, without their heads: the line of dashes and the one above it. */
function rowsOf(text) {
  const lines = text.split('\n');
  const isRule = (line) => (line ?? '').startsWith('| -');
  return lines.filter((line, at) => line.startsWith('| ') && !isRule(line) && !isRule(lines[at + 1]));
}

function exists(test, testFiles) {
  const [, file, title] = /^`([^`]+)`: (.+)$/s.exec(test) ?? [];
  if (!file) return false;
  const found = testFiles.filter((path) => path.endsWith(`/${file}`));
  return found.some((path) => readFileSync(path, 'utf8').includes(title));
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : filesUnder(path);
    return /\.(test|spec)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = coverageProblems(root);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
