import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeUploads } from '../../modules/catalog/public.ts';
import { openFileCache } from '../../platform/files/file-cache.ts';
import { type FileStore, localFileStore, removePartialFiles } from '../../platform/files/file-store.ts';
import { openBucket } from '../../platform/files/s3-bucket.ts';
import { s3FileStore } from '../../platform/files/s3-file-store.ts';
import type { Lifetime } from './lifetime.ts';

/**
 * Opens the store of creative files: S3 behind a local cache if S3_ENDPOINT is set, else a local folder. A process that
 * stores or serves files checks the bucket first; while S3 does not respond, it starts and checks it later.
 */
export async function openFiles({ config, log, startup, closing }: Lifetime): Promise<FileStore> {
  const { s3, dataDir, fileCacheMaxBytes: bytesMax, roles } = config;
  const folder = join(dataDir, 'files');
  // Of a process that was killed: nobody else uses this folder.
  await removeUploads(dataDir);
  await removePartialFiles(folder);
  if (!s3) return localFileStore(folder);
  const bucket = openBucket(s3, log, { bytesMax });
  closing('files', bucket, () => bucket.close());
  const cache = await openFileCache(join(dataDir, 'file-cache'), bytesMax);
  if (roles.has('api') || roles.has('tracker')) {
    await startup.attempt('check the S3 bucket', () => bucket.check(cache.temporaryPath()));
    if ((await readdir(folder).catch(() => [])).length > 0)
      log.warn(
        { folder },
        'files in this folder are not read, because S3_ENDPOINT is set: copy them once with copy-files, then delete the folder',
      );
  }
  return s3FileStore(bucket, cache);
}
