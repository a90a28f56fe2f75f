import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes the files of a folder that were last written before an instant, and the oldest of the others where they have more
 * than `bytesMax` together. Resolves to the number of deleted files. A folder that does not exist has none.
 */
export async function deleteOldFiles(
  folder: string,
  { before, bytesMax }: { before: Date; bytesMax: number },
): Promise<number> {
  const files = await filesIn(folder);
  files.sort((one, other) => other.mtimeMs - one.mtimeMs);
  let bytes = 0;
  let deleted = 0;
  for (const file of files) {
    bytes += file.size;
    if (file.mtimeMs >= before.getTime() && bytes <= bytesMax) continue;
    await rm(file.path, { force: true });
    deleted += 1;
  }
  return deleted;
}

async function filesIn(folder: string): Promise<{ path: string; size: number; mtimeMs: number }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(folder, entry.name);
    const info = await stat(path).catch(() => null);
    if (info) files.push({ path, size: info.size, mtimeMs: info.mtimeMs });
  }
  return files;
}
