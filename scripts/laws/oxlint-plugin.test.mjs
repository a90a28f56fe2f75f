import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../install.mjs';

const [, ...sections] = readFileSync(join(import.meta.dirname, 'planted.txt'), 'utf8').split(/^# /m);
const planted = sections.flatMap((section) => {
  const [rule, ...lines] = section.trim().split('\n');
  return lines.map((line) => [rule, ...line.split(/ {2}(.+)/)]);
});

const folder = mkdtempSync(join(tmpdir(), 'bidwell-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const [, path, text] of planted) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${text}\n`);
}
const args = ['--config', join(root, '.oxlintrc.json'), '--format', 'json'];
const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), args, { cwd: folder, encoding: 'utf8' });
const { diagnostics } = JSON.parse(stdout);

test.each(planted)('%s: in %s, %s', (rule, path) => {
  const rules = diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code);
  expect(rules).toContainEqual(expect.stringMatching(`\\(${rule}\\)$`));
});
