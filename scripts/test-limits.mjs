/**
 * Time limits of Vitest's tests. They are long, because they cost time only where a test fails, and because other programs
 * may take the processor for seconds. A test asserts no duration: how long work takes is measured in bench/.
 */
export const TEST_LIMITS = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 60_000 } },
};
