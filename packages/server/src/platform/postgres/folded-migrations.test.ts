import { Kysely, PostgresDialect, sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { emptyDatabase } from '@bidwell/testing/engines/postgres-server';
import { emptyPostgres, emptySnapshot, installNewPostgres } from '@bidwell/testing/empty-engines';
import { embeddedPool } from './embedded/embedded-pool.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { FOLDED, FoldedInPart } from './folded-migrations.ts';
import { knownMigrations, migrate } from './migrate.ts';
import { MigrationDialect } from './migration-lock.ts';
import { openPool } from './pool/pool.ts';
import { MIGRATION_POOL, poolSettings } from './pool/pool-settings.ts';
import type { Schema } from './schema.ts';

/** The last migration that release 0.1.0 has. */
const LAST_OF_0_1_0 = '0026-operator-keys';
/** The last migration that the fold has made. */
const LAST_OF_FOLD = '0042-online-indexes';
const of010 = Object.fromEntries(Object.entries(knownMigrations).filter(([name]) => name <= LAST_OF_0_1_0));

type Db = Kysely<Schema>;

function embedded(task: { folder: string } | { snapshot: Blob }): Db {
  const engine = startEmbeddedPostgres({ ...task, settings: {} }, () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: embeddedPool(engine) }) });
  onTestFinished(async () => db.destroy());
  return db;
}

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [HARBOR, ORCHARD, ADA, GRACE, TOKEN, IOS, ANDROID, ADSET, BIDDER] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(id);

