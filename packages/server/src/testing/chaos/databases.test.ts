import { expect, test } from 'vitest';
import { builtProgram } from '../built-program.ts';
import { placeEmptyEngines } from '../empty-engines.ts';
import { clickhouseAwayScenario, postgresCutScenario } from './databases.ts';
import { isClean } from './scenario.ts';

const program = await builtProgram('serve');

test.each([
  ['PostgreSQL is cut, refused and silent', postgresCutScenario, 2],
  ['ClickHouse is away', clickhouseAwayScenario, 1],
] as const)(
  '%s: nothing is lost or doubled, and no process ends',
  { timeout: 240_000 },
  async (_name, { run }, rounds) => {
    const result = await run({ rounds, program, prepare: placeEmptyEngines, log: () => {} });
    if (typeof result === 'string') return;
    expect([isClean(result), result]).toEqual([true, expect.objectContaining({ failures: [] })]);
    expect(result.acknowledged).toBeGreaterThan(500);
  },
);
