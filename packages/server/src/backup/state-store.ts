import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/postgres/client.ts';
import { RESTORE_MARKER } from '../platform/postgres/restore-marker.ts';
import type { Db } from '../platform/postgres/transaction.ts';

/**
 * Tables that a backup leaves out: the records of migrations, sums that triggers keep, secrets, which are a file of their
 * own, read-only sessions of operators, links that are valid for an hour, the states of running processes,
 * their counts of exchanges in the last days, and fetched pages of app stores.
 */
const LEFT_OUT = [
  'kysely_migration',
  'kysely_migration_lock',
  RESTORE_MARKER,
  'company_leases',
  'company_spend',
  'shared_secrets',
  'bidding_changes',
  'booked_batches',
  'event_claims',
  'event_counters',
  'exchange_minutes',
  'leaders',
  'password_resets',
  'process_secrets',
  'process_states',
  'publisher_pages',
  'tracker_states',
  'unused_files',
  'viewer_sessions',
];

/** Bytes of rows that are read or written with one statement, approximately. */
const STATEMENT_BYTES = 2 * 1024 ** 2;
const FIRST_ROWS = 100;
const ROWS_MAX = 1000;

/** Runs `work` on the state at one moment: later commits are not visible. Covers all companies. */
export async function atOneMoment<T>(db: Database, work: (snapshot: Db) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local timezone = 'UTC'`.execute(tx);
      return work(tx);
    });
}

/** The time of a snapshot, ISO 8601, and the names of the migrations that its tables have. */
export async function describeState(db: Db): Promise<{ at: string; migrations: string[] }> {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(db);
  const { rows: migrations } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  return { at: rows[0]!.at.toISOString(), migrations: migrations.map(({ name }) => name) };
}

/** The tables that a backup has, each after those that it refers to. */
export async function stateTables(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(
    db,
  );
  const { rows: references } = await sql<{ from: string; to: string }>`
    select f.relname as "from", t.relname as "to" from pg_constraint c
    join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and c.conrelid <> c.confrelid
      and f.relnamespace = current_schema()::regnamespace`.execute(db);
  const waiting = new Set(tables.map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name)));
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const next = [...waiting].filter(
      (name) => !references.some(({ from, to }) => from === name && waiting.has(to)),
    );
    if (next.length === 0) throw new Error(`Tables refer to each other: ${[...waiting].join(', ')}`);
    for (const name of next) waiting.delete(name);
    ordered.push(...next);
  }
  return ordered;
}

/** Number of rows of a table, and the sums of its columns with money, as decimal numbers. */
export async function sumsOf(db: Db, table: string): Promise<{ rows: number; sums: Record<string, string> }> {
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and data_type in ('bigint', 'numeric')
      and column_name like '%micros' order by column_name`.execute(db);
  const sums: RawBuilder<unknown>[] = columns.map(
    ({ name }) => sql`, coalesce(sum(${sql.ref(name)}), 0)::text as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<string, string>>`
    select count(*)::text as "rows" ${sql.join(sums, sql``)} from ${sql.table(table)}`.execute(db);
  const { rows: count, ...found } = rows[0]!;
  return { rows: Number(count), sums: found };
}

/** The rows of a table as JSON, some at a time. To be read in a transaction, one table after the other. */
export async function* readRows(db: Db, table: string): AsyncGenerator<string[]> {
  await sql`
    declare backup_rows no scroll cursor for
    select row_to_json(t)::text as line from ${sql.table(table)} t`.execute(db);
  yield* linesWithin(async (count) => {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(count)} from backup_rows`.execute(db);
    return rows.map(({ line }) => line);
  });
  await sql`close backup_rows`.execute(db);
}

/** Lines that `read` returns until there are none, as many at a time as have about {@link STATEMENT_BYTES}. */
async function* linesWithin(read: (count: number) => Promise<string[]>): AsyncGenerator<string[]> {
  let count = FIRST_ROWS;
  for (;;) {
    const lines = await read(count);
    if (lines.length === 0) return;
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    count = Math.max(1, Math.min(ROWS_MAX, Math.floor((STATEMENT_BYTES * lines.length) / length)));
    yield lines;
  }
}

