import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: root, maxBuffer: 1024 ** 2 })).stdout.trim();

/**
 * The commit of the release before these sources: the one with its tag, or that named it in the changelog. While nothing is
 * unreleased, the newest release is taken. Null without the history, as in a shallow copy of the repository.
 */
export async function previousRelease(): Promise<string | null> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const [unreleased, ...releases] = changelog.split(/^## /m).slice(1);
  const isReleased = unreleased?.trim() === 'Unreleased';
  const version = /^\d+\.\d+\.\d+/.exec(releases[isReleased ? 1 : 0] ?? '')?.[0];
  if (version === undefined) return null;
  const commitOf = async (...args: string[]) =>
    git(...args).then(
      (found) => found || null,
      () => null,
    );
  return (
    (await commitOf('rev-list', '-1', `v${version}`, '--')) ??
    ((await commitOf('rev-parse', '--is-shallow-repository')) === 'false'
      ? commitOf('log', '--reverse', '--format=%H', `-S## ${version}`, '--', 'CHANGELOG.md').then(
          (commits) => commits?.split('\n')[0] ?? null,
        )
      : null)
  );
}

/** Writes the sources of a commit into a folder, to be run with the modules of this one. Returns the path of its server. */
export async function checkOut(commit: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const archive = join(folder, 'sources.tar');
  await git('archive', '--output', archive, commit, 'packages', 'package.json', 'tsconfig.base.json');
  await run('tar', ['-xf', archive, '-C', folder]);
  const packages = await readdir(join(folder, 'packages'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@bidwell'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@bidwell') await symlink(join(root, 'node_modules', name), join(modules, name));
  for (const name of packages) {
    await symlink(join(folder, 'packages', name), join(modules, '@bidwell', name));
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) await symlink(own, join(folder, 'packages', name, 'node_modules'));
  }
  const server = join(folder, 'packages/server/src');
  // 0.1.0 has its entry point next to the folders.
  return [join(server, 'start/serve.ts'), join(server, 'serve.ts')].find((path) => existsSync(path))!;
}
