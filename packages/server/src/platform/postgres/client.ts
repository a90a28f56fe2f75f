import { PGlite, types } from '@electric-sql/pglite';
import type { Kysely as KyselyType, RawBuilder } from 'kysely';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from './migrate.ts';
import { pgliteDialect } from './pglite-dialect.ts';
import type { Schema } from './schema.ts';

export type Database = KyselyType<Schema>;

const BIGINT = 20;
const TIMESTAMPTZ = 1184;

/**
 * Every bigint of ours is a count or money in micros, far below 2^53. A value beyond is damage: it is read as the nearest
 * exact number, so that one row does not fail every query that meets it. `checkLedger` reports such money.
 */
const exact = (text: string): number =>
  Math.min(Math.max(Number(text), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);

/** Three times as fast as the client's own, which also reads years before Christ and infinity. */
const instant = (text: string): Date => new Date(text);

export interface PostgresOptions {
  /** PostgreSQL's address; without it PGlite runs in this process. */
  url?: string | undefined;
  /** PGlite's folder is made under it; without it PGlite keeps everything in memory. */
  dataDir?: string | undefined;
  /** A PGlite that is there already. */
  pglite?: PGlite;
  /** A dump of a migrated, empty PGlite folder: a fresh one starts from it instead of from initdb. */
  snapshot?: Blob | undefined;
}

/** Opens the state database and brings it to the newest migration. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const db = new Kysely<Schema>({
    dialect: options.url ? serverDialect(options.url) : await embeddedDialect(options),
  });
  await migrate(db);
  return db;
}

function serverDialect(url: string): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    // A new connection costs more than most calls; ten seconds, the default, is a short time for a person.
    idleTimeoutMillis: 300_000,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === BIGINT
          ? exact
          : oid === TIMESTAMPTZ
            ? instant
            : pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser,
    },
  });
  // A broken idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  return new PostgresDialect({ pool });
}

async function embeddedDialect({ dataDir, snapshot, pglite }: PostgresOptions) {
  if (pglite) return pgliteDialect(pglite);
  const parsers = { [types.INT8]: exact };
  if (!dataDir) return pgliteDialect(new PGlite({ parsers, loadDataDir: snapshot }));
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true });
  const started = await readFile(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  return pgliteDialect(new PGlite({ dataDir: folder, parsers, loadDataDir: started ? undefined : snapshot }));
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
