import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'command-';
/** No command of the operator runs for longer. */
const LEFT_AFTER_MS = 24 * 3_600_000;

/**
 * Creates a folder in DATA_DIR for the temporary files of one command, which removes it at its end. The disk with the data
 * has room for them; the system's folder for temporary files, which is used where there is no DATA_DIR, is often in memory.
 * Removes those that a killed command left a day ago.
 */
export async function scratchFolder(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) return mkdtemp(join(tmpdir(), `bidwell-${PREFIX}`));
  for (const name of (await readdir(dataDir)).filter((one) => one.startsWith(PREFIX))) {
    const path = join(dataDir, name);
    const changedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      // Another command has just removed it.
      () => Infinity,
    );
    if (Date.now() - changedMs > LEFT_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
  return mkdtemp(join(dataDir, PREFIX));
}
