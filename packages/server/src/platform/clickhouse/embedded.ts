import { createClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SmallMemory } from '../memory.ts';
import { DataFolderInUse, DataFolderUnusable } from './data-folder-errors.ts';
import { openWithin } from './embedded-memory.ts';
import { embeddedFiles, embeddedStreams } from './embedded-streams.ts';
import type { OpenedClickHouse } from './opened.ts';
import { lowerPriority } from './thread-priority.ts';

/** In the folder of chDB: its lock, the definitions of its tables, and their rows. */
const OWN_FILES = ['status', 'metadata', 'store'];

const FILES_DELETED =
  "Files of the reports' database in DATA_DIR/clickhouse were deleted while it runs: reports lack what was in them, and events wait in the event log. Stop the server, put the files back or restore a backup, and start it.";

/** Opens chDB under `dataDir`. Throws {@link DataFolderInUse} and {@link DataFolderUnusable}. */
export async function openChdb(dataDir: string, memory: SmallMemory | null): Promise<OpenedClickHouse> {
  const path = join(dataDir, 'clickhouse');
  await mkdir(path, { recursive: true });
  try {
    const limits = memory && (await openWithin(memory, path, dataDir));
    const client = createClient({ connection: createChdbConnection({ path }) } as Parameters<
      typeof createClient
    >[0]);
    const openStream = await embeddedStreams(path, join(dataDir, 'exports'));
    abortAtOnce();
    const stopLowering = lowerPriority();
    const hasFiles = watchFiles(path, OWN_FILES);
    // What exists by now is what has to stay.
    await hasFiles();
    const fault = async () => ((await hasFiles()) ? null : FILES_DELETED);
    const release = (): void => {
      stopLowering();
      limits?.close();
    };
    return { client, openStream, insertFile: embeddedFiles(path), fault, release };
  } catch (cause) {
    // chDB prints the real reason and throws a general error.
    if (await isLocked(join(path, 'status')))
      throw new DataFolderInUse(`Another Bidwell process already uses the data folder ${dataDir}.`, {
        cause,
      });
    throw new DataFolderUnusable(
      `The reports' database cannot be opened in ${path}; the line above says why. Is it from a newer version, damaged, or not yours to write?`,
      { cause },
    );
  }
}

/** Whether a process holds a lock on a file; assumed true where the system does not provide it (not Linux). */
async function isLocked(file: string): Promise<boolean> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => null);
  if (locks === null) return true;
  const inode = await stat(file).then(
    ({ ino }) => ino,
    () => null,
  );
  return inode !== null && new RegExp(`:${inode} `).test(locks);
}

/**
 * Ends the process when it aborts, as Node.js does without memory. chDB handles the signal by waiting for its threads, which may
 * never end: the process would keep its port and its data folder without responding.
 */
function abortAtOnce(): void {
  if (process.listenerCount('SIGABRT') === 0) process.on('SIGABRT', () => process.abort());
}

/**
 * Returns a function that tells whether the files and folders of these names in a folder are still those that it saw first. Those
 * that do not exist yet may come. Takes as long as reading the properties of each.
 */
function watchFiles(folder: string, names: readonly string[]): () => Promise<boolean> {
  const seen = new Map<string, number>();
  const isThere = async (name: string): Promise<boolean> => {
    const inode = await stat(join(folder, name)).then(
      ({ ino }) => ino,
      () => null,
    );
    const first = seen.get(name) ?? inode;
    if (first !== null) seen.set(name, first);
    return first === inode;
  };
  return async () => (await Promise.all(names.map(isThere))).every(Boolean);
}
