import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { isDatabaseUnavailable } from '../database-unavailable.ts';
import { addressOf, emptyDatabase, throughRelay } from '../../testing/postgres-server.ts';
import { tcpRelay } from '../../testing/test-tcp-relay.ts';
import { openPool } from './pool.ts';

const database = await emptyDatabase(process.env['DATABASE_URL']);
afterAll(() => database?.remove());

describe.skipIf(!database)('lost connections to PostgreSQL', async () => {
  const line = await tcpRelay(() => addressOf(database!));
  const url = throughRelay(database!, line.port, { query_timeout: '600', connect_timeout: '0.4' });
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: openPool(url, { max: 4 }) }) });
  afterAll(() => db.destroy());
  const query = () => db.executeQuery(CompiledQuery.raw('select 1'));
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  test('a connection that is cut in a transaction, idle or in use, fails only the work on it', async () => {
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

  test('a silent connection fails the statement in time, and idle connections beside it are not used again', async () => {
    await Promise.all([query(), query(), query()]);
    line.silence();
    const beganMs = performance.now();
    expect(isDatabaseUnavailable(await failure(query()))).toBe(true);
    line.mend();
    await Promise.all([query(), query(), query(), query()]);
    expect(performance.now() - beganMs).toBeLessThan(1500);
  });

  test('a transaction on a silent connection waits once, not again for its rollback', async () => {
    const beganMs = performance.now();
    const error = await failure(
      db.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx);
        line.silence();
        await sql`select 1`.execute(tx);
      }),
    );
    line.mend();
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(performance.now() - beganMs).toBeLessThan(1100);
    await query();
  });

  test('a server that accepts connections and never answers, or rejects them, is unavailable in time', async () => {
    line.cut();
    line.silence();
    expect(isDatabaseUnavailable(await failure(query()))).toBe(true);
    line.mend();
    line.cut(true);
    expect(isDatabaseUnavailable(await failure(query()))).toBe(true);
    line.mend();
    await query();
  });

  test('the server ends a statement, a wait for a lock and an idle transaction in time', async () => {
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(db);
    expect(rows.filter(({ setting }) => Number(setting) > 0)).toHaveLength(3);
  });

  test('silent connections are closed without waiting for a response', async () => {
    const other = new Kysely<object>({ dialect: new PostgresDialect({ pool: openPool(url, { max: 2 }) }) });
    await other.executeQuery(CompiledQuery.raw('select 1'));
    line.silence();
    await other.destroy();
    line.mend();
  });
});
