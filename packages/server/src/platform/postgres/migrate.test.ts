import { Kysely, PostgresDialect, sql } from 'kysely';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newPostgresTemplates } from '@bidwell/testing/empty-engines';
import { emptyDatabase } from '@bidwell/testing/engines/postgres-server';
import { openPostgres } from './client.ts';
import { type OwnMigration, knownMigrations, migrate } from './migrate.ts';
import {
  MigrationDialect,
  type MigrationHolder,
  type MigrationWait,
  migrateAlone,
} from './migration-lock.ts';
import { embeddedPool } from './embedded/embedded-pool.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { openPool } from './pool/pool.ts';
import { MIGRATION_POOL, poolSettings } from './pool/pool-settings.ts';
import type { Schema } from './schema.ts';
import { copyTemplate, makeTemplate } from './embedded/template.ts';
import { eventually } from '@bidwell/testing/eventually';

const folder = await mkdtemp(join(tmpdir(), 'bidwell-migrate-'));
const templates = join(folder, 'templates');
await cp(await newPostgresTemplates(), templates, { recursive: true });
await mkdir(join(templates, 'postgres-template-0.0.1'));
await makeTemplate(templates);
const [template] = await readdir(templates);
afterAll(async () => rm(folder, { recursive: true }));

let databases = 0;

/** An embedded database of the test's own, and the names of the migrations that it has. */
async function freshDatabase() {
  const own = join(folder, `postgres-${(databases += 1)}`);
  await copyTemplate(templates, own);
  const embedded = startEmbeddedPostgres({ folder: own, settings: {} }, () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: embeddedPool(embedded) }) });
  onTestFinished(async () => db.destroy());
  const executed = async () => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  };
  return { db, executed };
}

test('an older server starts on the tables of a newer one, and a newer one adds the missing ones', async () => {
  const { db, executed } = await freshDatabase();
  const first = Object.fromEntries(Object.entries(knownMigrations).slice(0, 2));
  const added = {
    async up(at: Kysely<unknown>) {
      await sql`create table between (a int)`.execute(at);
    },
  };
  const newest = {
    async up(at: Kysely<unknown>) {
      await sql`create table newest (a int)`.execute(at);
    },
  };
  await migrate(db, db, { ...first, '9002-newest': newest });
  // An older server ignores the newest migration.
  await migrate(db, db, first);
  expect(await executed()).toEqual([...Object.keys(first), '9002-newest']);
  // A migration that was merged late has a lower number.
  await migrate(db, db, { ...first, '9001-between': added });
  expect(await executed()).toEqual([...Object.keys(first), '9001-between', '9002-newest']);
  await migrate(db, db, { ...first, '9001-between': added, '9002-newest': newest });
  await sql`select * from between, newest`.execute(db);
});

test('a server does not start on tables from which a later release removed something', async () => {
  const { db } = await freshDatabase();
  const first = Object.fromEntries(Object.entries(knownMigrations).slice(0, 2));
  const removed = { async up() {} };
  await migrate(db, db, { ...first, '9003-columns-contract': removed });
  await expect(migrate(db, db, first)).rejects.toThrow(
    'PostgreSQL has the migration 9003-columns-contract of a later release',
  );
  await migrate(db, db, { ...first, '9003-columns-contract': removed });
});

const server = await emptyDatabase(process.env['DATABASE_URL']);
afterAll(() => server?.remove());

