import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

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

/**
 * Stores hashes of ids of which nothing is to be stored any more, and by which erasure. Those that an earlier release stored have no
 * erasure, and stay for good.
 */
export async function insertErasedIds(db: Db, erasureId: string, hashes: readonly string[]): Promise<void> {
  await lockHashes(db);
  await sql`
    with added as (
      insert into erased_ids (hash) select unnest(${hashes}::text[]) on conflict do nothing returning hash
    )
    insert into erasure_hashes (erasure_uuid, hash)
    select ${erasureId}::uuid, hash from added
    union select ${erasureId}::uuid, hash from erasure_hashes where hash = any(${hashes}::text[])
    on conflict do nothing`.execute(db);
}

/** One after another until the transaction ends: two erasures may share hashes, and each has to see what the other stored or deleted. */
async function lockHashes(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('erased_ids', 0))`.execute(db);
}

/** Whether an erasure was revoked. It is not while the transaction of `db` lasts. */
export async function isRevoked(db: Db, erasureId: string): Promise<boolean> {
  const row = await db
    .selectFrom('device_erasures')
    .select('revoked_at')
    .where('uuid', '=', erasureId)
    .forShare()
    .executeTakeFirst();
  return !row || row.revoked_at !== null;
}

/** Deletes the hashes of an erasure, except those that another one needs too. Resolves to false where they are not known. */
export async function deleteErasedIds(db: Db, erasureId: string): Promise<boolean> {
  await lockHashes(db);
  const { rows } = await sql<{ hash: string }>`
    delete from erasure_hashes where erasure_uuid = ${erasureId}::uuid returning hash`.execute(db);
  const hashes = rows.map(({ hash }) => hash);
  await sql`
    delete from erased_ids where hash = any(${hashes}::text[])
      and not exists (select from erasure_hashes other where other.hash = erased_ids.hash)`.execute(db);
  return hashes.length > 0;
}

/** Those of some hashes that are stored. */
export async function findErasedIds(db: Db, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ hash: string }>`
    select hash from erased_ids where hash = any(${hashes}::text[])`.execute(db);
  return new Set(rows.map(({ hash }) => hash));
}
