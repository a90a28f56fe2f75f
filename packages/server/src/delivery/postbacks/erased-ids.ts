import { hash, randomBytes } from 'node:crypto';
import type { Db } from '../../platform/postgres/transaction.ts';
import { formsOfId, idsIn } from './device-ids.ts';
import { findErasedIds, insertErasedIds, insertErasureKey, readErasureKey } from './erased-id-store.ts';
import type { VerifiedPostback } from './received-postback.ts';

const KEY_BYTES = 32;

/** Stores that nothing may be stored of a device or person any more, by hashes. Resolves to the hash that stands for the id. */
export async function rememberErasedId(db: Db, id: string): Promise<string> {
  const hashes = await remember(db, formsOfId(id));
  return hashes[0]!;
}

/** The same, of the bids that led to a device's postbacks. */
export async function rememberErasedBids(db: Db, bidIds: readonly string[]): Promise<void> {
  if (bidIds.length > 0) await remember(db, bidIds);
}

/** Which postbacks name a device that was erased, or a bid of it. */
export async function readErased(
  db: Db,
  postbacks: readonly VerifiedPostback[],
): Promise<(postback: VerifiedPostback) => boolean> {
  const key = await readErasureKey(db);
  if (!key) return () => false;
  const hashesOf = new Map(
    postbacks.map((postback) => {
      const ids = idsIn(postback.parameters);
      if (postback.ref) ids.add(postback.ref.bidId);
      return [postback, [...ids].map((id) => hashOf(key, id))];
    }),
  );
  const erased = await findErasedIds(db, [...new Set([...hashesOf.values()].flat())]);
  return (postback) => hashesOf.get(postback)!.some((one) => erased.has(one));
}

async function remember(db: Db, ids: readonly string[]): Promise<string[]> {
  await insertErasureKey(db, randomBytes(KEY_BYTES));
  const key = await readErasureKey(db);
  if (!key) throw new Error('The key of the erased ids is missing.');
  const hashes = ids.map((id) => hashOf(key, id));
  await insertErasedIds(db, hashes);
  return hashes;
}

/** The key is of this installation, so that a hash cannot be looked up in a list of hashes of ids. */
function hashOf(key: Buffer, id: string): string {
  return hash('sha256', Buffer.concat([key, Buffer.from(id)]), 'hex');
}