/** Rows as 0.1.0 writes them. */
async function fill(db: Db): Promise<void> {
  const statements = [
    sql`insert into companies (uuid, name, postback_secret) values (${HARBOR}, 'Harbor', 'a'), (${ORCHARD}, 'Orchard', 'b')`,
    sql`insert into users (uuid, company_uuid, login, email, password_hash, first_name, last_name, contact)
      values (${ADA}, ${HARBOR}, 'ada', 'ada@example.com', '', 'Ada', 'A', ''), (${GRACE}, ${HARBOR}, 'grace', 'grace@example.com', '', 'Grace', 'G', '')`,
    sql`insert into api_tokens (uuid, company_uuid, user_uuid, name, token_hash, ending, created_at)
      values (${TOKEN}, ${HARBOR}, ${ADA}, 'Script', 'hash', 'abcd', now())`,
    sql`insert into apps (uuid, company_uuid, name, description, os, store_link, bundle_id, mobile_measurement_partner, iab_category, status)
      values (${IOS}, ${HARBOR}, 'Puzzle', '', 'ios', 'https://apps.apple.com/us/app/puzzle/id123456789', 'com.example.puzzle', 'adjust', 'IAB9', 'Approved'),
        (${ANDROID}, ${HARBOR}, 'Puzzle', '', 'android', 'https://play.google.com/store/apps/details?id=a.b', 'a.b', 'adjust', 'IAB9', 'Approved')`,
    sql`insert into adset_spend (adset_uuid, company_uuid, ever_micros, day, day_micros)
      values (${ADSET}, ${HARBOR}, 7500, '2026-01-01', 500), (${id(10)}, ${HARBOR}, 2500, '2026-01-01', 0)`,
    sql`insert into bidders (uuid, seen_at) values (${BIDDER}, now())`,
    sql`insert into budget_leases (adset_uuid, bidder_uuid, company_uuid, micros) values (${ADSET}, ${BIDDER}, ${HARBOR}, 125)`,
    sql`insert into ssps (slug, name, charge_on) values ('market', 'Market', 'billing')`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** The values that this release reads in the rows of {@link fill}. */
async function upgraded(db: Db): Promise<unknown> {
  const { rows } = await sql`
    select
      (select json_agg(json_build_array(company_uuid, user_uuid, role) order by user_uuid) from memberships) as members,
      (select json_agg(email_confirmed_at is not null) from users) as confirmed,
      (select json_agg(json_build_array(scopes, expires_at)) from api_tokens) as keys,
      (select json_agg(store_item_id order by os) from apps) as items,
      (select json_agg(json_build_array(company_uuid, micros)) from company_spend) as spend,
      (select json_agg(json_build_array(company_uuid, micros)) from company_leases) as leases,
      (select json_agg(device_notices) from ssps) as notices`.execute(db);
  return rows[0];
}

const EXPECTED = {
  members: [
    [HARBOR, ADA, 'owner'],
    [HARBOR, GRACE, 'owner'],
  ],
  confirmed: [true, true],
  keys: [[['reports'], null]],
  items: [null, 123456789],
  spend: [[HARBOR, 10_000]],
  leases: [[HARBOR, 125]],
  notices: ['none'],
};

/** The tables as the catalogs describe them. */
async function schemaOf(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select table_name as on, column_name as name, concat_ws(' ', udt_name, is_nullable, column_default, generation_expression) as is
      from information_schema.columns where table_schema = 'public'
    union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid) || convalidated
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    union all select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select '', proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    order by 1, 2, 3`.execute(db);
  return rows;
}

const fresh = async () => {
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: embeddedPool(await emptyPostgres()) }),
  });
  onTestFinished(async () => db.destroy());
  return db;
};

test('a database of 0.1.0 with its rows becomes one of this release', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-folded-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await installNewPostgres(dataDir);
  const db = embedded({ folder: join(dataDir, 'postgres') });
  await migrate(db, db, of010);
  await fill(db);
  await migrate(db, db);
  expect(await upgraded(db)).toEqual(EXPECTED);
  expect(await schemaOf(db)).toEqual(await schemaOf(await fresh()));
});

const server = await emptyDatabase(process.env['DATABASE_URL']);
afterAll(async () => server?.remove());

describe.skipIf(!server)('on a server', () => {
  test('a database of 0.1.0 is migrated while its processes are connected', async () => {
    const db: Db = new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: openPool(server!.url, poolSettings(new Set())) }),
    });
    onTestFinished(async () => db.destroy());
    await migrate(db, db, of010);
    await fill(db);
    const slow: Db = new Kysely<Schema>({
      dialect: new MigrationDialect({ pool: openPool(server!.url, MIGRATION_POOL) }, {}),
    });
    await migrate(db, slow);
    await slow.destroy();
    expect(await upgraded(db)).toEqual(EXPECTED);
    const valid = await sql`
      select indexrelid::regclass::text as name from pg_index where not indisvalid`.execute(db);
    expect(valid.rows).toEqual([]);
  });
});

async function namesOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** A database as the last sources before the fold left it, with the tables of the migrations after the fold. */
async function beforeFold(): Promise<Db> {
  const db = embedded({ snapshot: await emptySnapshot() });
  await sql`
    delete from kysely_migration where name > ${LAST_OF_0_1_0} and name <= ${LAST_OF_FOLD}`.execute(db);
  await sql`
    insert into kysely_migration (name, timestamp) select unnest(${FOLDED}::text[]), '2026-11-28T00:00:00Z'`.execute(
    db,
  );
  return db;
}

test('a database with all migrations before the fold gets their present names, at several starts at once', async () => {
  const db = await beforeFold();
  await fill(db);
  await Promise.all([migrate(db, db), migrate(db, db)]);
  expect(await namesOf(db)).toEqual(Object.keys(knownMigrations));
  const { rows } = await sql`select name from companies order by name`.execute(db);
  expect(rows).toEqual([{ name: 'Harbor' }, { name: 'Orchard' }]);
  // Release 0.1.0 passes over the names that it does not know, and this one starts after it.
  await migrate(db, db, of010);
  await migrate(db, db);
  expect(await namesOf(db)).toEqual(Object.keys(knownMigrations));
});

test('a database with a part of them is refused, and stays as it is', async () => {
  const db = await beforeFold();
  await sql`delete from kysely_migration where name >= '0138'`.execute(db);
  const before = await namesOf(db);
  const migrating = migrate(db, db);
  await expect(migrating).rejects.toThrow(FoldedInPart);
  await expect(migrating).rejects.toThrow(
    'The tables in PostgreSQL are of sources between the releases 0.1.0 and 0.2.0, without the migration 0138-confirmed-addresses. Start the commit before "Fold the migrations after 0.1.0 by subject" once, and then this release.',
  );
  expect(await namesOf(db)).toEqual(before);
});
