import { nativeCopyNames } from '@bidwell/contract/creatives/native-copies';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable, Transform } from 'node:stream';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { Unavailable } from '../errors.ts';
import { pipeline } from 'node:stream/promises';

/** Kind of derived file: the thumbnail of an image. */
export const THUMBNAIL = 'thumb';
/** Kinds of derived files, stored next to the original; at most one of each. The others are copies of native images. */
const DERIVED_KINDS: readonly string[] = [THUMBNAIL, ...nativeCopyNames];

/** A file's uuid, or `{uuid}.{kind}` for a derived file. */
export type FileKey = string;

/**
 * Store of creative files, by uuid. It does not check access: that is up to the caller. The content of a key never
 * changes, so it can be cached for ever: an upload that replaces a file gets its own uuid, and a derived file is
 * made of the original alone.
 */
export interface FileStore {
  /** Stores the whole stream or nothing. No other content may be written to the same key. */
  write(key: FileKey, content: Readable): Promise<void>;
  /** The bytes from `start` to `end`, both inclusive; the whole file without a range. */
  read(key: FileKey, range?: { start: number; end: number }): Readable;
  /** Size in bytes, or null when there is no such file. */
  size(key: FileKey): Promise<number | null>;
  /** Removes a file and its derived files. */
  remove(uuid: string): Promise<void>;
  /** Why files cannot be read or stored at present, in a sentence; null if they can. */
  fault(): string | null;
  /** The local copies of files that are stored elsewhere, for metrics; null where the files themselves are local. */
  copies: { bytes(): number; downloads(): number } | null;
}

/** The store of files does not respond, or rejects a call; `cause` says which. */
export class FilesUnavailable extends Unavailable {
  constructor(cause: unknown) {
    super(apiMessages.filesUnavailable, 30);
    this.cause = cause;
  }
}

/** The key of a file derived from another. */
export const derivedKey = (uuid: string, kind: string): FileKey => `${uuid}.${kind}`;

/** The keys of a file and of its derived files. */
export const keysOf = (uuid: string): FileKey[] => [
  uuid,
  ...DERIVED_KINDS.map((kind) => derivedKey(uuid, kind)),
];

/** Path of a file in the folder of a {@link localFileStore}. */
const localPath = (folder: string, key: FileKey): string => join(folder, key.slice(34, 36), key);

/** A file in the folder of a {@link localFileStore}. */
export interface LocalFile {
  key: FileKey;
  path: string;
}

/** Sub-folder of files that are not complete yet. */
const PARTIAL = 'partial';
const KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.[a-z\d]+)?$/;

/** The complete files in the folder of a {@link localFileStore}, by sub-folder. No files where there is no folder. */
export async function* localFiles(folder: string): AsyncGenerator<LocalFile[]> {
  for (const { name, isFolder } of await namesIn(folder)) {
    if (!isFolder || name === PARTIAL) continue;
    const names = await namesIn(join(folder, name));
    yield names
      .filter((file) => KEY.test(file.name))
      .map((file) => ({ key: file.name, path: join(folder, name, file.name) }));
  }
}

async function namesIn(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

/** Removes incomplete files of a killed process in the folder of a {@link localFileStore}; only the folder's owner may. */
export async function removePartialFiles(folder: string): Promise<void> {
  await rm(join(folder, PARTIAL), { recursive: true, force: true });
}

/** A file store in a local folder, spread over 256 sub-folders by the uuid's last two digits. */
export function localFileStore(folder: string): FileStore {
  const pathOf = (key: FileKey) => localPath(folder, key);
  return {
    async write(key, content) {
      const path = pathOf(key);
      const partial = join(folder, PARTIAL, randomUUID());
      await mkdir(dirname(path), { recursive: true });
      await mkdir(dirname(partial), { recursive: true });
      try {
        await writeFileFrom(partial, [content]);
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
      for (const key of keysOf(uuid)) await rm(pathOf(key), { force: true });
    },
    fault: () => null,
    copies: null,
  };
}

/**
 * Writes a stream, through the transforms after it, to a file that only this user may read. Rejects where one of them fails, and only once the file is
 * closed, so that the caller can remove it: otherwise a file not opened yet would be created after its stream failed.
 */
export async function writeFileFrom(
  path: string,
  [source, ...transforms]: readonly [Readable, ...Transform[]],
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600 });
  try {
    await pipeline([source, ...transforms, file], { signal });
  } catch (error) {
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve));
    throw error;
  }
}
