import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../install.mjs';

/** What the linter says of files with the project's rules: of `a.ts`, and of others by name. */
function lint(text, others = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bidwell-lint-'));
  try {
    for (const [name, content] of Object.entries({ ...others, 'a.ts': text })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/oxlint'),
      ['--config', join(root, '.oxlintrc.json')],
      { cwd: folder, encoding: 'utf8' },
    );
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('two imports of one module break a rule of the linter, types or not', () => {
  const used = 'export const a: A = b;\n';
  expect(lint(`import type { A } from './b.ts';\nimport { b } from './b.ts';\n${used}`)).toContain(
    'no-duplicates',
  );
  expect(lint(`import { type A, b } from './b.ts';\n${used}`)).not.toContain('no-duplicates');
});

/** A function with this number of lines, and one without a name. */
const named = (lines) => `export function long() {${'\n'.repeat(lines - 1)}}\n`;
const nameless = (lines) => `export const table = { long: [() => {${'\n'.repeat(lines - 1)}}] };\n`;

test.each([
  ['a function of 101 lines', named(101), 'max-lines-per-function'],
  ['a nameless function of 101 lines', nameless(101), 'max-lines-per-function'],
  ['a test that waits for a second at most', 'await vi.waitFor(() => rows);\n', 'Use eventually()'],
  ['a test that always waits', 'await page.waitForTimeout(1000);\n', 'Use expect.poll()'],
  [
    'a time limit that garbage collection removes',
    'export const signal = AbortSignal.any([closing, AbortSignal.timeout(1000)]);\n',
    'Use abortAfter()',
  ],
  [
    'two files whose types import each other',
    "import type { B } from './b.ts';\nexport type A = B;\n",
    'no-cycle',
    { 'b.ts': "import type { A } from './a.ts';\nexport type B = A;\n" },
  ],
  [
    'a text of the server in the console',
    '',
    'Only the server writes these texts',
    {
      'packages/console/src/a.ts':
        "import { apiMessages } from '@bidwell/contract/text/messages';\nexport const a = apiMessages;\n",
    },
  ],
])('%s breaks a rule of the linter', (_what, text, rule, others) => {
  expect(lint(text, others)).toContain(rule);
});

test('functions of 100 lines, and longer ones of tests and migrations, break no rule', () => {
  expect(lint(named(100), { 'b.test.ts': named(200), 'b.spec.ts': named(200) })).toContain(
    'Found 0 warnings and 0 errors',
  );
});
