import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import {
  AD_SETS_PER_COMPANY,
  AD_SETS_PER_ITEM,
  RESERVED_NUMBERS,
  SOURCE_IDENTIFIER_DAYS,
} from '@bidwell/contract/skadnetwork/source-identifiers';
import { transact } from '../../platform/postgres/transaction.ts';
import {
  type NumberInUse,
  chooseNumber,
  allocateSourceIdentifier,
  ownersOfSourceIdentifier,
  storeLastBids,
} from './source-identifiers.ts';

const app = await testApp();
const DAY_MS = 86_400_000;
const { db } = app.ctx;
let lastItem = 500_000_000;
const newItem = () => (lastItem += 1);
const { companyId: COMPANY } = await app.freshCompany();

const allocate = (adsetId: string, itemId: number, at = new Date(), company = COMPANY) =>
  transact(db, (tx) => allocateSourceIdentifier(tx, company, adsetId, itemId, at));

test('ad sets of an app get different numbers without leading zeros, and keep them', async () => {
  const itemId = newItem();
  const adsets = Array.from({ length: 5 }, () => uuidv7());
  const numbers = await Promise.all(adsets.map((adset) => allocate(adset, itemId)));
  expect(new Set(numbers.map((number) => number! % 100)).size).toBe(5);
  for (const number of numbers) expect(String(number)).toMatch(/^[1-9]{2}[1-9]\d$/);
  expect(await Promise.all(adsets.map((adset) => allocate(adset, itemId)))).toEqual(numbers);
  expect(await allocate(adsets[0]!, newItem())).not.toBeNull();
});

test('when all numbers of an app are in use, one more ad set gets none until postbacks of another cannot arrive any more', async () => {
  const itemId = newItem();
  const at = new Date('2026-01-01T00:00:00Z');
  const first = uuidv7();
  const number = await allocate(first, itemId, at);
  for (let other = 1; other < AD_SETS_PER_COMPANY; other += 1)
    expect(await allocate(uuidv7(), itemId, at)).not.toBeNull();
  const { companyId: second } = await app.freshCompany();
  for (let other = 0; other < RESERVED_NUMBERS; other += 1)
    expect(await allocate(uuidv7(), itemId, at, second)).not.toBeNull();
  const next = uuidv7();
  expect(await allocate(next, itemId, at)).toBeNull();
  const later = (days: number) => new Date(at.getTime() + days * DAY_MS);
  const all = await db.selectFrom('source_identifiers').selectAll().where('item_id', '=', itemId).execute();
  await storeLastBids(db, [{ adsetId: first, itemId }], at);
  await storeLastBids(
    db,
    all.filter((row) => row.adset_uuid !== first).map((row) => ({ adsetId: row.adset_uuid, itemId })),
    later(30),
  );
  expect(await allocate(next, itemId, later(SOURCE_IDENTIFIER_DAYS))).toBeNull();
  const takenAt = later(SOURCE_IDENTIFIER_DAYS + 2);
  // The first company has more than ten, and the numbers that are left are kept for those with fewer.
  expect(await allocate(next, itemId, takenAt)).toBeNull();
  const { companyId: third } = await app.freshCompany();
  expect(await allocate(next, itemId, takenAt, third)).toBe(number);
  expect(await allocate(uuidv7(), itemId, takenAt, third)).toBeNull();

  const owners = await ownersOfSourceIdentifier(db, itemId, String(number! % 100));
  expect(owners.map(({ adsetId, from, until }) => [adsetId, from, until])).toEqual([
    [next, takenAt, null],
    [first, at, takenAt],
  ]);
});

test('one company cannot use up the numbers of an app', async () => {
  const itemId = newItem();
  const numbers = [];
  for (let count = 0; count < AD_SETS_PER_ITEM; count += 1) numbers.push(await allocate(uuidv7(), itemId));
  expect(numbers.filter((number) => number !== null)).toHaveLength(AD_SETS_PER_COMPANY);
  const { companyId: other } = await app.freshCompany();
  expect(await allocate(uuidv7(), itemId, new Date(), other)).not.toBeNull();
});

test('a number that was never bid with is free for others after a day', async () => {
  const itemId = newItem();
  const at = new Date('2026-01-01T00:00:00Z');
  const used = uuidv7();
  await allocate(used, itemId, at);
  await storeLastBids(db, [{ adsetId: used, itemId }], at);
  for (let other = 1; other < AD_SETS_PER_COMPANY; other += 1) await allocate(uuidv7(), itemId, at);
  const next = uuidv7();
  expect(await allocate(next, itemId, new Date(at.getTime() + DAY_MS / 2))).toBeNull();
  expect(await allocate(next, itemId, new Date(at.getTime() + 2 * DAY_MS))).not.toBeNull();
  const owners = await ownersOfSourceIdentifier(db, itemId, '10');
  expect(owners[0]).toMatchObject({ adsetId: used, until: null });
});

test('the owners of a number are found by its last two, three or four digits, for its app only', async () => {
  const itemId = newItem();
  const adset = uuidv7();
  await allocate(uuidv7(), itemId);
  const number = String(await allocate(adset, itemId));
  for (const digits of [number, number.slice(1), number.slice(2)]) {
    const owners = await ownersOfSourceIdentifier(db, itemId, digits);
    expect(owners.map(({ adsetId, companyId }) => [adsetId, companyId])).toEqual([[adset, COMPANY]]);
  }
  for (const digits of [`9${number.slice(1)}`, `9${number.slice(2)}`, '99', '9', '12345', 'ab', ''])
    expect(await ownersOfSourceIdentifier(db, itemId, digits)).toEqual([]);
  expect(await ownersOfSourceIdentifier(db, newItem(), number)).toEqual([]);
});

test('a number is never of two ad sets, nor given to another before the time of its postbacks is over', () => {
  const day = fc.integer({ min: 0, max: 60 });
  const step = fc.record({ days: day, kind: fc.constantFrom('allocate', 'bid', 'stop'), pick: fc.nat() });
  const companies = [uuidv7(), uuidv7()];
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      let nowMs = Date.UTC(2026, 0);
      let live: NumberInUse[] = [];
      const lastUse = new Map<number, number>();
      for (const { days, kind, pick } of steps) {
        nowMs += days * DAY_MS;
        const one = live[pick % Math.max(live.length, 1)];
        if (kind === 'bid' && one?.mayBid) {
          one.lastBidAt = new Date(nowMs);
          lastUse.set(one.number % 100, nowMs);
        } else if (kind === 'stop' && one) one.mayBid = false;
        else if (kind === 'allocate')
          for (let count = 0; count < 15; count += 1) {
            const companyId = companies[(pick + count) % 2]!;
            const chosen = chooseNumber(companyId, live, nowMs);
            if (!chosen) break;
            const usedMs = lastUse.get(chosen.number % 100) ?? -Infinity;
            expect(nowMs - usedMs).toBeGreaterThan(SOURCE_IDENTIFIER_DAYS * DAY_MS);
            live = live.filter((other) => other !== chosen.takenFrom);
            const at = new Date(nowMs);
            live.push({
              uuid: uuidv7(),
              companyId,
              number: chosen.number,
              allocatedAt: at,
              lastBidAt: null,
              mayBid: true,
            });
          }
        expect(new Set(live.map(({ number }) => number % 100)).size).toBe(live.length);
      }
    }),
  );
});
