import { untilAborted } from '../concurrency/until-aborted.ts';
import { daysBefore } from '../days-before.ts';
import type { Db } from '../postgres/transaction.ts';
import { deleteUnusedFileRows, unusedFilesSince } from '../postgres/stores/unused-files-store.ts';
import type { FileStore } from './file-store.ts';

/** An upload takes minutes; a file without a row for so long belongs to none. */
const UNUSED_DAYS = 1;
const FILES_AT_ONCE = 100;

/**
 * Removes files from the store that have had no row for a day: of uploads that broke off, and those that could not be removed
 * with their rows. At most a hundred in one call; resolves to their number. Throws FilesUnavailable as the store, and the reason of
 * `stopping` as soon as that aborts.
 */
export async function removeUnusedFiles(
  { db, files, now }: { db: Db; files: FileStore; now: () => Date },
  stopping: AbortSignal,
): Promise<number> {
  const uuids = await unusedFilesSince(db, daysBefore(now(), UNUSED_DAYS), FILES_AT_ONCE);
  for (const uuid of uuids) {
    // One that is removed although nobody waits for it any more is found again by its row.
    await untilAborted(files.remove(uuid), stopping);
    await deleteUnusedFileRows(db, [uuid]);
  }
  return uuids.length;
}
