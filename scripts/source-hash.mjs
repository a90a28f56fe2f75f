import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './install.mjs';

/** A hash of this Node.js and of the files and the folders, without tests and what is made from sources. Paths are relative to the root. */
export function sourceHash(folders, files) {
  const hash = createHash('sha256').update(process.version);
  for (const folder of folders)
    // A copy or a moved clone is as well built as the original.
    for (const path of sources(join(root, folder)))
      hash.update(relative(root, path)).update(readFileSync(path));
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (['dist', 'generated', 'node_modules'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (!/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}
