import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import { type Tx, transact } from './transaction.ts';

const { ctx } = await testApp();
const { db } = ctx;

const insert = (tx: Tx, slug: string) =>
  tx.db
    .insertInto('ssps')
    .values({ slug, name: slug, charge_on: 'win', active: true, created_at: new Date() })
    .execute();
const exists = async (slug: string) =>
  (await db.selectFrom('ssps').select('slug').where('slug', '=', slug).execute()).length === 1;

test('a successful transaction is committed, and its callbacks run afterwards', async () => {
  const slug = uuidv7();
  const order: string[] = [];
  const result = await transact(db, async (tx) => {
    tx.afterCommit(() => order.push('after'));
    await insert(tx, slug);
    order.push('work');
    return 'result';
  });
  expect([result, ...order]).toEqual(['result', 'work', 'after']);
  expect(await exists(slug)).toBe(true);
});

test('an exception rolls everything back, and the callbacks never run', async () => {
  const slug = uuidv7();
  const order: string[] = [];
  const undone = transact(db, async (tx) => {
    tx.afterCommit(() => order.push('after'));
    await insert(tx, slug);
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  expect(order).toEqual([]);
  expect(await exists(slug)).toBe(false);
});

test('a failing statement leaves the connection usable', async () => {
  const slug = uuidv7();
  const twice = transact(db, async (tx) => {
    await insert(tx, slug);
    await insert(tx, slug);
  });
  await expect(twice).rejects.toThrow();
  expect(await exists(slug)).toBe(false);
  await transact(db, async (tx) => insert(tx, slug));
  expect(await exists(slug)).toBe(true);
});

test('concurrent transactions are isolated: each is complete or missing', async () => {
  const slugs = Array.from({ length: 20 }, () => uuidv7());
  const outcomes = await Promise.allSettled(
    slugs.map(async (slug, index) =>
      transact(db, async (tx) => {
        await insert(tx, slug);
        if (index % 3 === 0) throw new Error('no');
        await insert(tx, `${slug.slice(0, 20)}x${index}`);
      }),
    ),
  );
  for (const [index, slug] of slugs.entries()) {
    const whole = index % 3 !== 0;
    expect(outcomes[index]?.status).toBe(whole ? 'fulfilled' : 'rejected');
    expect(await exists(slug)).toBe(whole);
  }
});
