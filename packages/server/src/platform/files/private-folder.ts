import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY = 0o700;

/**
 * Creates a folder, and restricts it and its direct sub-folders to their owner, including those that an older version
 * left open. Deeper levels cannot be reached then, so they are not changed one by one. Throws where the folder cannot be
 * created; one that belongs to another user is left unchanged with a warning.
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

/** Makes files and folders that this process creates from now on accessible to its user only. */
export function restrictNewFiles(): void {
  process.umask(0o077);
}
