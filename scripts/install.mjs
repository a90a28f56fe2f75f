import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Installs the locked dependencies, unless the dependencies of the current lock file are installed already. */
export function ensureInstalled() {
  if (isInstalled(root)) return;
  console.log('Installing dependencies (once) …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('The dependencies could not be installed: npm ci failed.');
    process.exit(1);
  }
}

/**
 * Whether the packages of `folder`'s package-lock.json, development dependencies included, are the ones that npm lists in
 * node_modules/.package-lock.json, which it writes at the end of every installation. Optional packages may be absent: most
 * are for other platforms.
 */
export function isInstalled(folder) {
  const locked = packagesOf(join(folder, 'package-lock.json'));
  const installed = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  if (!locked || !installed) return false;
  const isSame = (path) =>
    locked[path]?.version === installed[path]?.version &&
    locked[path]?.integrity === installed[path]?.integrity;
  return (
    Object.keys(locked).every((path) => (locked[path].optional && !installed[path]) || isSame(path)) &&
    Object.keys(installed).every((path) => locked[path])
  );
}

/** The packages of a lock file by their path, without the packages of the project itself; undefined if it cannot be read. */
function packagesOf(file) {
  try {
    const { packages } = JSON.parse(readFileSync(file, 'utf8'));
    return Object.fromEntries(Object.entries(packages).filter(([path]) => path.includes('node_modules/')));
  } catch {
    return undefined;
  }
}
