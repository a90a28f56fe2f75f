import { sql } from 'kysely';
import { untilAborted } from '../concurrency/time-limits.ts';
import { daysBefore } from '../days-before.ts';
import type { Db } from '../postgres/transaction.ts';
import type { FileStore } from './file-store.ts';
import type { Logger } from 'pino';
import { anyOf } from '../postgres/client.ts';

/** An upload takes minutes; a file without a row for this long is unused. */
const UNUSED_DAYS = 1;
const FILES_AT_ONCE = 100;

/**
 * Removes files from the store that have had no row for a day: files of aborted uploads, and files that could not be removed
 * with their rows. At most a hundred in one call; resolves to their number. Throws FilesUnavailable as the store, and the reason of
 * `stopping` as soon as that aborts.
 */
export async function removeUnusedFiles(
  { db, files, now }: { db: Db; files: FileStore; now: () => Date },
  stopping: AbortSignal,
): Promise<number> {
  const uuids = await unusedFilesSince(db, daysBefore(now(), UNUSED_DAYS), FILES_AT_ONCE);
  for (const uuid of uuids) {
    // A stop ends only the wait: the row remains, and the next run removes the file again.
    await untilAborted(files.remove(uuid), stopping);
    await deleteUnusedFileRows(db, [uuid]);
  }
  return uuids.length;
}

/**
 * Removes a file to which nothing refers. A failure is logged and not thrown: the file is removed later, with other unused
 * ones, and what its removal belongs to is done.
 */
export async function discardFile(
  { files, db, log }: { files: FileStore; db: Db; log: Pick<Logger, 'warn'> },
  uuid: string,
): Promise<void> {
  try {
    await files.remove(uuid);
    await deleteUnusedFileRows(db, [uuid]);
  } catch (err) {
    log.warn({ err, uuid }, 'a file that is not used any more could not be removed yet');
  }
}

/** Notes files that are about to be stored: they are unused until their rows are inserted. */
export async function noteUnusedFiles(db: Db, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  await db
    .insertInto('unused_files')
    .values(uuids.map((uuid) => ({ uuid })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The parts of uploads and imports that are not done: they have no row in `files`, and an import may wait for days while its process is down. */
const partsInUse = sql<string>`(
  select (part ->> 'uuid')::uuid from audience_imports, jsonb_array_elements(parts) as part where state in ('waiting', 'running')
  union all
  select (part ->> 'uuid')::uuid from audience_uploads, jsonb_array_elements(parts) as part where is_open
)`;

/** Files of all companies that have been unused since before an instant. */
async function unusedFilesSince(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('unused_files')
    .select('uuid')
    .where('since', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('files').select('uuid').whereRef('files.uuid', '=', 'unused_files.uuid'))),
    )
    .where('uuid', 'not in', partsInUse)
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Deletes the rows of files that were removed. */
async function deleteUnusedFileRows(db: Db, uuids: readonly string[]): Promise<void> {
  await db.deleteFrom('unused_files').where('uuid', '=', anyOf(uuids)).execute();
}
