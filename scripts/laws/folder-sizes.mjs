/** The rule that no folder holds more than 30 files. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FILES_MAX = 30;
/** What is checked with all folders in it. */
const CHECKED = [
  ...['client', 'console', 'contract', 'exchange', 'mcp', 'server', 'testing'].map(
    (name) => `packages/${name}/src`,
  ),
  'bench',
  'chaos',
  'e2e',
  'scripts',
];
/** Folders that may hold any number of files: each file is one of a series. */
const SERIES = new Set(['migrations', 'cases']);

/** Folders with more than 30 files directly in them, tests and styles included, as `path: what is wrong`. */
export function folderSizeBreaches(root) {
  return CHECKED.flatMap((folder) => [...breachesUnder(root, folder)]);
}

function* breachesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return;
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const count = entries.filter((entry) => entry.isFile()).length;
  if (count > FILES_MAX)
    yield `${folder}: has ${count} files, more than ${FILES_MAX}: sort them into folders`;
  for (const entry of entries)
    if (entry.isDirectory() && !SERIES.has(entry.name)) yield* breachesUnder(root, `${folder}/${entry.name}`);
}
