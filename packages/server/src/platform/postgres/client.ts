import { PGlite, types } from '@electric-sql/pglite';
import type { Kysely as KyselyType, RawBuilder } from 'kysely';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from './migrate.ts';
import type { EmbeddedPostgres } from './pglite-dialect.ts';
import { pgliteDialect } from './pglite-dialect.ts';
import { exact, openPool } from './pool.ts';
import type { Schema } from './schema.ts';

export type Database = KyselyType<Schema>;

/** Connections of one process to PostgreSQL. */
const CONNECTIONS = 16;

export interface PostgresOptions {
  /** PostgreSQL's address; without it PGlite runs in this process. */
  url?: string | undefined;
  /** PGlite's folder is made under it; without it PGlite keeps everything in memory. */
  dataDir?: string | undefined;
  /** A PGlite that is there already. */
  pglite?: EmbeddedPostgres | undefined;
  /** A dump of a migrated, empty PGlite folder: a fresh one starts from it instead of from initdb. */
  snapshot?: Blob | undefined;
}

/** Opens the state database and brings it to the newest migration. Throws when a server cannot be reached. */
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

/** The state database as it is. A server at `url` is first asked for with the first statement. */
export async function connectPostgres(options: PostgresOptions): Promise<Database> {
  const dialect = options.url
    ? new PostgresDialect({ pool: openPool(options.url, { max: CONNECTIONS }) })
    : await embeddedDialect(options);
  return new Kysely<Schema>({ dialect });
}

/** Brings the tables to the newest migration, on a connection of its own: a migration may take longer than a statement. */
export async function migratePostgres(db: Database, url?: string): Promise<void> {
  if (!url) return migrate(db, db);
  const slow = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: openPool(url, { max: 1, timeouts: false }) }),
  });
  try {
    await migrate(db, slow);
  } finally {
    await slow.destroy();
  }
}

/** Throws when the database does not answer. */
export async function askPostgres(db: Database): Promise<void> {
  await sql`select 1`.execute(db);
}

const exactIntegers = { [types.INT8]: exact };

/** A PGlite without a folder, from a dump where there is one. */
export function pgliteInMemory(snapshot?: Blob): PGlite {
  return new PGlite({ parsers: exactIntegers, loadDataDir: snapshot });
}

async function embeddedDialect({ dataDir, snapshot, pglite }: PostgresOptions) {
  if (pglite) return pgliteDialect(pglite);
  if (!dataDir) return pgliteDialect(pgliteInMemory(snapshot));
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true });
  const started = await readFile(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  return pgliteDialect(
    new PGlite({ dataDir: folder, parsers: exactIntegers, loadDataDir: started ? undefined : snapshot }),
  );
}

/** For `where('uuid', '=', anyOf(uuids))`: one parameter, and so one statement, however many there are. */
export function anyOf(uuids: readonly string[]) {
  return sql<string>`any(${`{${uuids.join()}}`}::uuid[])`;
}

/**
 * A sum of bigints, which PostgreSQL makes numeric, as a bigint that is an exact number here: one beyond 2^53 becomes the
 * nearest that is. Without rows it is 0.
 */
export function exactSum(sum: RawBuilder<unknown>): RawBuilder<number> {
  const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
  return sql<number>`least(greatest(coalesce(${sum}, 0), ${sql.lit(least)}), ${sql.lit(most)})::bigint`;
}

/** A value for a JSON column. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}
