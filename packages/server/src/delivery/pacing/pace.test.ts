import { expect, test } from 'vitest';
import { caseFiles } from '@bidwell/testing/case-files';
import { type PaceState, holdPace, steerPace } from './pace.ts';

/** One file of ./cases: the state before a step, the day's spend, the plan (`closed` out of the hours of the ad set), and the state after it; null for no step. */
interface Case {
  before: PaceState | null;
  dayMicros: number;
  plan: Parameters<typeof steerPace>[2] | 'closed';
  nowMs: number;
  expect: PaceState | null;
}

test.each(caseFiles<Case>(import.meta.url))('%s', (_name, one) => {
  const expected = Object.entries(one.expect ?? {}).map(([key, value]) => [key, expect.closeTo(value, 6)]);
  const { before, dayMicros, plan, nowMs } = one;
  const after =
    plan === 'closed' ? holdPace(before, dayMicros, nowMs) : steerPace(before, dayMicros, plan, nowMs);
  expect(after).toEqual(one.expect && Object.fromEntries(expected));
});
