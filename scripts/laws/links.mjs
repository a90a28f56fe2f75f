/**
 * Checks that every relative link of a Markdown document leads to a file or folder of the repository, and its fragment to a
 * heading.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The broken links of documents, as "document: link". `paths` are relative to `root`. */
export function brokenLinks(root, paths) {
  return paths.flatMap((path) =>
    linksOf(readFileSync(join(root, path), 'utf8'))
      .filter((link) => !leadsSomewhere(root, path, link))
      .map((link) => `${path}: ${link}`),
  );
}

function leadsSomewhere(root, path, link) {
  const [file, fragment] = link.split('#');
  const target = file === '' ? join(root, path) : join(root, dirname(path), decodeURI(file));
  if (!existsSync(target)) return false;
  return fragment === undefined || !target.endsWith('.md') || anchorsOf(target).has(fragment);
}

/** Links to other places than web addresses, outside blocks of code. */
function linksOf(text) {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** The fragments of a document's headings, as GitHub forms them; the second heading of a name ends with -1. */
function anchorsOf(path) {
  const counts = new Map();
  const anchors = new Set();
  for (const [, heading] of withoutCode(readFileSync(path, 'utf8')).matchAll(/^#+ (.+)$/gm)) {
    const name = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    anchors.add(count === 0 ? name : `${name}-${count}`);
  }
  return anchors;
}

const withoutCode = (text) => text.replace(/^```[^]*?^```/gm, '');