describe.skipIf(!server)('several servers on one PostgreSQL', () => {
  beforeEach(async () => {
    const pool = openPool(server!.url, poolSettings(new Set()));
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
    await sql`drop schema public cascade`.execute(db);
    await sql`create schema public`.execute(db);
    await db.destroy();
  });

  /** A process's connections: one for statements, one to migrate. */
  function connect(wait: MigrationWait) {
    const pool = openPool(server!.url, poolSettings(new Set(), 2));
    const process = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    const slow = new Kysely<Schema>({
      dialect: new MigrationDialect({ pool: openPool(server!.url, MIGRATION_POOL) }, wait),
    });
    afterAll(() => process.destroy());
    return async (known: Record<string, OwnMigration>) => {
      try {
        await migrate(process, slow, known);
      } finally {
        await slow.destroy();
      }
    };
  }

  test('one migrates, the others wait and say for which process, or give up at the limit', async () => {
    let runs = 0;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const known = {
      '0001-slow': {
        async up(at: Kysely<unknown>) {
          runs += 1;
          await sql`create table slow (a int)`.execute(at);
          await held;
        },
      },
    };
    const waits: (MigrationHolder | null)[] = [];
    const first = connect({})(known);
    await eventually(() => expect(runs).toBe(1));
    const second = connect({ onWaiting: (holder) => waits.push(holder) })(known);
    const impatient = connect({ limitMs: 100 })(known);
    await expect(impatient).rejects.toThrow('Another process has been migrating PostgreSQL');
    await eventually(() => expect(waits.length).toBeGreaterThan(0));
    expect(waits[0]).toMatchObject({ application: 'bidwell-migration' });
    release();
    await Promise.all([first, second]);
    expect(runs).toBe(1);
  });

  test('a migration that waits for a lock lets others read meanwhile, and is repeated when the lock is free', async () => {
    const known: Record<string, OwnMigration> = {
      '0001-slow': { async up() {} },
      '0002-read': {
        async up(at: Kysely<unknown>) {
          await sql`create table read_at_length (a int)`.execute(at);
        },
      },
    };
    await connect({})(known);
    const pool = openPool(server!.url, poolSettings(new Set(['bidder'])));
    const others = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
    afterAll(() => others.destroy());
    const altered = {
      ...known,
      '0003-new': {
        async up(at: Kysely<unknown>) {
          await sql`create table altered (a int)`.execute(at);
        },
      },
      '0004-altered': {
        async up(at: Kysely<unknown>) {
          await sql`alter table read_at_length add column b int`.execute(at);
        },
      },
      '0005-online': {
        online: true,
        async up(at: Kysely<unknown>) {
          await sql`create index concurrently on read_at_length (b)`.execute(at);
        },
      },
    };
    // As a backup reads.
    await others.transaction().execute(async (tx) => {
      await sql`select * from read_at_length`.execute(tx);
      const migrating = connect({})(altered);
      const rejected = expect(migrating).rejects.toThrow('canceling statement due to lock timeout');
      await eventually(async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(others);
        expect(rows.length).toBeGreaterThan(0);
      });
      await sql`select * from read_at_length`.execute(others);
      await rejected;
    });
    // The migrations before it are applied.
    await sql`select * from altered`.execute(others);
    // Several processes start with the new release: each migration runs once.
    await Promise.all([connect({})(altered), connect({})(altered), connect({})(altered)]);
    await sql`select b from read_at_length`.execute(others);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      others,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(altered));
  });

  test('they migrate ClickHouse one after the other', async () => {
    const steps: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = migrateAlone(server!.url, {}, async () => {
      steps.push('first begins');
      await held;
      steps.push('first ends');
    });
    await eventually(() => expect(steps).toEqual(['first begins']));
    const waits: (MigrationHolder | null)[] = [];
    const second = migrateAlone(server!.url, { onWaiting: (holder) => waits.push(holder) }, async () => {
      steps.push('second');
    });
    await expect(migrateAlone(server!.url, { limitMs: 100 }, async () => {})).rejects.toThrow(
      'Another process has been migrating ClickHouse',
    );
    await eventually(() => expect(waits.length).toBeGreaterThan(0));
    expect(waits[0]).toMatchObject({ application: 'bidwell-migration' });
    release();
    await Promise.all([first, second]);
    expect(steps).toEqual(['first begins', 'first ends', 'second']);
    // A failure frees the lock as well.
    const failing = migrateAlone(server!.url, {}, async () => Promise.reject(new Error('the disk is full')));
    await expect(failing).rejects.toThrow('the disk is full');
    await migrateAlone(server!.url, { limitMs: 1000 }, async () => void steps.push('third'));
    expect(steps.at(-1)).toBe('third');
  });
});

test('the first start uses the template of the build, with small buffers where memory is small', async () => {
  const dataDir = join(folder, 'first-start');
  await writeFile(join(templates, template!, 'from-the-template'), '');
  const first = await openPostgres({
    dataDir,
    templates,
    memory: { chdb: 200, chdbCache: 8, sharedBuffers: 8 },
  });
  const names = await sql<{ name: string }>`select name from kysely_migration`.execute(first);
  expect(names.rows.map(({ name }) => name).sort()).toEqual(Object.keys(knownMigrations));
  const buffers = await sql`show shared_buffers`.execute(first);
  expect(buffers.rows).toEqual([{ shared_buffers: '8MB' }]);
  await first.destroy();
  const { mode } = await stat(join(dataDir, 'postgres', 'from-the-template'));
  expect(mode & 0o777).toBe(0o600);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres']);
});

test('a template of another version of PGlite is ignored, and a partial copy is deleted', async () => {
  expect(template).toMatch(/^postgres-template-\d+\.\d+\.\d+$/);
  const others = join(folder, 'others');
  await mkdir(others);
  await cp(join(templates, template!), join(others, 'postgres-template-0.0.1'), { recursive: true });
  const target = join(folder, 'from-another');
  expect(await copyTemplate(others, target)).toBe(false);
  await rename(join(others, 'postgres-template-0.0.1'), join(others, template!));
  await rm(join(others, template!, 'PG_VERSION'));
  expect(await copyTemplate(others, target)).toBe(false);
  expect(await readdir(folder)).not.toContain('from-another');
  expect(await readdir(folder)).not.toContain('from-another.new');
});
