import { expect, test, vi } from 'vitest';
import * as jobs from '../jobs/repeat.ts';
import { testApp } from '@bidwell/testing/test-app';

// No job runs in the background: the transaction that is held is the request's.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp();
const under = { 'idempotency-key': 'slow' };

/** Holds the next transaction before it begins, to make its request slow. */
function holdNextTransaction(): { reached: Promise<void>; release: () => void } {
  const { db } = app.ctx;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const reached = new Promise<void>((resolve) => {
    const spy = vi.spyOn(db, 'transaction').mockImplementationOnce(() => {
      spy.mockRestore();
      const begun = db.transaction();
      const execute = begun.execute.bind(begun);
      vi.spyOn(begun, 'execute').mockImplementation(async (work) => {
        resolve();
        await released;
        return execute(work);
      });
      return begun;
    });
  });
  return { reached, release };
}

test('a slow request and the one that took over its key create one entity', async () => {
  const company = await app.freshCompany();
  const { reached, release } = holdNextTransaction();
  const slow = company.call('POST', '/finance/top_up', { amount: 10 }, under);
  await reached;
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  const next = await company.call('POST', '/finance/top_up', { amount: 10 }, under);
  release();
  expect([(await slow).status, next.status]).toEqual([409, 201]);
  expect((await company.call('GET', '/finance/transactions')).data.total).toBe(1);
  const again = await company.call('POST', '/finance/top_up', { amount: 10 }, under);
  expect(again.data).toEqual(next.data);
});
