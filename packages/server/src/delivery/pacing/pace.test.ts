import { expect, test } from 'vitest';
import { caseFiles } from '@bidwell/testing/case-files';
import { type PaceState, steerPace } from './pace.ts';

/** One file of ./cases: the state before a step, the day's spend, the plan, and the state after it; null for no step. */
interface Case {
  before: PaceState | null;
  dayMicros: number;
  plan: Parameters<typeof steerPace>[2];
  nowMs: number;
  expect: PaceState | null;
}

test.each(caseFiles<Case>(import.meta.url))('%s', (_name, one) => {
  const expected = Object.entries(one.expect ?? {}).map(([key, value]) => [key, expect.closeTo(value, 6)]);
  expect(steerPace(one.before, one.dayMicros, one.plan, one.nowMs)).toEqual(
    one.expect && Object.fromEntries(expected),
  );
});
