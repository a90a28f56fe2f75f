import type { PGlite } from '@electric-sql/pglite';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openClickHouse } from '../platform/clickhouse/open.ts';
import { migrationStatements } from '../platform/clickhouse/migrate.ts';
import { pgliteInMemory } from '../platform/postgres/client.ts';
import type { EmbeddedPostgres } from '../platform/postgres/pglite-dialect.ts';
import { pgliteVersion } from '../platform/postgres/template.ts';
import { postgresSnapshot } from './postgres-snapshot.ts';

const cacheFolder = fileURLToPath(new URL('../../../../.cache', import.meta.url));

/** A short hash of the texts, for the names of cached files. */
function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join()).digest('hex').slice(0, 12);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

let snapshot: Promise<Blob> | undefined;

/**
 * A dump of a migrated, empty PGlite folder, cached on disk for later runs: it starts in a fraction of initdb's time. Read
 * once per process.
 */
export function emptySnapshot(): Promise<Blob> {
  snapshot ??= readOrDump();
  return snapshot;
}

const migrationsFolder = fileURLToPath(new URL('../platform/postgres/migrations', import.meta.url));

/** Path of the dump, by the texts of the migrations and the version of PGlite: another one of either is another dump. */
async function snapshotPath(): Promise<string> {
  const names = (await readdir(migrationsFolder)).filter((name) => !name.endsWith('.test.ts')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(migrationsFolder, name), 'utf8')));
  return join(cacheFolder, `postgres-${digestOf([await pgliteVersion(), ...names, ...texts])}.tar`);
}

async function readOrDump(): Promise<Blob> {
  const path = await snapshotPath();
  const stored = await readFile(path).catch(() => null);
  if (stored) return new Blob([new Uint8Array(stored)]);
  const dump = await postgresSnapshot();
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, Buffer.from(await dump.arrayBuffer()));
  await rename(partial, path);
  return dump;
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
  const pglite = idle.pop() ?? pgliteInMemory(await emptySnapshot());
  let isOpen = true;
  const whileOpen = async <Result>(use: () => Promise<Result>): Promise<Result> => {
    if (!isOpen) throw new Error('PGlite is closed');
    return use();
  };
  return {
    waitReady: pglite.waitReady,
    query: (...args) => whileOpen(() => pglite.query(...args)),
    exec: (...args) => whileOpen(() => pglite.exec(...args)),
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
  if (!(await isThere(template))) await makeTemplate(template);
  await mkdir(dataDir, { recursive: true });
  // A process of its own takes a tenth of the CPU time that copying hundreds of small files in JavaScript takes.
  await promisify(execFile)('cp', ['-RP', template, join(dataDir, 'clickhouse')]);
}

async function makeTemplate(template: string): Promise<void> {
  await mkdir(dirname(template), { recursive: true });
  const folder = await mkdtemp(`${template}.`);
  const clickhouse = await openClickHouse({ dataDir: folder });
  await clickhouse.close();
  // Another process may have created it at the same time.
  await rename(join(folder, 'clickhouse'), template).catch(async (error: unknown) => {
    if (!(await isThere(template))) throw error;
  });
  await rm(folder, { recursive: true, force: true });
}

/**
 * Copies both engines' folders with empty, migrated tables into `dataDir`: creating them at a server's first start takes
 * ten seconds of CPU time.
 */
export async function installEmptyEngines(dataDir: string): Promise<void> {
  await installEmptyClickHouse(dataDir);
  await emptySnapshot();
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await promisify(execFile)('tar', ['-xf', await snapshotPath(), '-C', folder]);
}
