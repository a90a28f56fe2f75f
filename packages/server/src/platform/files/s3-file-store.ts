import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { type Digest, digestMeter } from './digest.ts';
import type { FileCache } from './file-cache.ts';
import { type FileKey, type FileStore, keysOf, writeFileFrom } from './file-store.ts';
import type { S3Bucket } from './s3-bucket.ts';

/** Objects of one file that are deleted at once: a quarter of the calls that run at once. */
const REMOVED_AT_ONCE = 4;

/** Name of a file's object, behind the bucket's prefix. */
export const objectOf = (key: FileKey): string => `files/${key}`;

/**
 * A file store in S3, read through a local cache: a file is downloaded whole when it is first used, and then served from
 * the disk, ranges too. Another process may serve a removed file from its cache; whether a file may be read is decided by
 * its row in the database. All functions throw FilesUnavailable while S3 does not respond, except for cached files.
 */
export function s3FileStore(bucket: S3Bucket, cache: FileCache): FileStore {
  let downloads = 0;
  const loadOf = (key: FileKey) => async (path: string) => {
    downloads += 1;
    return bucket.get(objectOf(key), path);
  };

  async function* content(key: FileKey, range?: { start: number; end: number }) {
    const file = await cache.open(key, loadOf(key));
    if (!file) throw new Error(`There is no file ${key} in S3.`);
    // Closes the file at its end, and when the reader stops before it.
    yield* file.createReadStream(range);
  }

  return {
    async write(key, stream) {
      const path = cache.temporaryPath();
      try {
        const meter = digestMeter(Infinity);
        await writeFileFrom(path, [stream, meter.stream]);
        const digest = meter.digest();
        await upload(bucket, key, path, digest);
        await cache.add(key, path, digest);
      } finally {
        await rm(path, { force: true });
      }
    },
    read: (key, range) => Readable.from(content(key, range), { objectMode: false }),
    size: async (key) => cache.size(key, loadOf(key)),
    async remove(uuid) {
      const inTurn = pLimit(REMOVED_AT_ONCE);
      const remove = async (key: FileKey) => {
        // In this order, because a reader between the two would put the object into the cache again.
        await bucket.delete(objectOf(key));
        await cache.delete(key);
      };
      await inTurn.map(keysOf(uuid), remove);
    },
    fault: () => bucket.fault(),
    copies: { bytes: () => cache.usedBytes(), downloads: () => downloads },
  };
}

async function upload(bucket: S3Bucket, key: FileKey, path: string, digest: Digest): Promise<void> {
  try {
    await bucket.put(objectOf(key), path, digest);
  } catch (error) {
    // S3 may have stored it, although its response was late.
    void bucket.delete(objectOf(key)).catch(() => {});
    throw error;
  }
}
