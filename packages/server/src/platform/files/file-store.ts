import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Where creative files are kept, by uuid. Knows nothing of companies: who may read is the caller's question. */
export interface FileStore {
  /** Stores the whole stream or nothing. */
  write(uuid: string, content: Readable): Promise<void>;
  /** The bytes from `start` to `end`, both inclusive; the whole file without a range. */
  read(uuid: string, range?: { start: number; end: number }): Readable;
  /** Size in bytes, or null when there is no such file. */
  size(uuid: string): Promise<number | null>;
  remove(uuid: string): Promise<void>;
}

/** A file store in a local folder, spread over 256 sub-folders by the uuid's last two digits. */
export function localFileStore(folder: string): FileStore {
  const pathOf = (uuid: string) => join(folder, uuid.slice(-2), uuid);
  return {
    async write(uuid, content) {
      const path = pathOf(uuid);
      const partial = `${path}.partial`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await pipeline(content, createWriteStream(partial));
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    read: (uuid, range) => createReadStream(pathOf(uuid), range),
    async size(uuid) {
      return stat(pathOf(uuid)).then(
        (info) => info.size,
        () => null,
      );
    },
    async remove(uuid) {
      await rm(pathOf(uuid), { force: true });
    },
  };
}
