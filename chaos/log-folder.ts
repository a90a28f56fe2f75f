import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** How long a log may take for its next segment; long, because other programs may use the processor. */
const PATIENCE_MS = 180_000;

/** Waits until all segments of a log, and of the logs in its folder, are handed on. Throws if none was for three minutes. */
export async function becomesEmpty(folder: string): Promise<void> {
  let left = Infinity;
  for (let endMs = Infinity; performance.now() < endMs; await wait(100)) {
    const names = await readdir(folder, { recursive: true });
    const segments = names.filter((name) => name.endsWith('.wal') && !name.includes('quarantine')).length;
    if (segments === 0) return;
    if (segments < left) [left, endMs] = [segments, performance.now() + PATIENCE_MS];
  }
  throw new Error(`${left} segments of ${folder} are not handed on.`);
}
