import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './install.mjs';
import { brokenLinks } from './links.mjs';

test('every link of the documents leads to a file and a heading that exist', () => {
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));
  expect(paths).toContain('README.md');
  expect(brokenLinks(root, paths)).toEqual([]);
});

test('links to files and headings that do not exist are found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bidwell-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const links = '[a](b.md#two-words) [b](#first-page) [c](https://example.com/x.md#y) [d](.)';
  writeFileSync(join(folder, 'a.md'), `# First page\n\n${links}\n[e](b.md#three) [f](c.md) [g](#second)\n`);
  writeFileSync(join(folder, 'b.md'), '# Two words\n\n```sh\n# three\n```\n');
  expect(brokenLinks(folder, ['a.md', 'b.md'])).toEqual(['a.md: b.md#three', 'a.md: c.md', 'a.md: #second']);
});
