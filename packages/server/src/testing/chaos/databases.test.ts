import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clickhouseAwayScenario, postgresCutScenario } from './databases.ts';
import { isClean } from './scenario.ts';

const program = fileURLToPath(new URL('../../serve.ts', import.meta.url));

test.each([
  ['PostgreSQL is cut, refused and silent', postgresCutScenario, 2],
  ['ClickHouse is away', clickhouseAwayScenario, 1],
] as const)(
  '%s: nothing is lost or doubled, and no process ends',
  { timeout: 240_000 },
  async (_name, { run }, rounds) => {
    const result = await run({ rounds, program, log: () => {} });
    if (typeof result === 'string') return;
    expect([isClean(result), result]).toEqual([true, expect.objectContaining({ failures: [] })]);
    expect(result.acknowledged).toBeGreaterThan(500);
  },
);
