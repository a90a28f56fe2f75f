// Vitest and Playwright, which scripts start, inherit it.
if (process.argv.includes('--all')) process.env.TEST_ALL = '1';

/** True in `npm run test:all`, which leaves no test out. */
export const IS_WHOLE = process.env.TEST_ALL === '1';

/** Files of tests that only `npm run test:all` runs. */
export const EXHAUSTIVE = '**/*.exhaustive.test.ts';
