import { expect, test } from 'vitest';
import { invariant, invariantViolations } from './invariant.ts';

test('a violated invariant throws with its facts, and is counted', () => {
  const before = invariantViolations();
  invariant(true, 'a held condition', () => expect.unreachable());
  expect(invariantViolations()).toBe(before);
  expect(() => invariant(false, 'one is not more than two', () => ({ one: 1 }))).toThrow(
    expect.objectContaining({
      name: 'InvariantViolated',
      message: 'one is not more than two',
      facts: { one: 1 },
    }),
  );
  expect(invariantViolations()).toBe(before + 1);
});
