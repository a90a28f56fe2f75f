import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { builtProgram } from '@bidwell/testing/built-program';
import { installEmptyEngines } from '@bidwell/testing/empty-engines';
import { openPostgres } from '../../platform/postgres/client.ts';
import { killScenario } from '../../../../../chaos/scenarios/kill.ts';
import { freePort, spawnServer, startServer } from '../../../../../chaos/server-process.ts';
import { withFolder } from '../../../../../chaos/temporary-folder.ts';
import type { ChaosResult } from '../../../../../chaos/scenario.ts';

const program = await builtProgram('serve');

test('after repeated kill -9 under traffic, acknowledged events are counted once', async ({ signal }) => {
  const result = (await killScenario.run({
    rounds: 2,
    program,
    prepare: installEmptyEngines,
    signal,
    log: () => {},
  })) as ChaosResult;
  expect(result).toMatchObject({ lost: 0, doubled: 0, failures: [] });
  // Two rounds of 1,500 bids with three notices each, and 270 events in the app: all are repeated until they are acknowledged.
  expect(result.acknowledged).toBe(9540);
});

test('a process that aborts, as without memory, ends at once', async ({ signal }) => {
  await withFolder(signal, async (dataDir, ending) => {
    await installEmptyEngines(dataDir);
    const server = await startServer(program, await freePort(), { DATA_DIR: dataDir }, ending);
    expect(await server.end('SIGABRT')).toBe('SIGABRT');
  });
});

test('a process whose start fails late ends, though parts of it run already', async ({ signal }) => {
  await withFolder(signal, async (dataDir, ending) => {
    await installEmptyEngines(dataDir);
    const db = await openPostgres({ dataDir });
    await sql`drop table adset_spend`.execute(db);
    await db.destroy();
    const server = spawnServer(program, await freePort(), { DATA_DIR: dataDir }, ending);
    await expect.poll(() => server.child.exitCode).toBe(1);
    expect(server.output()).toContain('Bidwell could not start: relation "adset_spend" does not exist.');
  });
});
