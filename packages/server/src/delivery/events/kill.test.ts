import { expect, test } from 'vitest';
import { builtProgram } from '../../testing/built-program.ts';
import { installEmptyEngines } from '../../testing/empty-engines.ts';
import { killScenario } from '../../testing/chaos/kill.ts';
import type { ChaosResult } from '../../testing/chaos/scenario.ts';

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
  // Two rounds of 1,500 bids with three notices each, all of which are repeated until they are acknowledged.
  expect(result.acknowledged).toBe(9000);
});
