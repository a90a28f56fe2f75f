import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../install.mjs';

/** What the linter says of a file with the project's rules. */
function lint(text) {
  const folder = mkdtempSync(join(tmpdir(), 'bidwell-lint-'));
  try {
    writeFileSync(join(folder, 'a.ts'), text);
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/oxlint'),
      ['--config', join(root, '.oxlintrc.json'), 'a.ts'],
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
