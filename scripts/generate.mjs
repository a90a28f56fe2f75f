/**
 * npm run generate: writes packages/client/src/generated from the contract, unless it is up to date. The check, the client's tests and
 * its build do so too.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';
import { sourceHash } from './source-hash.mjs';

const generator = 'packages/client/generator';
const stamp = join(root, 'packages/client/src/generated/.generated-from');

/** Writes the generated sources, unless they are up to date. Throws if they cannot be written. */
export default function ensureGenerated() {
  const wanted = sourceHash(
    ['packages/contract', 'packages/server/src/platform', generator],
    ['package-lock.json'],
  );
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const args = ['--import', './scripts/typescript.mjs', join(generator, 'main.ts')];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The types of the client could not be generated.');
  writeFileSync(stamp, wanted);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  ensureGenerated();
}
