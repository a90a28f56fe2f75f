import { expect, test } from 'vitest';
import { Kysely, sql } from 'kysely';
import type { EmbeddedPostgres } from './pglite-dialect.ts';
import { pgliteDialect } from './pglite-dialect.ts';

/** Takes five milliseconds of the thread for a statement, like PGlite without a turn of the event loop. */
const busy = {
  waitReady: Promise.resolve(),
  async query() {
    const startedMs = performance.now();
    while (performance.now() - startedMs < 5);
    return { rows: [], fields: [], affectedRows: 0 };
  },
  async exec() {
    return [];
  },
  async close() {},
} as unknown as EmbeddedPostgres;

test('what waits in the event loop, such as bids, is served between the statements of a transaction', async () => {
  const db = new Kysely<object>({ dialect: pgliteDialect(busy) });
  let servedBefore = 0;
  let isDone = false;
  const served = new Promise<void>((resolve) => {
    const serve = () => {
      if (isDone) return resolve();
      servedBefore += 1;
      setImmediate(serve);
    };
    setImmediate(serve);
  });
  await db.transaction().execute(async (tx) => {
    for (let n = 0; n < 20; n += 1) await sql`select 1`.execute(tx);
  });
  isDone = true;
  await served;
  expect(servedBefore).toBeGreaterThan(15);
  await db.destroy();
});
