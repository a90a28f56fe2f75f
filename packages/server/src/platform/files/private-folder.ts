import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY = 0o700;

/**
 * Makes a folder, and lets nobody but its owner into it and the folders directly in it: also into those that an older version
 * left open. What is deeper down cannot be reached then, however many files there are. Throws where the folder cannot be
 * made; one that belongs to somebody else stays as it is.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const path of [folder, ...inside.map(({ name }) => join(folder, name))]) {
    try {
      chmodSync(path, OWNER_ONLY);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
      console.warn(`${path} belongs to another user, who decides who may read it.`);
    }
  }
}

/** Files and folders that this process makes from now on are its user's alone. */
export function keepNewFilesPrivate(): void {
  process.umask(0o077);
}
