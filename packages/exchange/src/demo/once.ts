import type { Config } from '@bidwell/server/config/config';
import { lockFolder } from '@bidwell/server/platform/files/folder-lock';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The preparation of a data folder was interrupted, and something else may be in it. */
export class PreparationInterrupted extends Error {}

/** The state of the preparation in the data folder. */
const State = z.object({
  version: z.literal(1),
  isReady: z.boolean(),
  /** Whether nothing was stored before. */
  wasEmpty: z.boolean(),
});
type State = z.infer<typeof State>;

const FILE = 'demo.json';
/** Made before the preparation starts, and used by it. */
const KEPT = new Set([FILE, 'secrets.json', 'lock']);

/**
 * Runs `prepare` unless it has succeeded in this data folder. After an interruption it starts again with an empty folder.
 * Throws {@link PreparationInterrupted} where the folder or its databases held something before the first try.
 */
export async function once({ dataDir, databaseUrl, clickhouseUrl }: Config, prepare: () => Promise<unknown>) {
  const path = join(dataDir, FILE);
  const state = await readState(path);
  if (state?.isReady) return;
  if (state && !state.wasEmpty)
    throw new PreparationInterrupted(
      `The demo was interrupted while it was prepared: delete ${dataDir} and what it has stored in external databases, and start again.`,
    );
  if (state) await clear(dataDir);
  const wasEmpty = !databaseUrl && !clickhouseUrl && !existsSync(join(dataDir, 'postgres'));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await write(path, { version: 1, isReady: false, wasEmpty });
  await prepare();
  await write(path, { version: 1, isReady: true, wasEmpty });
}

async function readState(path: string): Promise<State | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : State.parse(JSON.parse(text));
}

async function write(path: string, state: State): Promise<void> {
  await writeFile(path, `${JSON.stringify(state)}\n`);
}

/** Deletes what an interrupted preparation left. Throws where a running process has the folder. */
async function clear(dataDir: string): Promise<void> {
  const lock = await lockFolder(dataDir, () => {});
  try {
    for (const name of await readdir(dataDir))
      if (!KEPT.has(name)) await rm(join(dataDir, name), { recursive: true, force: true });
  } finally {
    await lock.release();
  }
}
