import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openPostgres } from '../platform/postgres/client.ts';
import { emptyPostgres } from '@bidwell/testing/empty-engines';
import {
  copyTables,
  dropCopies,
  readCopy,
  atOneMoment,
  readRows,
  stateTables,
  sumsOf,
  writeRows,
} from './state-store.ts';
import { cut } from './spool-state.ts';

const db = await openPostgres({ embedded: await emptyPostgres() });
afterAll(async () => db.destroy());

async function* each<Item>(items: Iterable<Item>) {
  yield* items;
}

test('a large table is read some rows at a time, and every row is the same after it was written', async () => {
  const count = 12_345;
  await sql`
    insert into adset_spend (adset_uuid, company_uuid, ever_micros, day, day_micros)
    select gen_random_uuid(), gen_random_uuid(), 9000000000000000 + n, '2026-11-22', n
    from generate_series(1, ${sql.lit(count)}) n`.execute(db);
  const text = '\u2028 "quoted" \\ \n é 𝄞';
  await sql`insert into adset_pace (adset_uuid, state) values (gen_random_uuid(), ${JSON.stringify({ text })})`.execute(
    db,
  );
  const before = await atOneMoment(db, async (tx) => {
    const lines: string[] = [];
    for (const table of ['adset_pace', 'adset_spend'])
      for await (const rows of readRows(tx, table)) {
        expect(rows.length).toBeLessThanOrEqual(1000);
        lines.push(...rows);
      }
    return { lines, sums: await sumsOf(tx, 'adset_spend') };
  });
  expect(before.sums).toMatchObject({ rows: count, sums: { day_micros: String((count * (count + 1)) / 2) } });
  await db.deleteFrom('adset_spend').execute();
  await db.deleteFrom('adset_pace').execute();
  const [pace, ...spend] = before.lines;
  expect(await writeRows(db, 'adset_spend', each(spend))).toBe(count);
  expect(await writeRows(db, 'adset_pace', each([pace!]))).toBe(1);
  expect(await sumsOf(db, 'adset_spend')).toEqual(before.sums);
  expect(await db.selectFrom('adset_pace').select('state').execute()).toEqual([{ state: { text } }]);
  // Triggers keep the sums by company, which are not part of a backup.
  const { rows } = await sql<{ sum: string }>`select sum(micros)::text as sum from company_spend`.execute(db);
  expect(rows[0]!.sum).toBe(before.sums.sums['ever_micros']);
});

test('a copy has the rows of one moment, and others use the connection while it is read', async () => {
  const count = 5000;
  const text = 'x'.repeat(3000);
  await sql`
    insert into adset_pace (adset_uuid, state)
    select gen_random_uuid(), json_build_object('n', n, 'text', ${text}::text) from generate_series(1, ${sql.lit(count)}) n`.execute(
    db,
  );
  const before = await atOneMoment(db, async (tx) => {
    const lines: string[] = [];
    for await (const rows of readRows(tx, 'adset_pace')) lines.push(...rows);
    return lines;
  });
  for (let turn = 0; turn < 2; turn += 1)
    await db.transaction().execute(async (tx) => copyTables(tx, ['adset_pace', 'companies']));
  const lines: string[] = [];
  for await (const rows of readCopy(db, 'adset_pace')) {
    // A transaction that were still open would keep this waiting for ever.
    await db.deleteFrom('adset_pace').execute();
    expect(rows.length).toBeLessThanOrEqual(1000);
    lines.push(...rows);
  }
  expect(lines.toSorted()).toEqual(before.toSorted());
  await dropCopies(db, ['adset_pace', 'companies']);
  await expect(readCopy(db, 'adset_pace').next()).rejects.toThrow('does not exist');
});

test('each table comes after those that it refers to, and tables about processes are left out', async () => {
  const tables = await stateTables(db);
  for (const [first, second] of [
    ['companies', 'users'],
    ['files', 'users'],
    ['campaigns', 'adsets'],
    ['ledger_transactions', 'ledger_entries'],
  ] as const)
    expect(tables.indexOf(first)).toBeLessThan(tables.indexOf(second));
  expect(tables).not.toContain('shared_secrets');
  expect(tables).not.toContain('company_spend');
  expect(tables).toContain('event_partitions');
});

test('a stream is cut into parts without loss', async () => {
  const parts: string[][] = [];
  for await (const part of cut(each(['aa', 'b', 'cccc', 'd', 'e']), ({ length }) => length, 3)) {
    const items: string[] = [];
    for await (const item of part) items.push(item);
    parts.push(items);
  }
  expect(parts).toEqual([['aa', 'b'], ['cccc'], ['d', 'e']]);
  for await (const _part of cut(each<string>([]), () => 1, 3)) expect.unreachable();
});
