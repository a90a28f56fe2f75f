import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { formsOfId, idsIn } from './device-ids.ts';
import {
  findErasedIds,
  insertErasedIds,
  insertErasureKey,
  isRevoked,
  readErasureKey,
} from './erased-id-store.ts';
import type { VerifiedPostback } from '../received-postback.ts';

const KEY_BYTES = 32;

/** Hashes of an id in all of its forms; the first stands for the id. */
export async function hashesOfId(db: Db, id: string): Promise<readonly [string, ...string[]]> {
  return hashesOf(db, formsOfId(id)) as Promise<[string, ...string[]]>;
}

/** The same, of the bids that led to a device's postbacks. Resolves to false where the erasure was revoked meanwhile. */
export async function rememberErasedBids(
  db: Database,
  erasureId: string,
  bidIds: readonly string[],
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (await isRevoked(tx, erasureId)) return false;
    if (bidIds.length > 0) await insertErasedIds(tx, erasureId, await hashesOf(tx, bidIds));
    return true;
  });
}

/** Which postbacks name a device that was erased, or a bid of it. */
export async function readErased(
  db: Db,
  postbacks: readonly VerifiedPostback[],
): Promise<(postback: VerifiedPostback) => boolean> {
  const key = await readErasureKey(db);
  if (!key) return () => false;
  const ofPostback = new Map(
    postbacks.map((postback) => {
      const ids = idsIn(postback.parameters);
      if (postback.ref) ids.add(postback.ref.bidId);
      return [postback, [...ids].map((id) => hashOf(key, id))];
    }),
  );
  const erased = await findErasedIds(db, [...new Set([...ofPostback.values()].flat())]);
  return (postback) => ofPostback.get(postback)!.some((one) => erased.has(one));
}

async function hashesOf(db: Db, ids: readonly string[]): Promise<string[]> {
  await insertErasureKey(db, randomBytes(KEY_BYTES));
  const key = await readErasureKey(db);
  if (!key) throw new Error('The key of the erased ids is missing.');
  return ids.map((id) => hashOf(key, id));
}

/** The key is of this installation, so that a hash cannot be looked up in a list of hashes of ids. */
function hashOf(key: Buffer, id: string): string {
  return hash('sha256', Buffer.concat([key, Buffer.from(id)]), 'hex');
}
