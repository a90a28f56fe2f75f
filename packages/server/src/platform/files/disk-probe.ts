import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { inTime } from '../concurrency/time-limits.ts';

const PROBE_BYTES = 64 * 1024;

/** Tries whether a folder can be written. */
export interface DiskProbe {
  /**
   * Writes and syncs a small file, and resolves to the error; null if that succeeded. A disk that does not respond within
   * `ms` is an error too. One try at a time, which all callers wait for: each holds a thread of the process meanwhile.
   */
  error(ms: number): Promise<Error | null>;
}

export function diskProbe(folder: string): DiskProbe {
  let trying: Promise<Error | null> | null = null;
  return {
    async error(ms) {
      trying ??= tryWrite(folder).finally(() => (trying = null));
      return inTime(trying, ms, 'the disk does not answer').catch((error: Error) => error);
    },
  };
}

async function tryWrite(folder: string): Promise<Error | null> {
  const path = join(folder, `probe-${uuidv7()}.tmp`);
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES, 1));
      await file.datasync();
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}
