import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The folder of what tests make once for all later runs. */
export const cacheFolder = fileURLToPath(new URL('../../../.cache', import.meta.url));

/** A short hash of the texts, for the names of cached files. */
export function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join()).digest('hex').slice(0, 12);
}

const migrationsFolder = fileURLToPath(
  new URL('../../server/src/platform/postgres/migrations', import.meta.url),
);

/** A digest of the names and texts of PostgreSQL's migrations. */
export async function migrationsDigest(): Promise<string> {
  const names = (await readdir(migrationsFolder)).filter((name) => !name.endsWith('.test.ts')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(migrationsFolder, name), 'utf8')));
  return digestOf([...names, ...texts]);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Age of a lock whose process must have been killed: making a template takes ten seconds on a busy machine. */
const LOCK_LIFE_MS = 60_000;

/**
 * Lets `make` create a file or folder of the cache unless it is there. One of several processes creates it and the
 * others wait, because each would take seconds of CPU time.
 */
export async function makeOnce(path: string, make: (partial: string) => Promise<void>): Promise<void> {
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true });
  while (!(await isThere(path))) {
    if (!(await takeLock(lock))) {
      await wait(50);
      continue;
    }
    const partial = `${path}.${process.pid}`;
    try {
      // The process that held the lock before may have just made it.
      if (await isThere(path)) return;
      await make(partial);
      await rename(partial, path).catch(async (error: unknown) => {
        // A process whose lock was too old made it after all.
        if (!(await isThere(path))) throw error;
      });
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
}

/** Creates the folder that is a lock; false while another process has it. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const taken = await stat(lock).catch(() => null);
  if (taken && Date.now() - taken.mtimeMs > LOCK_LIFE_MS) await rm(lock, { recursive: true, force: true });
  return false;
}
