import { copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { type Digest, digestOf } from '../platform/files/digest.ts';
import { type S3Bucket, openBucket } from '../platform/files/s3-bucket.ts';
import { BackupFailed } from './backup-failed.ts';
import { MANIFEST, MANIFEST_BYTES_MAX, type Manifest, type StoredFile, parseManifest } from './manifest.ts';
import type { SpooledFile } from './spool-state.ts';
import { existsSync } from 'node:fs';

/** Where a backup is written to. */
export interface BackupTarget {
  /** Folder for temporary files, which does not exist yet. */
  spool: string;
  /** Stores a file, whose local copy may be gone afterwards. */
  put(file: SpooledFile): Promise<void>;
  /** Makes the backup complete. */
  finish(): Promise<void>;
  /** Removes the local files. */
  close(): Promise<void>;
}

/** Where a backup is read from. */
export interface BackupSource {
  manifest(): Promise<Manifest>;
  /**
   * Runs `use` with a local copy of a file, whose length and checksum match the description. Throws {@link BackupFailed} with
   * its name if they do not.
   */
  use<T>(entry: StoredFile, use: (path: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens a target: a folder that does not exist or is empty, or s3://BUCKET/PREFIX without a backup. */
export async function openTarget(
  place: string,
  config: Pick<Config, 's3' | 'dataDir'>,
): Promise<BackupTarget> {
  return place.startsWith('s3://') ? s3Target(place, config) : folderTarget(resolve(place));
}

/** Opens a source: a folder, or s3://BUCKET/PREFIX. */
export async function openSource(place: string, config: Pick<Config, 's3'>): Promise<BackupSource> {
  if (place.startsWith('s3://')) return s3Source(place, config);
  const folder = resolve(place);
  return {
    manifest: async () => readManifest(join(folder, MANIFEST), place),
    async use(entry, use) {
      const path = join(folder, entry.file);
      assertSame(entry, await digestOf(path).catch(nullIfMissing));
      return use(path);
    },
    async close() {},
  };
}

async function folderTarget(folder: string): Promise<BackupTarget> {
  const present = await readdir(folder).catch(nullIfMissing);
  if (present && present.length > 0)
    throw new BackupFailed(`${folder} is not empty: give each backup a folder of its own.`);
  // It gets its name when it is complete.
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const spool = join(partial, 'spool');
  return {
    spool,
    async put({ file, path }) {
      const to = join(partial, file);
      await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await (path.startsWith(spool) ? rename(path, to) : copyFile(path, to));
    },
    async finish() {
      await rm(spool, { recursive: true, force: true });
      if (present) await rm(folder, { recursive: true });
      await rename(partial, folder);
    },
    close: async () => rm(partial, { recursive: true, force: true }),
  };
}

async function s3Target(place: string, config: Pick<Config, 's3' | 'dataDir'>): Promise<BackupTarget> {
  const bucket = bucketOf(place, config);
  const scratch = await scratchFolder(config.dataDir);
  const close = async () => {
    await bucket.close();
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    if (await bucket.describe(MANIFEST))
      throw new BackupFailed(`${place} has a backup already: give each backup a prefix of its own.`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    spool: join(scratch, 'spool'),
    put: async ({ file, path, digest }) => bucket.put(file, path, digest),
    async finish() {},
    close,
  };
}

async function s3Source(place: string, config: Pick<Config, 's3'>): Promise<BackupSource> {
  const bucket = bucketOf(place, config);
  const scratch = await mkdtemp(join(tmpdir(), 'bidwell-restore-'));
  const path = join(scratch, 'file');
  return {
    async manifest() {
      if (!(await bucket.get(MANIFEST, path)))
        throw new BackupFailed(`${place} has no backup: ${MANIFEST} is missing.`);
      return readManifest(path, place);
    },
    async use(entry, use) {
      assertSame(entry, await bucket.get(entry.file, path));
      try {
        return await use(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    async close() {
      await bucket.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

const PREFIX = 'command-';

function bucketOf(place: string, { s3 }: Pick<Config, 's3'>): S3Bucket {
  const [, bucket, path = ''] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(.*))?$/.exec(place) ?? [];
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  if (!bucket || !/^([\w.-]+\/)+$/.test(prefix))
    throw new BackupFailed(
      `${place} should be s3://BUCKET/PREFIX, with a prefix of letters, digits, dots and hyphens.`,
    );
  if (!s3) throw new BackupFailed(`${place} is in S3, which needs S3_ENDPOINT and the other S3 settings.`);
  if (s3.bucket === bucket && s3.prefix === prefix)
    throw new BackupFailed(`${place} is where the creative files are: give backups another prefix.`);
  return openBucket({ ...s3, bucket, prefix }, { warn() {}, error() {} });
}

async function readManifest(path: string, place: string): Promise<Manifest> {
  const size = await stat(path).then(({ size: bytes }) => bytes, nullIfMissing);
  if (size === null) throw new BackupFailed(`${place} has no backup: ${MANIFEST} is missing.`);
  if (size > MANIFEST_BYTES_MAX) throw new BackupFailed(`${MANIFEST} of the backup is damaged.`);
  return parseManifest(await readFile(path, 'utf8'));
}

function assertSame({ file, bytes, sha256 }: StoredFile, found: Digest | null): void {
  if (!found) throw new BackupFailed(`${file} of the backup is missing.`);
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new BackupFailed(`${file} of the backup is damaged: its SHA-256 sum is not that of ${MANIFEST}.`);
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** No command of the operator runs for longer. */
const LEFT_AFTER_MS = 24 * 3_600_000;

/**
 * Creates a folder in DATA_DIR for the temporary files of one command, which removes it at its end. The disk with the data
 * has room for them; the system's folder for temporary files, which is used where there is no DATA_DIR, is often in memory.
 * Removes leftovers of commands killed more than a day ago.
 */
export async function scratchFolder(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) return mkdtemp(join(tmpdir(), `bidwell-${PREFIX}`));
  for (const name of (await readdir(dataDir)).filter((one) => one.startsWith(PREFIX))) {
    const path = join(dataDir, name);
    const changedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      // Another command has just removed it.
      () => Infinity,
    );
    if (Date.now() - changedMs > LEFT_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
  return mkdtemp(join(dataDir, PREFIX));
}
