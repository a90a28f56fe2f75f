/**
 * Temporary files of the tests, in memory where there is room: on a disk, the small files of ClickHouse take CPU time in the
 * kernel, and each acknowledged event waits for the disk.
 */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. In a container it usually has 64 MiB, which is too little. */
const IN_MEMORY = '/dev/shm';
/** Several times what a run needs. */
const BYTES_MIN = 4 * 1024 ** 3;

/** The folder in memory if it is writable and has room, or else the system's folder of temporary files. */
export function parentFolder(inMemory = IN_MEMORY, bytesMin = BYTES_MIN) {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= bytesMin ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Makes the folder, which test processes inherit as TMPDIR. Returns a function that removes it with all that is left. */
export default function setup() {
  const folder = mkdtempSync(join(parentFolder(), 'bidwell-tests-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
