import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { coverageProblems } from './coverage.mjs';

test('each row of a coverage document names a test that exists, also a row that begins like a head', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bidwell-coverage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['docs', 'packages', 'e2e']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'packages', 'a.test.ts'), "test('a | works', f);\n");
  const rows = [
    '| What | Tests |',
    '| ---- | ----- |',
    '| A    | `a.test.ts`: a \\| works |',
    '| What is gone is said to be | `b.test.ts`: gone |',
    '| What nothing shows |  |',
    '| C | `a.test.ts`: a \\| works; `a.test.ts`: another title |',
  ];
  writeFileSync(join(folder, 'docs', 'api-coverage.md'), `# A\n\n${rows.join('\n')}\n`);
  expect(coverageProblems(folder)).toEqual([
    'api-coverage.md: there is no test "`b.test.ts`: gone"',
    'api-coverage.md: no test shows "What nothing shows"',
    'api-coverage.md: there is no test "`a.test.ts`: another title"',
  ]);
});
