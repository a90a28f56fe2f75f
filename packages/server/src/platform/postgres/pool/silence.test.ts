import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { isDatabaseUnavailable } from '../../database-unavailable.ts';
import { addressOf, emptyDatabase, throughRelay } from '@bidwell/testing/engines/postgres-server';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { openPool } from './pool.ts';
import { poolSettings } from './pool-settings.ts';

const database = await emptyDatabase(process.env['DATABASE_URL']);
afterAll(() => database?.remove());

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
