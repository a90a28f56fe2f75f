import { expect, test } from 'vitest';
import { recordBackup } from '../../backup/stream-backup.ts';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { testApp } from '@bidwell/testing/test-app';
import { dailyLedgerCheck, lastLedgerCheck } from '../money/ledger-check.ts';
import { readSafety } from './health.ts';

const app = await testApp();
const { ctx, clock } = app;
const HOUR_MS = 3_600_000;
const pass = (hours: number) => (clock.now = new Date(clock.now.getTime() + hours * HOUR_MS));

test('the age of the last backup counts from the installation until there is one', async () => {
  pass(50);
  expect((await readSafety(ctx)).backupAgeSeconds).toBeGreaterThan(49 * 3600);
  await transact(ctx.db, async (tx) => recordBackup(ctx, tx, { by: TOKEN_HOLDER, missing: [] }));
  pass(3);
  expect((await readSafety(ctx)).backupAgeSeconds).toBe(3 * 3600);
});

test('the ledger is checked once a day, and its disagreements are counted', async () => {
  const check = dailyLedgerCheck(ctx);
  const { companyId } = await app.freshCompany();
  expect((await readSafety(ctx)).ledgerDisagreements).toBeNull();
  await check();
  expect((await readSafety(ctx)).ledgerDisagreements).toBe(0);
  await ctx.db
    .insertInto('ledger_transactions')
    .values({
      uuid: companyId,
      company_uuid: companyId,
      kind: 'credit',
      status: 'success',
      amount_micros: 5,
      description: 'without entries',
      created_at: clock.now,
      updated_at: clock.now,
    })
    .execute();
  pass(23);
  await check();
  expect((await readSafety(ctx)).ledgerDisagreements).toBe(0);
  pass(1);
  await check();
  expect((await readSafety(ctx)).ledgerDisagreements).toBeGreaterThan(0);
});

test('a check of the ledger that failed is tried again after a day, not at once', async () => {
  const clickhouse = { ...ctx.clickhouse };
  const check = dailyLedgerCheck({ ...ctx, clickhouse });
  const checkedAt = async () => (await lastLedgerCheck(ctx, TOKEN_HOLDER))?.checked_at;
  pass(24);
  const before = await checkedAt();
  clickhouse.query = async () => Promise.reject(new Error('The events are away'));
  await expect(check()).rejects.toThrow('The events are away');
  clickhouse.query = ctx.clickhouse.query;
  pass(23);
  await check();
  expect(await checkedAt()).toBe(before);
  pass(1);
  await check();
  expect(await checkedAt()).toBe(clock.now.toISOString());
});
