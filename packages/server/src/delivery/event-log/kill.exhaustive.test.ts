import { expect, test } from 'vitest';
import { builtProgram } from '@bidwell/testing/built-program';
import { installEmptyEngines } from '@bidwell/testing/empty-engines';
import { killScenario } from '../../../../../chaos/scenarios/kill.ts';
import { freePort, startServer } from '../../../../../chaos/server-process.ts';
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
