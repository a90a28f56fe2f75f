import { expect, test } from 'vitest';
import { builtProgram } from '@bidwell/testing/built-program';
import { installEmptyEngines } from '@bidwell/testing/empty-engines';
import { clickhouseOutageScenario, postgresCutScenario } from './databases.ts';
import { isClean } from './scenario.ts';

const program = await builtProgram('serve');

for (const [fault, scenario, rounds] of [
  ['PostgreSQL is cut, refused and silent', postgresCutScenario, 2],
  ['ClickHouse is unavailable', clickhouseOutageScenario, 1],
] as const) {
  test(`${fault}: nothing is lost or duplicated, and no process ends`, async ({ skip, signal }) => {
    const result = await scenario.run({
      rounds,
      program,
      prepare: installEmptyEngines,
      signal,
      log: () => {},
    });
    if (typeof result === 'string') return skip(result);
    expect([isClean(result), result]).toEqual([true, expect.objectContaining({ failures: [] })]);
    expect(result.acknowledged).toBeGreaterThan(500);
  });
}
