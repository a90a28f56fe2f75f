import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A program of the system that tests run: whether it is there, the Debian packages that have it, best first, and what to
 * tell a user who has to install it.
 * @typedef {{ isThere: () => boolean, packages: string[], hint: string }} SystemProgram
 */

/**
 * Installs the missing programs with apt, if possible: as root, on a system with apt. It does so in a process of its own,
 * while the caller does other work. Resolves to the hints of the programs that are still missing.
 * @param {SystemProgram[]} programs
 */
export async function ensurePrograms(programs) {
  const missing = () => programs.filter(({ isThere }) => !isThere());
  if (missing().length > 0 && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    const packages = missing().map((program) => program.packages.join('|'));
    const installer = spawn(process.execPath, [fileURLToPath(import.meta.url), ...packages], {
      stdio: 'inherit',
    });
    await once(installer, 'exit');
  }
  return missing().map(({ hint }) => hint);
}

/** Installs the first known package of each group; skips groups without a known package. */
function install(groups) {
  apt(['update', '-qq']);
  const known = (name) => spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;
  const packages = groups.flatMap((group) => group.split('|').find(known) ?? []);
  if (packages.length === 0) return;
  console.log(`Installing ${packages.join(' and ')} (once) …`);
  apt(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

function apt(args) {
  spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install(process.argv.slice(2));
