import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { PROGRAM_FOLDER, type Config } from '../config/config.ts';
import { countLeftEvents } from '../delivery/public.ts';
import { type ClickHouse, connectClickHouse } from '../platform/clickhouse/client.ts';
import { appliedVersion, migrations } from '../platform/clickhouse/migrate.ts';
import { openFileCache } from '../platform/files/file-cache.ts';
import { type FileStore, localFileStore } from '../platform/files/file-store.ts';
import { lockFolder } from '../platform/files/folder-lock.ts';
import { openBucket } from '../platform/files/s3-bucket.ts';
import { s3FileStore } from '../platform/files/s3-file-store.ts';
import { smallMemory } from '../platform/memory.ts';
import { type Database, connectPostgres } from '../platform/postgres/client.ts';
import { knownMigrations } from '../platform/postgres/migrate.ts';
import { RestoreIncomplete, isRestoring } from '../platform/postgres/restore-marker.ts';
import { BackupFailed } from './backup-failed.ts';
import type { BackupParts } from './backup.ts';
import { scratchFolder } from './locations.ts';
import { describeState } from './state-store.ts';

/** The databases and files of an installation, opened by the command line. */
export interface Installation extends BackupParts {
  files: FileStore;
  close(): Promise<void>;
}

const SILENT = pino({ level: 'silent' });
/** A reader may store one part of a backup before it takes the next bytes. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;

/** Whether both databases are servers, which the command line can read while other processes use them. */
export const hasServers = ({ databaseUrl, clickhouseUrl }: Config): boolean =>
  databaseUrl !== undefined && clickhouseUrl !== undefined;

/** Whether the databases that `config` has in DATA_DIR are there. */
export function isInstalled({ databaseUrl, clickhouseUrl, dataDir }: Config): boolean {
  return (
    (databaseUrl !== undefined || existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) &&
    (clickhouseUrl !== undefined || existsSync(join(dataDir, 'clickhouse')))
  );
}

/** Throws {@link BackupFailed} unless the databases that `config` has in DATA_DIR are there. */
export function assertInstalled(config: Config): void {
  if (!isInstalled(config))
    throw new BackupFailed(
      `There is no installation in ${config.dataDir}: set DATA_DIR to its folder, or BIDWELL_URL and OPERATOR_TOKEN to the ones of its server.`,
    );
}

/**
 * Opens an installation without migrating it. With a database in DATA_DIR, locks the folder. Throws FolderInUse while its
 * server runs.
 */
export async function openInstallation(config: Config): Promise<Installation> {
  const { dataDir, databaseUrl, clickhouseUrl, s3 } = config;
  if (config.clickhouseCluster !== undefined)
    throw new BackupFailed(
      'The events are on a ClickHouse cluster (CLICKHOUSE_CLUSTER), where replicas may be late: use the BACKUP and RESTORE statements of ClickHouse, and the tools of PostgreSQL.',
    );
  const memory = smallMemory(config.memoryMib);
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    if (!hasServers(config)) {
      const lock = await lockFolder(dataDir, () => process.kill(process.pid, 'SIGTERM'));
      closers.push(async () => lock.release());
    }
    const clickhouse = await connectClickHouse({
      url: clickhouseUrl,
      dataDir,
      memory,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    });
    closers.push(async () => clickhouse.close());
    const pool = { name: 'bidwell-backup', max: 4, timeouts: null };
    const db = await connectPostgres({
      url: databaseUrl,
      pool,
      dataDir,
      templates: PROGRAM_FOLDER,
      memory,
    });
    closers.push(async () => db.destroy());
    const local = localFileStore(join(dataDir, 'files'));
    if (!s3) return { db, clickhouse, files: local, secrets: secretsOf(config), close };
    const bucket = openBucket(s3, SILENT);
    closers.push(async () => bucket.close());
    // The cache of a running server belongs to it alone.
    const copies = await scratchFolder(dataDir);
    closers.push(async () => rm(copies, { recursive: true, force: true }));
    const cache = await openFileCache(copies, config.fileCacheMaxBytes);
    const files = inEither(local, s3FileStore(bucket, cache));
    return { db, clickhouse, files, secrets: secretsOf(config), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The secrets that DATA_DIR has for an embedded database; null if PostgreSQL has the secrets of all servers. */
export function secretsOf(config: Config): BackupParts['secrets'] {
  if (config.databaseUrl) return null;
  const { generatedSecrets, previousSigningSecret } = config;
  return {
    ...Object.fromEntries(generatedSecrets.names.map((name) => [name, config[name]])),
    ...(previousSigningSecret && { previousSigningSecret }),
  };
}

/** Reads files that were not copied into S3 yet from the local folder; writes into S3. */
function inEither(local: FileStore, remote: FileStore): FileStore {
  const places = new Map<string, FileStore>();
  return {
    ...remote,
    async size(key) {
      const size = await local.size(key);
      places.set(key, size === null ? remote : local);
      return size ?? remote.size(key);
    },
    read(key, range) {
      const place = places.get(key) ?? remote;
      places.delete(key);
      return place.read(key, range);
    },
  };
}

/** Throws {@link BackupFailed} unless the tables are from this release. */
export async function assertCurrent(db: Database, clickhouse: ClickHouse): Promise<void> {
  if (await isRestoring(db)) throw new BackupFailed(new RestoreIncomplete().message);
  const { migrations: applied } = await describeState(db).catch((error: { code?: string }) => {
    if (error.code !== '42P01') throw error;
    throw new BackupFailed('There is no installation here: no server has started with these settings.');
  });
  const isOlder = Object.keys(knownMigrations).some((name) => !applied.includes(name));
  if (isOlder || (await appliedVersion(clickhouse)) < migrations.length)
    throw new BackupFailed(
      'The tables are of an earlier release: start this release once, or use the command line of that release.',
    );
  if (applied.some((name) => !Object.hasOwn(knownMigrations, name)))
    throw new BackupFailed('The tables are of a later release: use the command line of that release.');
}

/** Counts the events that a stopped server left in its log, as its next start would. */
export async function countLog(
  { dataDir, eventLogMaxBytes }: Config,
  { db, clickhouse }: BackupParts,
): Promise<void> {
  await countLeftEvents({ dataDir, eventLogMaxBytes, db, clickhouse, log: SILENT });
}
