/**
 * Checks that every test named in docs/*-coverage.md exists. A row is
 * `| sentence | file.test.ts: title; file.test.ts: title |`, with files given by the end of their path. No row may be empty.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../install.mjs';

const testFiles = ['packages', 'e2e'].flatMap((folder) => filesUnder(join(root, folder)));
const problems = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('-coverage.md'))
  .flatMap((name) => problemsOf(name));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function problemsOf(name) {
  const rows = readFileSync(join(root, 'docs', name), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (-+|What)/.test(line));
  return rows.flatMap((row) => {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const tests = (cells[2] ?? '').split(/; (?=`)/).filter(Boolean);
    if (tests.length === 0) return [`${name}: no test shows "${cells[1]}"`];
    return tests.filter((test) => !exists(test)).map((test) => `${name}: there is no test "${test}"`);
  });
}

function exists(test) {
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
