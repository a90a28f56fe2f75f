import { Kysely, PostgresDialect, sql } from 'kysely';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { installNewPostgres } from '@bidwell/testing/empty-engines';
import { isDatabaseUnavailable } from '../../database-unavailable.ts';
import { RateLimited } from '../../errors.ts';
import { ownRequest, withRequest } from '../../telemetry/request-id.ts';
import { silentStatement } from '@bidwell/testing/engines/silent-statement';
import { inOwnTurns } from '../pool/pool-turns.ts';
import { embeddedPool } from './embedded-pool.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedWatchdog } from './embedded-watchdog.ts';

/** Called after each part of a response was read. */
let onPart = (): void => {};
const times = { everyMs: 10, rejectMs: Infinity, giveUpMs: Infinity };

/** Starts a database in its own folder; `ended` resolves once it cannot go on, for `reasons`. */
async function startDatabase() {
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
  const observed: EmbeddedPostgres = {
    exchange: async (messages, receive) =>
      postgres.exchange(messages, (bytes) => {
        receive(bytes);
        onPart();
      }),
    close: async () => postgres.close(),
  };
  const watchdog = new EmbeddedWatchdog(times);
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: embeddedPool(observed, watchdog) }) });
  const remove = async () => {
    await db.destroy();
    await rm(dataDir, { recursive: true });
  };
  return { folder, db, watchdog, reasons, ended, remove };
}

const { folder, db, watchdog, remove } = await startDatabase();
afterAll(remove);

/** A file to which each recorded turn of the event loop, in which bids are served, adds a byte. */
const turns = join(folder, 'turns');
const recordTurn = (): void => appendFileSync(turns, '.');

/**
 * Adds the SQL function `after_turn`: it waits until a turn was recorded after its call, or more turns than `known`. It fails
 * where the event loop stands still until the statement is over.
 */
async function addAfterTurn(): Promise<void> {
  writeFileSync(turns, '');
  await sql`
    create or replace function after_turn(known bigint default (pg_stat_file('turns')).size) returns int language plpgsql as $$
    declare began constant timestamptz := clock_timestamp();
    begin
      while (pg_stat_file('turns')).size <= known loop
        if clock_timestamp() > began + interval '10 seconds' then
          raise exception 'The event loop made no turn while the statement ran';
        end if;
      end loop;
      return 0;
    end $$`.execute(db);
}

test('bids are served while a statement runs', async () => {
  await addAfterTurn();
  const state = { isDone: false };
  const statement = sql`select after_turn()`.execute(db).finally(() => (state.isDone = true));
  const turning = async () => {
    for (; !state.isDone; recordTurn()) await new Promise((next) => setImmediate(next));
  };
  const [outcome] = await Promise.allSettled([statement, turning()]);
  expect(outcome).toMatchObject({ status: 'fulfilled' });
});

test('bids are served while a large result is read', async () => {
  await addAfterTurn();
  onPart = () => setImmediate(recordTurn);
  onTestFinished(() => void (onPart = () => {}));
  const { rows } = await sql<{ n: number; text: string }>`
    select n, repeat('x', 100) as text, case when n = 25000 then after_turn(0) end as waited
    from generate_series(1, 50000) n`.execute(db);
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 50_000 }, (_, at) => at + 1));
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

test('companies, callers without a session, jobs and leases take turns, and one with hundreds of waiting calls is refused more', async () => {
  const done: string[] = [];
  const selectFor = async (owner: string) =>
    withRequest('id', '192.0.2.1', async () => {
      ownRequest(owner);
      await sql`select 1`.execute(db);
      done.push(owner);
    });
  const selectFrom = async (address: string) =>
    withRequest('id', address, async () => sql`select 1`.execute(db)).then(() => void done.push('anonymous'));
  let flood: Promise<PromiseSettledResult<void>[]> | undefined;
  let anonymous: Promise<unknown> | undefined;
  let jobs: Promise<unknown> | undefined;
  const others: Promise<void>[] = [];
  await db.transaction().execute(async (tx) => {
    flood = Promise.allSettled(Array.from({ length: 600 }, () => selectFor('a')));
    const crowd = Array.from({ length: 900 }, (_, n) => selectFrom(`192.0.2.${n % 200}`).catch(() => {}));
    anonymous = Promise.all(crowd);
    others.push(selectFor('b'));
    others.push(sql`select 1`.execute(db).then(() => void done.push('a job')));
    jobs = Promise.all(Array.from({ length: 100 }, async () => sql`select 1`.execute(db)));
    others.push(
      inOwnTurns('leases', async () => sql`select 1`.execute(db)).then(() => void done.push('leases')),
    );
    await sql`select 1`.execute(tx);
  });
  await Promise.all(others);
  expect(done).toEqual(expect.arrayContaining(['b', 'a job', 'leases']));
  expect(done.length).toBeLessThanOrEqual(7);
  await anonymous;
  await jobs;
  const rejected = (await flood!).filter(({ status }) => status === 'rejected');
  expect(rejected).toHaveLength(200);
  for (const one of rejected) expect(one).toMatchObject({ reason: expect.any(RateLimited) });
});

test('a transaction whose statement was given up leaves nothing, and later ones wait for its end', async () => {
  await sql`create table attempts (name text)`.execute(db);
  const silent = await silentStatement(folder);
  watchdog.limit();
  const failing = db.transaction().execute(async (tx) => {
    await sql`insert into attempts values ('given up')`.execute(tx);
    await silent.statement.execute(tx);
  });
  Object.assign(times, { rejectMs: 20, giveUpMs: 20 });
  expect(isDatabaseUnavailable(await failing.catch((error: unknown) => error))).toBe(true);
  Object.assign(times, { rejectMs: Infinity, giveUpMs: Infinity });
  const later = sql`insert into attempts values ('later')`.execute(db);
  await silent.answer();
  await later;
  expect((await sql`select name from attempts`.execute(db)).rows).toEqual([{ name: 'later' }]);
});

test('a database that cannot go on says why, and its statements fail like the statements of a lost server', async () => {
  const lost = await startDatabase();
  onTestFinished(lost.remove);
  await sql`select 1`.execute(lost.db);
  await rm(join(lost.folder, 'global'), { recursive: true });
  const [running, next] = await Promise.allSettled([
    sql`checkpoint`.execute(lost.db),
    sql`select 1`.execute(lost.db),
  ] as const);
  await lost.ended;
  expect(lost.reasons.map(String)).toEqual([
    expect.stringMatching(/^Error: PostgreSQL stopped within a statement\. PANIC: .*pg_control/),
  ]);
  for (const { reason } of [running, next] as PromiseRejectedResult[])
    expect(isDatabaseUnavailable(reason)).toBe(true);
});
