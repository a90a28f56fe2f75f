import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type Digest, digestOf } from './digest.ts';
import type { FileKey, FileStore } from './file-store.ts';
import type { Registry } from 'prom-client';
import { registerCounter, registerGauge } from '../telemetry/metrics.ts';

/** Downloads a file to a path; null where there is no such file. */
export type LoadFile = (path: string) => Promise<Pick<Digest, 'bytes' | 'sha256'> | null>;

/**
 * Copies of stored files in a local folder, at most `bytesMax` in total; the least recently used are evicted first. A copy
 * never expires, because the content of a key never changes. Its name has its size and SHA-256 sum: the size is compared
 * at every use, the sum at the first use after a start and whenever the file was changed since.
 */
export interface FileCache {
  /** Size of a file in bytes, after it was loaded where there is no copy; null where there is no such file. */
  size(key: FileKey, load: LoadFile): Promise<number | null>;
  /** Like `size`, but opens the copy, which can then be read even if it is evicted. The caller closes it. */
  open(key: FileKey, load: LoadFile): Promise<FileHandle | null>;
  /** Moves a file from {@link FileCache.temporaryPath} into the cache. */
  add(key: FileKey, path: string, digest: Pick<Digest, 'bytes' | 'sha256'>): Promise<void>;
  delete(key: FileKey): Promise<void>;
  /** A new path in the cache's folder for a file that is not complete yet. The next start removes leftover files. */
  temporaryPath(): string;
  /** Bytes of all copies. */
  usedBytes(): number;
}

/** A copy in the cache. */
interface Entry {
  path: string;
  bytes: number;
  sha256: string;
  /** Time of the last change, ms; null until the content was compared with the sum. */
  verifiedMtimeMs: number | null;
  touchedAtMs: number;
}

const NAME = /^([\da-f-]{36}(?:\.[a-z\d]+)?)\.(\d{1,15})\.([\da-f]{64})$/;
const PARTIAL = '.partial';
/** The least that a file takes on a disk. */
const BLOCK_BYTES = 4096;
/** Interval in which the time of the last use is written to the disk, for the order of eviction after a restart. */
const TOUCH_MS = 60_000;
/** Copies that a read may find evicted or damaged in a row before it gives up. */
const TRIES = 5;

