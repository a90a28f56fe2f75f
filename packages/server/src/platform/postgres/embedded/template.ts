import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PREFIX = 'postgres-template-';

/** The installed version of PGlite; files can only be read by the version that wrote them. */
export async function pgliteVersion(): Promise<string> {
  const program = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const description = await readFile(join(program, '../../package.json'), 'utf8');
  return (JSON.parse(description) as { version: string }).version;
}

/**
 * Makes the template of new databases in the folder `templates` unless it exists, and removes the templates of other versions of
 * PGlite. It is an empty database as initdb leaves it, without companies or secrets.
 */
export async function makeTemplate(templates: string): Promise<void> {
  const name = `${PREFIX}${await pgliteVersion()}`;
  if (!existsSync(join(templates, name))) {
    const partial = await mkdtemp(join(templates, `${PREFIX}new-`));
    // Not needed by a server, which imports this file too.
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = new PGlite({ dataDir: partial });
    await pglite.waitReady;
    await pglite.close();
    await openToAll(partial);
    await rename(partial, join(templates, name));
  }
  for (const other of await readdir(templates))
    if (other.startsWith(PREFIX) && other !== name) await rm(join(templates, other), { recursive: true });
}

/** Makes a folder readable by all users, since the server may run as another user than the build. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openToAll(join(folder, entry.name));
    else await chmod(join(folder, entry.name), 0o644);
  }
}

/**
 * Creates the database `folder` from the template in `templates`, atomically: running initdb in this process takes
 * seconds, and three times the memory. False where there is no readable template of this version of PGlite.
 */
export async function copyTemplate(templates: string, folder: string): Promise<boolean> {
  const template = join(templates, `${PREFIX}${await pgliteVersion()}`);
  const partial = `${folder}.new`;
  await rm(partial, { recursive: true, force: true });
  try {
    await readFile(join(template, 'PG_VERSION'));
    await copyPrivately(template, partial);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Errors of the data folder itself are thrown and fail the start.
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || (code === 'EACCES' && path?.startsWith(template))) return false;
    throw error;
  }
  await rename(partial, folder);
  return true;
}

/** Copies a folder so that only its owner can read the copy. */
async function copyPrivately(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await copyPrivately(source, target);
      continue;
    }
    await copyFile(source, target);
    await chmod(target, 0o600);
  }
}
