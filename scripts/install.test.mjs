import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isInstalled, root } from './install.mjs';

const LOCKED = {
  '': { name: 'project' },
  'packages/server': { version: '1.0.0' },
  'node_modules/server': { resolved: 'packages/server', link: true },
  'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a', dev: true },
  'node_modules/binary-other-platform': { version: '1.0.0', integrity: 'sha512-b', optional: true },
};
const { '': _project, 'node_modules/binary-other-platform': _binary, ...INSTALLED } = LOCKED;
const zod = (entry) => ({ ...INSTALLED, 'node_modules/zod': entry });

/** A project with these packages in its lock file and, unless undefined, in npm's list of installed packages. */
function project(installed) {
  const folder = mkdtempSync(join(tmpdir(), 'install-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: LOCKED }));
  mkdirSync(join(folder, 'node_modules'));
  if (installed)
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  return folder;
}

test('what npm installed here is recognised without a file of our own', () => {
  expect(isInstalled(root)).toBe(true);
  expect(isInstalled(project(INSTALLED))).toBe(true);
});

test('a new version of the project installs nothing', () => {
  expect(isInstalled(project({ ...INSTALLED, 'packages/server': { version: '0.9.0' } }))).toBe(true);
});

test.each([
  ['nothing', undefined],
  ['no development dependencies', zod(undefined)],
  ['another version', zod({ version: '3.9.0', integrity: 'sha512-a' })],
  ['other content of the same version', zod({ version: '4.0.0', integrity: 'sha512-c' })],
  ['a package that is no longer locked', { ...INSTALLED, 'node_modules/removed': { version: '1.0.0' } }],
])('an installation with %s is renewed', (_what, installed) => {
  expect(isInstalled(project(installed))).toBe(false);
});
