import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../install.mjs';
import { brokenLinks } from './links.mjs';

const files = filesUnder('');

test('every link of the documents leads to a file and a heading that exist', () => {
  const paths = files.filter((path) => path.endsWith('.md'));
  expect(paths).toContain('README.md');
  expect(brokenLinks(root, paths)).toEqual([]);
});

test('every file and folder that says where to change something exists', () => {
  const [, section] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('## Where would I change');
  const matches = section.split('\n## ')[0].matchAll(/`([\w./-]+(?:\.tsx?|\/))`/g);
  const named = [...matches].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(30);
  const paths = files.map((path) => `/${path}`);
  const exists = (path) =>
    paths.some((one) => (path.endsWith('/') ? one.includes(`/${path}`) : one.endsWith(`/${path}`)));
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

/** The paths of the repository's files, relative to its root. */
function filesUnder(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return /^(node_modules|dist|data|\.cache|\.git)$/.test(entry.name) ? [] : filesUnder(path);
  });
}

test('links to files and headings that do not exist are found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bidwell-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const links = '[a](b.md#two-words) [b](#first-page) [c](https://example.com/x.md#y) [d](.)';
  writeFileSync(join(folder, 'a.md'), `# First page\n\n${links}\n[e](b.md#three) [f](c.md) [g](#second)\n`);
  writeFileSync(join(folder, 'b.md'), '# Two words\n\n```sh\n# three\n```\n');
  expect(brokenLinks(folder, ['a.md', 'b.md'])).toEqual(['a.md: b.md#three', 'a.md: c.md', 'a.md: #second']);
});
