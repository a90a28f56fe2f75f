import { expect, onTestFinished, test, vi } from 'vitest';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { holdQueue } from '@bidwell/testing/held-queue';
import { type ApiResponse, type TestCompany, testApp } from '@bidwell/testing/test-app';
import { exhaustive } from '@bidwell/testing/whole-run';
import { SAVE_LIMITS, saveInTurn, saveQueue } from './save-queue.ts';

const app = await testApp();
const BUNDLES = Array.from({ length: 9000 }, (_, index) => `com.example.game${index}`.padEnd(100, 'x'));

interface Owner {
  company: TestCompany;
  /** Path of an ad set. */
  path: string;
}

/** A company with an ad set. */
async function withAdset(): Promise<Owner> {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  return { company, path: `/adset/${await make(company, '/adset', body)}` };
}

/** Saves and copies an ad set with long lists twelve times at once. `finished` gets an entry for each response. */
function flood({ company, path }: Owner, finished: string[]) {
  return Array.from({ length: 12 }, async (_, index) => {
    const { status } =
      index % 3 === 0
        ? await company.call('POST', `${path}/duplicate`)
        : await company.call('PUT', path, { black_list_bundles: BUNDLES.slice(index) });
    finished.push('flood');
    return status;
  });
}

exhaustive.each([
  ['changes an ad set', ({ company, path }) => company.call('PUT', path, { bet_cpm: 3 })],
  ['lists its ad sets', ({ company }) => company.call('GET', '/adset')],
] as [string, (from: Owner) => Promise<ApiResponse>][])(
  'while a company saves long lists again and again, another %s',
  async (_what, call) => {
    const [greedy, modest] = [await withAdset(), await withAdset()];
    const finished: string[] = [];
    const saves = flood(greedy, finished);
    expect((await call(modest)).status).toBe(200);
    finished.push('modest');
    expect(new Set(await Promise.all(saves))).toEqual(new Set([200, 201]));
    expect(finished.indexOf('modest')).toBeLessThan(4);
  },
);

test('after slow changes of as many companies as may change at once, another one need not wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const changeOf = async (name: string) =>
    saveInTurn({ companyId: name }, async () => new Promise((done) => setTimeout(done, 200)));
  const slow = Array.from({ length: SAVE_LIMITS.running }, async (_, index) => changeOf(`slow ${index}`));
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(slow);
  const next = [changeOf('other'), changeOf('slow 0')];
  expect(saveQueue.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(400);
  await Promise.all(next);
});

test('a company may have a limited number of changes of ad sets waiting', async () => {
  const { company, path } = await withAdset();
  const free = await holdQueue(saveQueue, SAVE_LIMITS);
  const waiting = Array.from({ length: SAVE_LIMITS.waitingEach }, async () =>
    company.call('PUT', path, { bet_cpm: 3 }),
  );
  await eventually(() => expect(saveQueue.waiting).toBe(SAVE_LIMITS.waitingEach));
  const rejected = await company.call('POST', `${path}/duplicate`);
  expect([rejected.status, rejected.data]).toEqual([
    429,
    'Your company has too many changes of ad sets waiting. Please wait a moment.',
  ]);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  free();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
});
