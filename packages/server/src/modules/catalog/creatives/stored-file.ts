import { createReadStream } from 'node:fs';
import type { Context } from '../../../context.ts';
import { discardFile, noteUnusedFiles } from '../../../platform/files/unused-files.ts';
import { FilesUnavailable } from '../../../platform/files/file-store.ts';
import { insertOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import type { Inspected } from './media/inspected-file.ts';
import type { UploadedFile } from './receive.ts';

/** A received and inspected file that is to be stored, under its uuid. */
export interface StoredFile {
  uuid: string;
  received: UploadedFile;
  inspected: Inspected;
}

/** Writes files to the file store, then calls `work`. Removes the files if anything fails. */
export async function withStoredFiles<T>(
  ctx: Context,
  files: readonly StoredFile[],
  work: () => Promise<T>,
): Promise<T> {
  await noteUnusedFiles(
    ctx.db,
    files.map(({ uuid }) => uuid),
  );
  try {
    for (const { uuid, received } of files) await ctx.files.write(uuid, createReadStream(received.path));
    return await work();
  } catch (error) {
    const removed = Promise.all(files.map(async ({ uuid }) => discardFile(ctx, uuid)));
    // Removing would wait as long as writing did.
    if (!(error instanceof FilesUnavailable)) await removed;
    throw error;
  }
}

/** Inserts the database row of a stored file. */
export async function insertStoredFile(
  db: Db,
  companyId: string,
  file: StoredFile,
  createdAt: Date,
): Promise<void> {
  const { contentType, extension, width, height, durationMs } = file.inspected;
  await insertOwned(db, 'files', companyId, {
    uuid: file.uuid,
    content_type: contentType,
    extension,
    size_bytes: file.received.bytes,
    sha256: file.received.sha256,
    width,
    height,
    duration_ms: durationMs,
    created_at: createdAt,
  });
}
