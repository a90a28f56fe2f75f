import { Kysely, sql } from 'kysely';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, expect, test } from 'vitest';
import { knownMigrations, migrate } from './migrate.ts';
import { pgliteDialect } from './pglite-dialect.ts';
import type { Schema } from './schema.ts';

const db = new Kysely<Schema>({ dialect: pgliteDialect(new PGlite()) });
afterAll(() => db.destroy());

const executed = async () => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
};

test('an older server starts on the tables of a newer one, and a server between adds what it lacks', async () => {
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
  // The older one knows nothing of the newest migration, and leaves it alone.
  await migrate(db, db, first);
  expect(await executed()).toEqual([...Object.keys(first), '9002-newest']);
  // A branch that was merged late has a number below.
  await migrate(db, db, { ...first, '9001-between': added });
  expect(await executed()).toEqual([...Object.keys(first), '9001-between', '9002-newest']);
  await migrate(db, db, { ...first, '9001-between': added, '9002-newest': newest });
  await sql`select * from between, newest`.execute(db);
});
