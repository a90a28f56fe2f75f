import { expect, test } from 'vitest';
import { installEmptyEngines } from '@bidwell/testing/empty-engines';
import { isClean } from './scenario.ts';
import { doorsScenario } from './scenarios/doors.ts';

test('costs, copies, creatives and files are at their receivers once, after kills and an hour of 503 and 429', async ({
  skip,
  signal,
}) => {
  const result = await doorsScenario.run({
    rounds: 1,
    program: '',
    prepare: installEmptyEngines,
    signal,
    log: () => {},
  });
  if (typeof result === 'string') return skip(result);
  console.log(result.notes.join('\n'));
  expect([isClean(result), result]).toEqual([true, expect.objectContaining({ failures: [] })]);
  expect(result.acknowledged).toBeGreaterThan(500);
});
