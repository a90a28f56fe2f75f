import { PGlite } from '@electric-sql/pglite';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openClickHouse } from '@bidwell/server/platform/clickhouse/open';
import { migrationStatements } from '@bidwell/server/platform/clickhouse/migrate';
import type { EmbeddedPostgres } from '@bidwell/server/platform/postgres/embedded/embedded-postgres';
import {
  copyTemplate,
  makeTemplate as makePostgres,
  pgliteVersion,
} from '@bidwell/server/platform/postgres/embedded/template';
import { cacheFolder, digestOf, makeOnce, migrationsDigest } from './cached.ts';
import { inThread } from './engines/pglite-in-thread.ts';
import { postgresSnapshot } from './engines/postgres-snapshot.ts';

let snapshot: Promise<Blob> | undefined;

/**
 * A dump of a migrated, empty PGlite folder, cached on disk for later runs: it starts in a fraction of initdb's time. Read
 * once per process.
 */
export function emptySnapshot(): Promise<Blob> {
  snapshot ??= readOrDump();
  return snapshot;
}

/** Path of the dump, by the migrations and the version of PGlite: another one of either is another dump. */
async function snapshotPath(): Promise<string> {
  return join(cacheFolder, `postgres-${digestOf([await pgliteVersion(), await migrationsDigest()])}.tar`);
}

async function readOrDump(): Promise<Blob> {
  const path = await snapshotPath();
  await makeOnce(path, async (partial) => {
    const dump = await postgresSnapshot();
    await writeFile(partial, Buffer.from(await dump.arrayBuffer()));
  });
  return new Blob([new Uint8Array(await readFile(path))]);
}

/** Tables that are not emptied: they record the migrations. */
const MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];

/** Empty engines that no test uses at present. */
const idle: PGlite[] = [];

/**
 * A migrated, empty PGlite for one server. Closed ones are emptied and reused if possible, because starting another takes
 * more than a second of CPU time.
 */
export async function emptyPostgres(): Promise<EmbeddedPostgres> {
  const pglite = idle.pop() ?? new PGlite({ loadDataDir: await emptySnapshot() });
  let isOpen = true;
  const { exchange } = inThread(pglite);
  return {
    async exchange(messages, respond) {
      if (!isOpen) throw new Error('PGlite is closed');
      await exchange(messages, respond);
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      try {
        await makeEmpty(pglite);
        idle.push(pglite);
      } catch {
        await pglite.close();
      }
    },
  };
}

async function makeEmpty(pglite: PGlite): Promise<void> {
  // One by one: PostgreSQL runs statements sent together as one transaction, in which these are not allowed.
  for (const statement of ['rollback', 'discard all', "set session_replication_role = 'replica'"])
    await pglite.exec(statement);
  const { rows: tables } = await pglite.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
    [MIGRATIONS],
  );
  const filled = await pglite.query<{ name: string }>(
    tables
      .map(({ name }) => `select '${name}' as name where exists (select 1 from ${name})`)
      .join(' union all '),
  );
  // Delete and vacuum rather than truncate, which would rewrite every index.
  for (const { name } of filled.rows) await pglite.exec(`delete from ${name}`);
  if (filled.rows.length > 0) await pglite.exec(`vacuum ${filled.rows.map(({ name }) => name).join()}`);
  const { rows: sequences } = await pglite.query<{ name: string }>(
    `select quote_ident(sequencename) as name from pg_sequences where schemaname = 'public' and last_value is not null`,
  );
  for (const { name } of sequences) await pglite.exec(`alter sequence ${name} restart`);
  await pglite.exec('checkpoint');
  await pglite.exec('reset session_replication_role');
}

/** Copies a chDB folder with empty, migrated tables into `dataDir`: creating it takes three seconds of CPU time. */
export async function installEmptyClickHouse(dataDir: string): Promise<void> {
  const template = join(cacheFolder, `clickhouse-${digestOf(migrationStatements())}`);
  await makeOnce(template, makeTemplate);
  await mkdir(dataDir, { recursive: true });
  // A process of its own takes a tenth of the CPU time that copying hundreds of small files in JavaScript takes.
  await promisify(execFile)('cp', ['-RP', template, join(dataDir, 'clickhouse')]);
}

/** The folder with the template of a new PostgreSQL without tables, cached on disk: initdb takes five seconds of CPU time. */
export async function newPostgresTemplates(): Promise<string> {
  const templates = join(cacheFolder, `postgres-new-${await pgliteVersion()}`);
  await makeOnce(templates, async (partial) => {
    await mkdir(partial, { recursive: true });
    await makePostgres(partial);
  });
  return templates;
}

/** Copies the folder of a new PostgreSQL without tables into `dataDir`. */
export async function installNewPostgres(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true });
  await copyTemplate(await newPostgresTemplates(), folder);
}

async function makeTemplate(partial: string): Promise<void> {
  const folder = await mkdtemp(`${partial}.`);
  const clickhouse = await openClickHouse({ dataDir: folder });
  await clickhouse.close();
  await rename(join(folder, 'clickhouse'), partial);
  await rm(folder, { recursive: true, force: true });
}

/**
 * Copies both engines' folders with empty, migrated tables into `dataDir`: creating them at a server's first start takes
 * ten seconds of CPU time.
 */
export async function installEmptyEngines(dataDir: string): Promise<void> {
  await Promise.all([installEmptyClickHouse(dataDir), installEmptyPostgres(dataDir)]);
}

/** Copies the folder of a migrated, empty PostgreSQL into `dataDir`; returns the folder. */
export async function installEmptyPostgres(dataDir: string): Promise<string> {
  await emptySnapshot();
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await promisify(execFile)('tar', ['-xf', await snapshotPath(), '-C', folder]);
  return folder;
}
