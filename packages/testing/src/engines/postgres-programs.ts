import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SETPRIV = '/usr/bin/setpriv';

/** The folder of PostgreSQL's programs in Debian's packages, of the newest version; null if there is none. */
export function debianBinaries(): string | null {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(base, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** The command that runs a program as the user postgres if this process is root: PostgreSQL does not run as root. */
export function commandAsPostgres(program: string, args: readonly string[]) {
  if (!isRoot()) return { command: program, args: [...args] };
  const user = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];
  return { command: SETPRIV, args: [...user, program, ...args] };
}

/** Runs a program of PostgreSQL, and throws what it printed if it fails. */
export function runAsPostgres(program: string, programArgs: readonly string[]): void {
  const { command, args } = commandAsPostgres(program, programArgs);
  // Do not inherit the output: the server would keep it open, and its readers would wait for the end.
  const { status, stderr, error } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
  });
  if (status !== 0) throw error ?? new Error(`${program} failed: ${String(stderr)}`);
}

/** The user and group that own the folders of PostgreSQL; null if this process is not root. */
export function postgresOwner(): { user: number; group: number } | null {
  const id = (flag: '-u' | '-g') => Number(spawnSync('id', [flag, 'postgres']).stdout);
  return isRoot() ? { user: id('-u'), group: id('-g') } : null;
}

const isRoot = () => process.getuid?.() === 0;
