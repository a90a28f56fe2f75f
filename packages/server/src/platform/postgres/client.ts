import { Kysely, PostgresDialect, type PostgresPool, type RawBuilder, sql, type LogEvent } from 'kysely';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { SmallMemory } from '../memory.ts';
import { embeddedPool } from './embedded/embedded-pool.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import type { EmbeddedWatchdog } from './embedded/embedded-watchdog.ts';
import { migrate } from './migrate.ts';
import { MigrationDialect, type MigrationWait } from './migration-lock.ts';
import { openPool } from './pool/pool.ts';
import { MIGRATION_POOL, type PoolSettings, poolSettings } from './pool/pool-settings.ts';
import { inTurnsAtPool } from './pool/pool-turns.ts';
import type { Schema } from './schema.ts';
import { RestoreIncomplete, isRestoring } from './restore-marker.ts';
import { copyTemplate } from './embedded/template.ts';
import { recordPast } from '../telemetry/tracing.ts';

export type Database = Kysely<Schema>;

/** How long a caller waits for one of the connections to a server. */
const TURN_MS = 5000;

export interface PostgresOptions {
  /** PostgreSQL's address; without it PGlite runs in a thread of this process. */
  url?: string | undefined;
  /** Connections to a server at `url`; by default as for a process with all roles. */
  pool?: PoolSettings | undefined;
  /** PGlite's folder is made under it; without it PGlite keeps everything in memory. */
  dataDir?: string | undefined;
  /** An embedded database to use in place of a new one. */
  embedded?: EmbeddedPostgres | undefined;
  /** A dump of a migrated, empty PGlite folder; a new database is loaded from it instead of made by initdb. */
  snapshot?: Blob | undefined;
  /** Folder with the build's template of a PGlite folder; without a dump, a new database is a copy of it. */
  templates?: string | undefined;
  /** Limits of PGlite where memory is small. */
  memory?: SmallMemory | null;
  /** Watches whether an embedded database responds; without it statements have no time limits. */
  watchdog?: EmbeddedWatchdog | undefined;
  /** Called with the reason if the thread of PGlite ends unexpectedly. */
  ended?: (reason: unknown) => void;
}

/** Opens the state database and applies pending migrations. Throws when a server cannot be reached. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const db = await connectPostgres(options);
  try {
    await migratePostgres(db, options.url);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/** Opens the state database without migrating it. A server at `url` is contacted with the first statement. */
export async function connectPostgres(options: PostgresOptions): Promise<Database> {
  const pool = options.url
    ? serverPool(options.url, options.pool ?? poolSettings(new Set()))
    : embeddedPool(options.embedded ?? (await startEmbedded(options)), options.watchdog);
  return new OpenedDatabase(pool);
}

function serverPool(url: string, settings: PoolSettings): PostgresPool {
  return inTurnsAtPool(openPool(url, settings), settings.max, TURN_MS);
}

/** A database that closes its pool even before its first statement, which Kysely does not: a thread of PGlite would stay. */
class OpenedDatabase extends Kysely<Schema> {
  readonly #pool: PostgresPool;
  #ended: Promise<void> | undefined;

  constructor(pool: PostgresPool) {
    const dialect = new PostgresDialect({
      pool: { connect: async () => pool.connect(), end: async () => {} },
    });
    super({ dialect, log: recordStatement });
    this.#pool = pool;
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await (this.#ended ??= this.#pool.end());
  }
}

/**
 * Applies pending migrations, on its own connection without timeouts: a migration may take longer than a statement.
 * While another process migrates, waits as `wait` says, then applies the migrations still missing. Throws
 * {@link RestoreIncomplete} if the tables are left from an interrupted restore.
 */
export async function migratePostgres(db: Database, url?: string, wait: MigrationWait = {}): Promise<void> {
  if (await isRestoring(db)) throw new RestoreIncomplete();
  if (!url) return migrate(db, db);
  const slow = new Kysely<Schema>({
    dialect: new MigrationDialect({ pool: openPool(url, MIGRATION_POOL) }, wait),
  });
  try {
    await migrate(db, slow);
  } finally {
    await slow.destroy();
  }
}

/** Logs who migrates while this process waits. */
export function logMigrationWait(log: Logger, migrated = 'PostgreSQL'): MigrationWait {
  return {
    onWaiting: (holder, waitedMs) =>
      log.warn(
        { holder, waitedSeconds: Math.round(waitedMs / 1000) },
        `another process migrates ${migrated}; this one waits`,
      ),
  };
}

/** Whether the database accepts changes: a standby does not. Throws when it does not respond. */
export async function isWritable(db: Database): Promise<boolean> {
  const { rows } = await sql<{ writable: boolean }>`
    select current_setting('transaction_read_only') = 'off' as writable`.execute(db);
  return rows[0]!.writable;
}

async function startEmbedded({ dataDir, snapshot, templates, memory, ended = () => {} }: PostgresOptions) {
  const settings = memory ? memorySettings(memory) : {};
  if (!dataDir) return startEmbeddedPostgres({ snapshot, settings }, ended);
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true });
  const isNew = !existsSync(join(folder, 'PG_VERSION'));
  if (isNew && !snapshot && templates) await copyTemplate(templates, folder);
  return startEmbeddedPostgres({ folder, snapshot: isNew ? snapshot : undefined, settings }, ended);
}

/** PostgreSQL allocates all of `shared_buffers` at its start, 128 MB by default. */
function memorySettings({ sharedBuffers }: SmallMemory): Record<string, string> {
  return {
    shared_buffers: `${sharedBuffers}MB`,
    wal_buffers: '512kB',
    maintenance_work_mem: '16MB',
    work_mem: '2MB',
    max_connections: '4',
  };
}

/** For `where('uuid', '=', anyOf(uuids))`: one parameter, and so one statement text, for any number of ids. */
export function anyOf(uuids: readonly string[]) {
  return sql<string>`any(${`{${uuids.join()}}`}::uuid[])`;
}

/** {@link anyOf} for any texts. */
export function anyTextOf(texts: readonly string[]) {
  return sql<string>`any(${[...texts]}::text[])`;
}

/**
 * Casts a sum of bigints, which PostgreSQL makes numeric, to a bigint that is an exact number in JavaScript: clamped to
 * ±2^53. 0 without rows.
 */
export function exactSum(sum: RawBuilder<unknown>): RawBuilder<number> {
  const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
  return sql<number>`least(greatest(coalesce(${sum}, 0), ${sql.lit(least)}), ${sql.lit(most)})::bigint`;
}

/** Serializes a value for a JSON column. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}

/** Records a statement that was executed as a part of the current trace, without its parameters. */
export function recordStatement({ query, queryDurationMillis, ...rest }: LogEvent): void {
  recordPast(
    'postgresql statement',
    { 'db.system.name': 'postgresql', 'db.query.text': query.sql },
    { durationMs: queryDurationMillis, ...('error' in rest && { error: rest.error }) },
  );
}
