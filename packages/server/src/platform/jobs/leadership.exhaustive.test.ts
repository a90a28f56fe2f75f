import { Kysely, PostgresDialect } from 'kysely';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { addressOf, emptyDatabase, throughRelay } from '@bidwell/testing/engines/postgres-server';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { openPostgres } from '../postgres/client.ts';
import { openPool } from '../postgres/pool/pool.ts';
import { poolSettings } from '../postgres/pool/pool-settings.ts';
import type { Schema } from '../postgres/schema.ts';
import { startLeadership } from './leadership.ts';
import { repeat } from './repeat.ts';
import { eventually } from '@bidwell/testing/eventually';

const database = await emptyDatabase(process.env['DATABASE_URL']);
afterAll(() => database?.remove());
const log = pino({ level: 'silent' });
/** Held long enough that a process which gets no processor for a while still leads. */
const times = { hold: 4000, renew: 50 };
/** Held so long that only a leader that releases it can be replaced within the test. */
const lasting = { ...times, hold: 3_600_000 };

describe.runIf(database)('work that only one process may run', async () => {
  if (!database) return;
  const direct = await openPostgres({ url: database.url });
  afterAll(() => direct.destroy());
  const line = await tcpRelay(() => addressOf(database));
  const url = throughRelay(database, line.port, { query_timeout: '10000', connect_timeout: '10' });
  const cuttable = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: openPool(url, poolSettings(new Set(), 2)) }),
  });
  afterAll(() => cuttable.destroy());

  /** A process that runs a job all the time while it leads; `others` may not run it meanwhile. */
  function startProcess(name: string, db: typeof direct, running: Set<string>, overlaps: string[]) {
    const leadership = startLeadership({ db, name: 'test', log, times: db === direct ? lasting : times });
    const state = { runs: 0 };
    const job = repeat(
      5,
      'job',
      log,
      leadership.onlyHere(async () => {
        if (running.size > 0) overlaps.push([...running, name].join());
        running.add(name);
        state.runs += 1;
        await new Promise((later) => setImmediate(later));
        running.delete(name);
      }),
    );
    const stop = async () => {
      await job.stop();
      await leadership.stop();
    };
    return { leadership, state, stop };
  }

  test('another process takes over once the leader is cut off, and at once when it stops; never both run', async () => {
    const running = new Set<string>();
    const overlaps: string[] = [];
    const first = startProcess('first', cuttable, running, overlaps);
    await eventually(() => expect(first.state.runs).toBeGreaterThan(0));
    const second = startProcess('second', direct, running, overlaps);
    const third = startProcess('third', direct, running, overlaps);
    const others = () => second.state.runs + third.state.runs;
    const before = first.state.runs;
    await eventually(() => expect(first.state.runs).toBeGreaterThan(before + 5));
    expect(others()).toBe(0);

    line.cut(true);
    await eventually(() => expect(others()).toBeGreaterThan(0));
    expect(first.leadership.isLeader()).toBe(false);
    line.mend();

    const [leader, next] = second.leadership.isLeader() ? [second, third] : [third, second];
    await leader.stop();
    await eventually(() => expect([first, next].some(({ leadership }) => leadership.isLeader())).toBe(true));
    await first.stop();
    await next.stop();
    expect(overlaps).toEqual([]);
  });
});
