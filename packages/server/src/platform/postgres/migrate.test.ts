import { Kysely, sql } from 'kysely';
import { PGlite } from '@electric-sql/pglite';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPostgres } from './client.ts';
import { knownMigrations, migrate } from './migrate.ts';
import { pgliteDialect } from './pglite-dialect.ts';
import type { Schema } from './schema.ts';
import { copyTemplate, makeTemplate } from './template.ts';

const folder = await mkdtemp(join(tmpdir(), 'bidwell-migrate-'));
const templates = join(folder, 'templates');
await mkdir(join(templates, 'postgres-template-0.0.1'), { recursive: true });
await makeTemplate(templates);
const [template] = await readdir(templates);
await copyTemplate(templates, join(folder, 'postgres'));
const db = new Kysely<Schema>({ dialect: pgliteDialect(new PGlite(join(folder, 'postgres'))) });
afterAll(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

const executed = async () => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
};

test('an older server starts on the tables of a newer one, and a newer one adds what is missing', async () => {
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
  await rename(join(templates, template!), join(others, 'postgres-template-0.0.1'));
  const target = join(folder, 'from-another');
  expect(await copyTemplate(others, target)).toBe(false);
  await rename(join(others, 'postgres-template-0.0.1'), join(others, template!));
  await rm(join(others, template!, 'PG_VERSION'));
  expect(await copyTemplate(others, target)).toBe(false);
  expect(await readdir(folder)).not.toContain('from-another');
  expect(await readdir(folder)).not.toContain('from-another.new');
});
