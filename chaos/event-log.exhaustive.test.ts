import { expect, test } from 'vitest';
import { builtProgram } from '@bidwell/testing/built-program';
import { installEmptyEngines } from '@bidwell/testing/empty-engines';
import { damagedLogScenario } from './scenarios/damaged-log.ts';
import { diskFullScenario } from './scenarios/disk-full.ts';
import { readOnlyScenario } from './scenarios/read-only.ts';
import { isClean } from './scenario.ts';
import { twoProcessesScenario } from './scenarios/two-processes.ts';

const program = await builtProgram('serve');

for (const [fault, scenario] of [
  ['the disk of the event log fills', diskFullScenario],
  ['the disk becomes read-only', readOnlyScenario],
  ['a byte of the event log is flipped between kill -9 and the next start', damagedLogScenario],
  ['a second process starts over the same folder', twoProcessesScenario],
] as const) {
  test(`${fault}: nothing is lost or duplicated, and no process ends`, async ({ skip, signal }) => {
    const result = await scenario.run({
      rounds: 1,
      program,
      prepare: installEmptyEngines,
      signal,
      log: () => {},
    });
    if (typeof result === 'string') return skip(result);
    expect([isClean(result), result]).toEqual([true, expect.objectContaining({ failures: [] })]);
    expect(result.acknowledged).toBeGreaterThan(100);
  });
}
