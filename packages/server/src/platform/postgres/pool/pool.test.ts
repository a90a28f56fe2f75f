import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { isDatabaseUnavailable } from '../../database-unavailable.ts';
import { RateLimited } from '../../errors.ts';
import { ownRequest, withRequest } from '../../telemetry/request-id.ts';
import { addressOf, emptyDatabase, throughRelay } from '@bidwell/testing/engines/postgres-server';
import { openTcpRelay } from '@bidwell/testing/engines/tcp-relay';
import { connectPostgres } from '../client.ts';
import { openPool } from './pool.ts';
import { poolSettings } from './pool-settings.ts';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';

const database = await emptyDatabase(process.env['DATABASE_URL']);

afterAll(() => database?.remove());

/** How long a statement waits for a response, and a connection for the server. */
const LIMIT_MS = 2000;

describe.skipIf(!database)('lost connections to PostgreSQL', () => {
  const settings = poolSettings(new Set(), 4);
  /** A pool that is connected through its own line. */
  async function connected() {
    const line = await openTcpRelay(() => addressOf(database!));
    const url = throughRelay(database!, line.port, {
      query_timeout: String(LIMIT_MS),
      connect_timeout: String(LIMIT_MS / 1000),
    });
    const errors: unknown[] = [];
    const db = new Kysely<object>({
      dialect: new PostgresDialect({ pool: openPool(url, settings) }),
      log: (event) => void (event.level === 'error' && errors.push(event.error)),
    });
    const query = () => db.executeQuery(CompiledQuery.raw('select 1'));
    closers.push(async () => {
      await db.destroy();
      line.close();
    });
    return { line, url, db, query, errors };
  }
  const closers: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closers) await close();
  });
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  test.concurrent('a connection that is cut in a transaction, idle or in use, fails only the work on it', async () => {
    const { line, db, query } = await connected();
    for (let time = 0; time < 5; time += 1) {
      await query();
      const idle = failure(
        db.transaction().execute(async (tx) => {
          await sql`select 1`.execute(tx);
          line.cut();
          // The connection is checked out and nothing runs on it, so no statement receives its error.
          await new Promise((later) => setImmediate(later));
          await sql`select 1`.execute(tx);
        }),
      );
      const busy = failure(sql`select pg_sleep(5)`.execute(db));
      expect([isDatabaseUnavailable(await idle), isDatabaseUnavailable(await busy)]).toEqual([true, true]);
      await query();
    }
  });

  test.concurrent('a silent connection fails the statement in time, and other idle connections are not used again', async () => {
    const { line, query } = await connected();
    await Promise.all([query(), query(), query()]);
    line.silence();
    expect(isDatabaseUnavailable(await failure(query()))).toBe(true);
    line.mend();
    // A statement on a silent connection would fail too.
    await Promise.all([query(), query(), query(), query()]);
  });

  test.concurrent('a transaction on a silent connection waits once, not again for its rollback', async () => {
    const { line, db, query, errors } = await connected();
    await query();
    const error = await failure(
      db.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx);
        line.silence();
        await sql`select 1`.execute(tx);
      }),
    );
    line.mend();
    expect(isDatabaseUnavailable(error)).toBe(true);
    // The rollback fails with the error of the statement, because it is not sent.
    expect(errors).toHaveLength(2);
    expect(errors[1]).toBe(errors[0]);
    await query();
  });

  test.concurrent('a server that accepts connections and never answers, or rejects them, is unavailable in time', async () => {
    const { line, query } = await connected();
    line.silence();
    expect(isDatabaseUnavailable(await failure(query()))).toBe(true);
    line.mend();
    line.cut(true);
    expect(isDatabaseUnavailable(await failure(query()))).toBe(true);
    line.mend();
    await query();
  });

  test.concurrent.each([
    [['bidder'], 'bidwell-bidder', 4, ['15s', '5s', '10s']],
    [['jobs'], 'bidwell-jobs', 4, ['1min', '10s', '1min']],
    [['api', 'jobs'], 'bidwell-api-jobs', 16, ['30s', '10s', '20s']],
  ] as const)(
    'a process with the roles %j is named %s and has limits of its own',
    async (roles, name, max, times) => {
      const { url } = await connected();
      const limits = poolSettings(new Set(roles));
      const own = new Kysely<object>({ dialect: new PostgresDialect({ pool: openPool(url, limits) }) });
      const sleepers = Promise.all(
        Array.from({ length: max + 2 }, () => sql`select pg_sleep(0.05)`.execute(own)),
      );
      const { rows: connections } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity where application_name = ${name}`.execute(own);
      await sleepers;
      expect(connections[0]!.count).toBeLessThanOrEqual(max);
      const { rows } = await sql<Record<string, string>>`
        select current_setting('idle_in_transaction_session_timeout') as idle,
          current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`.execute(
        own,
      );
      expect(rows).toEqual([{ idle: times[0], lock: times[1], statement: times[2] }]);
      await own.destroy();
    },
  );

  test('after a write that a standby refuses, the pool reconnects, and so finds its successor', async () => {
    const { db } = await connected();
    const name = sql.id(new URL(database!.url).pathname.slice(1));
    await sql`create table written ()`.execute(db);
    // Sessions from now on are like those on a standby.
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(db);
    const other = await connected();
    const write = async () => sql`insert into written default values`.execute(other.db);
    try {
      await Promise.all([other.query(), other.query()]);
      const rejected = await failure(write());
      expect([isDatabaseUnavailable(rejected), (rejected as { code: string }).code]).toEqual([true, '25006']);
    } finally {
      await sql`alter database ${name} reset default_transaction_read_only`.execute(db);
    }
    await write();
  });

  test.concurrent('companies and jobs take turns at the connections, and one with hundreds of waiting calls is refused more', async () => {
    const { url } = await connected();
    const own = await connectPostgres({ url, pool: settings });
    const done: string[] = [];
    const selectFor = async (owner: string) =>
      withRequest('id', '192.0.2.1', async () => {
        ownRequest(owner);
        await sql`select 1`.execute(own);
        done.push(owner);
      });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holders = Array.from({ length: settings.max }, async () =>
      own.transaction().execute(() => released),
    );
    const flood = Promise.allSettled(Array.from({ length: 600 }, () => selectFor('a')));
    const others = [selectFor('b'), sql`select 1`.execute(own).then(() => void done.push('a job'))];
    release();
    await Promise.all([...holders, ...others]);
    for (const owner of ['b', 'a job']) {
      expect(done).toContain(owner);
      expect(done.indexOf(owner)).toBeLessThan(300);
    }
    const rejected = (await flood).filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(200);
    for (const one of rejected) expect(one).toMatchObject({ reason: expect.any(RateLimited) });
    await own.destroy();
  });

  test.concurrent('silent connections are closed without waiting for a response', async () => {
    const { line, url } = await connected();
    const other = new Kysely<object>({ dialect: new PostgresDialect({ pool: openPool(url, settings) }) });
    await other.executeQuery(CompiledQuery.raw('select 1'));
    line.silence();
    await other.destroy();
    line.mend();
  });
});

describe.runIf(database)('a connection to PostgreSQL that was cut without notice', async () => {
  if (!database) return;
  const line = await tcpRelay(() => addressOf(database));
  const limits = { everyMs: 40, waitMs: 120, doneMs: 80 };
  // A statement waits longer than the test may take, unless the silence is detected.
  const url = throughRelay(database, line.port, { query_timeout: '3600000' });
  const pool = openPool(url, poolSettings(new Set(['jobs']), 4), limits);
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
  afterAll(() => db.destroy());

  test('ends its statement once the server can be asked, long before its time limit', async () => {
    await sql`select 1`.execute(db);
    line.silence();
    const waiting = sql`select 1`.execute(db).catch((error: unknown) => error);
    // The first query of the server fails.
    await new Promise((later) => setTimeout(later, 300));
    line.mend();
    expect(isDatabaseUnavailable(await waiting)).toBe(true);
    await sql`select 1`.execute(db);
  });

  test('is not confused with a slow statement, or with a transaction that does other work', async () => {
    const long = sql<{ done: number }>`select 1 as done from pg_sleep(0.6)`.execute(db);
    const pausing = db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      await long;
      return (await sql<{ done: number }>`select 2 as done`.execute(tx)).rows;
    });
    expect((await long).rows).toEqual([{ done: 1 }]);
    expect(await pausing).toEqual([{ done: 2 }]);
  });
});
