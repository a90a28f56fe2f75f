/** Rules for all texts of the repository: documents, comments, styles and settings. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../install.mjs';

const files = [...filesUnder('')];
const textOf = (path) => readFileSync(join(root, path), 'utf8');

/** The paths of the repository's files, relative to its root. */
function* filesUnder(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) yield path;
    else if (!/^(node_modules|dist|data|coverage|\.cache|\.git)$/.test(entry.name)) yield* filesUnder(path);
  }
}

/** The links of a document, other than web addresses, that lead to no file or to no heading of a document. */
function brokenLinks(path, text) {
  const links = [...text.replace(/^```[^]*?^```/gm, '').matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)];
  return links
    .map(([, link]) => link)
    .filter((link) => {
      const [file, heading] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return (
        heading &&
        target.endsWith('.md') &&
        !headingsOf(target === path ? text : textOf(target)).includes(heading)
      );
    });
}

/** The headings of a document as GitHub writes them in links. */
const headingsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link of the documents leads to a file and a heading that exist', () => {
  const documents = files.filter((path) => path.endsWith('.md'));
  expect(documents).toContain('README.md');
  expect(documents.flatMap((path) => brokenLinks(path, textOf(path)).map((link) => [path, link]))).toEqual(
    [],
  );
  const links =
    '[a](docs/api.md#keys) [b](#two-words) [c](https://x.example/x.md#y) [d](none.md) [e](docs/api.md#none)';
  expect(brokenLinks('README.md', `# Two words\n\n${links}\n`)).toEqual(['none.md', 'docs/api.md#none']);
});

test('every file and folder that says where to change something exists', () => {
  const [, section] = textOf('ARCHITECTURE.md').split('## Where would I change');
  const named = [...section.split('\n## ')[0].matchAll(/`([\w./-]+(?:\.tsx?|\/))`/g)].map(
    ([, path]) => `/${path}`,
  );
  expect(named.length).toBeGreaterThan(30);
  const exists = (name) =>
    files.some((path) => `/${path}`.endsWith(name) || (name.endsWith('/') && `/${path}`.includes(name)));
  expect(named.filter((name) => !exists(name))).toEqual([]);
});

const TESTS = /\.(test|spec)\.tsx?$|\.test\.mjs$|^e2e\/|^packages\/testing\//;
const FOLDER = /(?<![\w.~-])\/(?:home|Users|work|tmp)\/[\w.-]+/g;
const ADDRESS =
  /[\w.+-]+@(?!(?:[\w-]+\.)*(?:example|invalid|localhost|test|example\.(?:com|net|org))\b)[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\b/gi;
/** A section without the name of its text, such as "section 3.2.4 of OpenRTB 2.6" or "RFC 9110, section 14". */
const SECTION =
  /\u00a7|\b(?<!\b(?:RFC \d+|(?:OpenRTB|VAST|GPP|TCF|ASVS|Native) [\d.]+),? )sections? \d[\d.]*(?![\d.]| of (the )?[A-Z])/gi;

/** Names that mean nothing to the readers of a text: a folder of one machine, a person's mail address, a part of another text. */
const foreignIn = (path, text) =>
  [...(TESTS.test(path) ? [] : [FOLDER]), ADDRESS, SECTION].flatMap((pattern) => text.match(pattern) ?? []);

test('no text names a folder of one machine, a mail address of a person, or a section of a text that is not here', () => {
  const texts = files.filter((path) => /\.(md|tsx?|mjs|css|ya?ml)$/.test(path));
  expect(texts.flatMap((path) => foreignIn(path, textOf(path)).map((found) => [path, found]))).toEqual([]);
  const text = `Ann has it in ${['', 'home', 'ann'].join('/')}, ask ${['ann', 'firm.com'].join('@')}, ${['sec', 'tion 4.2'].join('')}, section 3 of VAST 4`;
  expect(foreignIn('docs/a.md', text)).toHaveLength(3);
});
