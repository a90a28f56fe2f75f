import type { Logger } from 'pino';
import type { FileStore } from './file-store.ts';

/**
 * Removes a file to which nothing refers. A failure is logged and not thrown: the file is left over, and what its removal
 * belongs to is done.
 */
export async function discardFile(
  { files, log }: { files: FileStore; log: Pick<Logger, 'warn'> },
  uuid: string,
): Promise<void> {
  await files
    .remove(uuid)
    .catch((err: unknown) =>
      log.warn({ err, uuid }, 'a file that is not used any more could not be removed'),
    );
}
