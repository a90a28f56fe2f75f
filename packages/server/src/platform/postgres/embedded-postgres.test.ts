import { Kysely, PostgresDialect, sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { installNewPostgres } from '../../testing/empty-engines.ts';
import { isDatabaseUnavailable } from '../database-unavailable.ts';
import { silentStatement } from '../../testing/silent-statement.ts';
import { embeddedPool } from './embedded-pool.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedWatchdog } from './embedded-watchdog.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-embedded-'));
await installNewPostgres(dataDir);
const folder = join(dataDir, 'postgres');
const reasons: unknown[] = [];
let end = (): void => {};
const ended = new Promise<void>((resolve) => (end = resolve));
const postgres = startEmbeddedPostgres({ folder, settings: {} }, (reason) => {
  reasons.push(reason);
  end();
});
const times = { everyMs: 10, refuseMs: Infinity, giveUpMs: Infinity };
const watchdog = new EmbeddedWatchdog(times);
const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: embeddedPool(postgres, watchdog) }) });
afterAll(async () => {
  await db.destroy();
  await rm(dataDir, { recursive: true });
});

/** Counts the turns of the event loop, in which bids are served, until `work` is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  let turns = 0;
  for (; !state.isDone; turns += 1) await new Promise((next) => setImmediate(next));
  await done;
  return turns;
}

test('bids are served while a statement runs', async () => {
  await sql`select 1`.execute(db);
  const statement = sql`select count(*) from generate_series(1, 1000000)`.execute(db);
  expect(await turnsDuring(statement)).toBeGreaterThan(10);
});

test('bids are served while a large result is read', async () => {
  const rows = sql<{ n: number; text: string }>`
    select n, repeat('x', 100) as text from generate_series(1, 50000) n`.execute(db);
  const parsed = rows.then((result) => result.rows);
  expect(await turnsDuring(parsed)).toBeGreaterThan(3);
  expect((await parsed).map(({ n }) => n)).toEqual(Array.from({ length: 50_000 }, (_, at) => at + 1));
});

test('values arrive as from a server, and errors have their code and constraint', async () => {
  await sql`create table kept (id int primary key, at timestamptz, big bigint, tags text[], data jsonb, raw bytea)`.execute(
    db,
  );
  const row = {
    id: 1,
    at: new Date('2026-01-02T03:04:05.678Z'),
    big: 2 ** 53 - 1,
    tags: ['a "b"', 'c,d'],
    data: { a: [1] },
    raw: Buffer.from([0, 255]),
  };
  const insert = sql`insert into kept values (${row.id}, ${row.at}, ${row.big}, ${row.tags}, ${JSON.stringify(row.data)}, ${row.raw})`;
  await insert.execute(db);
  expect((await sql`select * from kept`.execute(db)).rows).toEqual([row]);
  await expect(insert.execute(db)).rejects.toMatchObject({ code: '23505', constraint: 'kept_pkey' });
});

test('a transaction that fails leaves nothing, and others wait for its end', async () => {
  await sql`create table entries (name text)`.execute(db);
  const failing = db.transaction().execute(async (tx) => {
    await sql`insert into entries values ('failed')`.execute(tx);
    await sql`select 1 / 0`.execute(tx);
  });
  const other = sql`insert into entries values ('other')`.execute(db);
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  await other;
  expect((await sql`select name from entries`.execute(db)).rows).toEqual([{ name: 'other' }]);
});

test('a transaction whose statement was given up leaves nothing, and those that come later wait for its end', async () => {
  await sql`create table attempts (name text)`.execute(db);
  const silent = await silentStatement(folder);
  watchdog.limit();
  const failing = db.transaction().execute(async (tx) => {
    await sql`insert into attempts values ('given up')`.execute(tx);
    await silent.statement.execute(tx);
  });
  Object.assign(times, { refuseMs: 20, giveUpMs: 20 });
  expect(isDatabaseUnavailable(await failing.catch((error: unknown) => error))).toBe(true);
  Object.assign(times, { refuseMs: Infinity, giveUpMs: Infinity });
  const later = sql`insert into attempts values ('later')`.execute(db);
  await silent.answer();
  await later;
  expect((await sql`select name from attempts`.execute(db)).rows).toEqual([{ name: 'later' }]);
});

// Last, because it ends the database.
test('a database that cannot go on says why, and its statements fail as those of a lost server', async () => {
  await rm(join(folder, 'global'), { recursive: true });
  const [running, next] = await Promise.allSettled([
    sql`checkpoint`.execute(db),
    sql`select 1`.execute(db),
  ] as const);
  await ended;
  expect(reasons.map(String)).toEqual([
    expect.stringMatching(/^Error: PostgreSQL stopped within a statement\. PANIC: .*pg_control/),
  ]);
  for (const { reason } of [running, next] as PromiseRejectedResult[])
    expect(isDatabaseUnavailable(reason)).toBe(true);
});