/** Inserts rows of {@link readRows}, and returns how many. Values of columns that the table does not have are left out. */
export async function writeRows(db: Db, table: string, lines: AsyncIterable<string>): Promise<number> {
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'
    order by ordinal_position`.execute(db);
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  let count = 0;
  let waiting: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    await sql`
      insert into ${sql.table(table)} (${names}) overriding system value
      select ${names} from json_populate_recordset(null::${sql.table(table)}, ${`[${waiting.join(',')}]`}::json)`.execute(
      db,
    );
    count += waiting.length;
    waiting = [];
    length = 0;
  };
  for await (const line of lines) {
    waiting.push(line);
    length += line.length;
    if (length >= STATEMENT_BYTES || waiting.length >= ROWS_MAX) await flush();
  }
  await flush();
  return count;
}

/** Deletes side effects of writing the rows of other tables: notifications of running bidders. */
export async function deleteNotifications(db: Db): Promise<void> {
  await sql`delete from bidding_changes`.execute(db);
}

/** Whether the database has no tables but the marker of a restore. */
export async function hasNoTables(db: Db): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_tables
    where schemaname = current_schema() and tablename <> ${RESTORE_MARKER}`.execute(db);
  return rows[0]!.count === 0;
}

/** Drops the tables and functions of an interrupted restore, all but its marker. */
export async function dropState(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ drop: string }>`
      select format('drop table %I cascade', tablename) as drop from pg_tables
      where schemaname = current_schema() and tablename <> ${RESTORE_MARKER}
      union all
      select format('drop function %s cascade', p.oid::regprocedure) from pg_proc p
      where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(tx);
    for (const { drop } of rows) await sql.raw(drop).execute(tx);
  });
}

/** Processes that run on this database, or were killed less than a minute ago. */
export async function runningProcesses(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass('process_secrets')::text as name`.execute(db);
  if (rows[0]?.name == null) return [];
  const running = await sql<{ process: string }>`
    select process from process_secrets where seen_at > clock_timestamp() - interval '1 minute'
    order by process`.execute(db);
  return running.rows.map(({ process }) => process);
}

/** Ids of creative files in the order of their ids, some at a time. Covers all companies. */
export async function* fileIds(db: Db): AsyncGenerator<string[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db
      .selectFrom('files')
      .select('uuid')
      .where('uuid', '>', after)
      .orderBy('uuid')
      .limit(1000)
      .execute();
    if (rows.length === 0) return;
    after = rows.at(-1)!.uuid;
    yield rows.map(({ uuid }) => uuid);
  }
}

/** Ids of the campaigns and ad sets that were created since an instant. Covers all companies. */
export async function createdSince(db: Db, since: Date): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from campaigns where created_at >= ${since} union all
    select uuid from adsets where created_at >= ${since}`.execute(db);
  return rows.map(({ uuid }) => uuid);
}

/** The shared secrets of the servers of this database, by name. */
export async function sharedSecrets(db: Db): Promise<Record<string, string>> {
  const rows = await db.selectFrom('shared_secrets').select(['name', 'value']).execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** The copy of a table; it belongs to the connection. */
const copyOf = (table: string): string => `pg_temp.backup_${table}`;

/** Pages of 8 KiB that one statement copies: a few milliseconds. */
const PAGES_AT_ONCE = 50;

/**
 * Copies tables within a transaction, to be read after it: several times faster than reading them, and without waiting for
 * a disk or for compression. For a database with one connection, which serves others again once the transaction ends.
 */
export async function copyTables(tx: Db, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const [from, copy] = [sql.table(table), sql.table(copyOf(table))];
    // One that a failed backup has left.
    await sql`drop table if exists ${copy}`.execute(tx);
    await sql`create temporary table ${sql.ref(`backup_${table}`)} as select * from ${from} limit 0`.execute(
      tx,
    );
    const { rows } = await sql<{ pages: number }>`
      select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as pages`.execute(
      tx,
    );
    for (let page = 0; page < rows[0]!.pages; page += PAGES_AT_ONCE)
      await sql`
        insert into ${copy} select * from ${from}
        where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + PAGES_AT_ONCE},0)`}::tid`.execute(tx);
  }
}

/** Deletes copies; those that do not exist are left out. */
export async function dropCopies(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) await sql`drop table if exists ${sql.table(copyOf(table))}`.execute(db);
}

/** The rows of a copy as JSON, some at a time, each batch in its own transaction. */
export async function* readCopy(db: Database, table: string): AsyncGenerator<string[]> {
  let after = '(0,0)';
  yield* linesWithin(async (count) =>
    db.transaction().execute(async (tx) => {
      await sql`set local timezone = 'UTC'`.execute(tx);
      // A scan of a range of row addresses returns them in their order.
      const { rows } = await sql<{ at: string; line: string }>`
        select t.ctid::text as at, row_to_json(t)::text as line from ${sql.table(copyOf(table))} t
        where t.ctid > ${after}::tid limit ${sql.lit(count)}`.execute(tx);
      after = rows.at(-1)?.at ?? after;
      return rows.map(({ line }) => line);
    }),
  );
}
