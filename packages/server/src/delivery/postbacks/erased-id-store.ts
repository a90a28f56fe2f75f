import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** The key of the hashes in `erased_ids`; null where nothing was erased yet. */
export async function readErasureKey(db: Db): Promise<Buffer | null> {
  const row = await db.selectFrom('erasure_keys').select('key').executeTakeFirst();
  return row?.key ?? null;
}

/** Stores a key unless there is one. */
export async function insertErasureKey(db: Db, key: Buffer): Promise<void> {
  await db
    .insertInto('erasure_keys')
    .values({ key })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores hashes of ids of which nothing is to be stored any more. */
export async function insertErasedIds(db: Db, hashes: readonly string[]): Promise<void> {
  await sql`insert into erased_ids (hash) select unnest(${hashes}::text[]) on conflict do nothing`.execute(
    db,
  );
}

/** Those of some hashes that are stored. */
export async function findErasedIds(db: Db, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ hash: string }>`
    select hash from erased_ids where hash = any(${hashes}::text[])`.execute(db);
  return new Set(rows.map(({ hash }) => hash));
}
