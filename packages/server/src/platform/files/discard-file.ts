import type { Logger } from 'pino';
import type { Db } from '../postgres/transaction.ts';
import { deleteUnusedFileRows } from '../postgres/stores/unused-files-store.ts';
import type { FileStore } from './file-store.ts';

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
