import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Kinds of derived files, stored beside the original; at most one of each. */
const DERIVED_KINDS = ['thumb'] as const;

/** A file's uuid, or `{uuid}.{kind}` for a derived file. */
export type FileKey = string;

/** Store of creative files, by uuid. It does not check access: that is up to the caller. */
export interface FileStore {
  /** Stores the whole stream or nothing. */
  write(key: FileKey, content: Readable): Promise<void>;
  /** The bytes from `start` to `end`, both inclusive; the whole file without a range. */
  read(key: FileKey, range?: { start: number; end: number }): Readable;
  /** Size in bytes, or null when there is no such file. */
  size(key: FileKey): Promise<number | null>;
  /** Removes a file and its derived files. */
  remove(uuid: string): Promise<void>;
}

/** A file store in a local folder, spread over 256 sub-folders by the uuid's last two digits. */
export function localFileStore(folder: string): FileStore {
  const pathOf = (key: FileKey) => join(folder, key.slice(34, 36), key);
  return {
    async write(key, content) {
      const path = pathOf(key);
      const partial = `${path}.${randomUUID()}.partial`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await pipeline(content, createWriteStream(partial));
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    read: (key, range) => createReadStream(pathOf(key), range),
    async size(key) {
      return stat(pathOf(key)).then(
        (info) => info.size,
        () => null,
      );
    },
    async remove(uuid) {
      await rm(pathOf(uuid), { force: true });
      for (const kind of DERIVED_KINDS) await rm(pathOf(`${uuid}.${kind}`), { force: true });
    },
  };
}