/** Opens the cache with the copies that an earlier process left, and removes incomplete files. */
export async function openFileCache(folder: string, bytesMax: number): Promise<FileCache> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const entries = new LRUCache<FileKey, Entry>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => Math.max(bytes, BLOCK_BYTES),
    dispose: ({ path }, _key, reason) => {
      if (reason === 'evict') void rm(path, { force: true }).catch(() => {});
    },
  });
  const loading = new Map<FileKey, Promise<Entry | null>>();
  for (const [key, entry] of await leftCopies(folder)) entries.set(key, entry);

  const pathOf = (key: FileKey, { bytes, sha256 }: Pick<Digest, 'bytes' | 'sha256'>) =>
    join(folder, key.slice(34, 36), `${key}.${bytes}.${sha256}`);
  const temporaryPath = () => join(folder, `${randomUUID()}${PARTIAL}`);

  async function discard(key: FileKey, entry: Entry): Promise<void> {
    if (entries.peek(key) === entry) entries.delete(key);
    await rm(entry.path, { force: true });
  }

  async function add(key: FileKey, path: string, digest: Pick<Digest, 'bytes' | 'sha256'>): Promise<Entry> {
    const to = pathOf(key, digest);
    await mkdir(dirname(to), { recursive: true });
    await rename(path, to);
    const { mtimeMs } = await stat(to);
    const entry = { path: to, ...digest, verifiedMtimeMs: mtimeMs, touchedAtMs: Date.now() };
    const before = entries.peek(key);
    entries.set(key, entry);
    if (before && before.path !== to) await rm(before.path, { force: true });
    return entry;
  }

  /** The copy, unchanged since its content was compared with its sum; else null, and the copy is removed. */
  async function intact(key: FileKey): Promise<Entry | null> {
    const entry = entries.get(key);
    if (!entry) return null;
    const info = await stat(entry.path).catch(() => null);
    if (info?.size === entry.bytes) {
      if (info.mtimeMs === entry.verifiedMtimeMs) return touched(entry, info.mtimeMs);
      const digest = await digestOf(entry.path).catch(() => null);
      if (digest?.sha256 === entry.sha256) {
        entry.verifiedMtimeMs = info.mtimeMs;
        return entry;
      }
    }
    await discard(key, entry);
    return null;
  }

  async function load(key: FileKey, from: LoadFile): Promise<Entry | null> {
    const present = await intact(key);
    if (present) return present;
    const path = temporaryPath();
    try {
      const digest = await from(path);
      return digest && (await add(key, path, { bytes: digest.bytes, sha256: digest.sha256 }));
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Finds or loads a copy; concurrent calls for one key share a load. */
  async function entryOf(key: FileKey, from: LoadFile): Promise<Entry | null> {
    const begun = loading.get(key);
    if (begun) return begun;
    const begins = load(key, from).finally(() => loading.delete(key));
    loading.set(key, begins);
    return begins;
  }

  return {
    size: async (key, from) => (await entryOf(key, from))?.bytes ?? null,
    async open(key, from) {
      for (let tries = 1; ; tries += 1) {
        const entry = await entryOf(key, from);
        if (!entry) return null;
        try {
          return await open(entry.path, 'r');
        } catch (error) {
          // Evicted since.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries >= TRIES) throw error;
          await discard(key, entry);
        }
      }
    },
    async add(key, path, digest) {
      await add(key, path, { bytes: digest.bytes, sha256: digest.sha256 });
    },
    async delete(key) {
      const entry = entries.peek(key);
      if (entry) await discard(key, entry);
    },
    temporaryPath,
    usedBytes: () => entries.calculatedSize,
  };
}

/** Writes down that a copy is in use, at most once a minute. The time of its last change stays as it is. */
async function touched(entry: Entry, mtimeMs: number): Promise<Entry> {
  const nowMs = Date.now();
  if (nowMs - entry.touchedAtMs < TOUCH_MS) return entry;
  entry.touchedAtMs = nowMs;
  await utimes(entry.path, nowMs / 1000, mtimeMs / 1000).catch(() => {});
  // The file system may round the time.
  entry.verifiedMtimeMs = await stat(entry.path).then(
    (info) => info.mtimeMs,
    () => null,
  );
  return entry;
}

/** The copies of an earlier process, the least recently used first. */
async function leftCopies(folder: string): Promise<[FileKey, Entry][]> {
  const found: [FileKey, Entry][] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith(PARTIAL)) await rm(path, { force: true });
    else if (/^[\da-f]{2}$/.test(name))
      for (const file of await readdir(path)) found.push(...(await leftCopy(join(path, file))));
  }
  return found.sort(([, one], [, other]) => one.touchedAtMs - other.touchedAtMs);
}

async function leftCopy(path: string): Promise<[FileKey, Entry][]> {
  const [, key, size, sha256] = NAME.exec(basename(path)) ?? [];
  if (!key || !sha256) return [];
  const bytes = Number(size);
  const info = await stat(path);
  if (info.size === bytes)
    return [[key, { path, bytes, sha256, verifiedMtimeMs: null, touchedAtMs: info.atimeMs }]];
  await rm(path, { force: true });
  return [];
}

/** Registers the metrics of local copies of files, where files are stored elsewhere. */
export function registerFileMetrics(registry: Registry, { copies }: Pick<FileStore, 'copies'>): void {
  if (!copies) return;
  registerGauge(registry, 'bidwell_file_cache_bytes', 'Bytes of the local copies of files', copies.bytes);
  registerCounter(
    registry,
    'bidwell_file_cache_downloads_total',
    'Files that were not in the local cache and were asked for in S3',
    copies.downloads,
  );
}
