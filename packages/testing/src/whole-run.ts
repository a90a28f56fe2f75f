import { test } from 'vitest';

/** True in `npm run test:all`, which leaves nothing out. */
export const isWhole = process.env['TEST_ALL'] === '1';

/** A test that only `npm run test:all` runs. A file of such tests is named `*.exhaustive.test.ts` instead. */
export const exhaustive = test.runIf(isWhole);

/** The number of generated inputs that a property is tried with: a fifth of them outside `npm run test:all`. */
export const runs = (number: number): { numRuns: number } => ({
  numRuns: isWhole ? number : Math.ceil(number / 5),
});
