import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { withHyphens } from '../../model/device-id.ts';
import type { VerifiedPostback } from '../received-postback.ts';
import { sql } from 'kysely';

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

/** Characters that may be within an id, in a class of a regular expression. */
const ID_CHARS = '\\w.:@-';
/** Characters within an id that also separate it from a text next to it, as in `gaid:ID`. */
const SEPARATOR = /[.:@]/;
const BETWEEN_IDS = new RegExp(`[^${ID_CHARS}]+`);
/** Characters between two ids, as a class of a regular expression. */
export const NOT_BESIDE_ID = '[^\\w-]';

/** Shortest text that is compared with ids of devices. Shorter ones also occur as other values. */
const ID_CHARS_MIN = 8;

/**
 * The forms in which partners send the id of a device or a person, in lower case: the id itself, a UUID with and without its hyphens, and
 * their hashes in hexadecimal. The first one is the id.
 */
export function formsOfId(id: string): string[] {
  const plain = id.trim();
  const spellings = [plain, plain.replaceAll('-', ''), withHyphens(plain)].flatMap((text) => [
    text.toLowerCase(),
    text.toUpperCase(),
    text,
  ]);
  const hashes = ['md5', 'sha1', 'sha256'].flatMap((algorithm) =>
    spellings.map((spelling) => hash(algorithm, spelling)),
  );
  return [...new Set([...spellings.map((spelling) => spelling.toLowerCase()), ...hashes])].filter(
    (form) => form.length >= ID_CHARS_MIN,
  );
}

/** Parts of a text between two separators, of which each run is compared; a text of more parts is compared in whole and by part. */
const PARTS_MAX = 8;

/** Longest id, as erasures accept them. */
const ID_CHARS_MAX = 100;
/**
 * Texts of a postback that are compared: a usual postback has tens, and long ones must not delay other companies'
 * postbacks.
 */
const IDS_MAX = 1000;

/**
 * The texts in the values of a postback's parameters that may be such ids, in lower case: also within JSON, lists and percent-encoded
 * values; at most {@link IDS_MAX}. Names of parameters and texts without a digit are no ids.
 */
export function idsIn(parameters: Readonly<Record<string, string>>): Set<string> {
  const ids = new Set<string>();
  for (const value of Object.values(parameters))
    for (const text of value.includes('%') ? [value, decoded(value)] : [value])
      for (const part of text.toLowerCase().split(BETWEEN_IDS))
        for (const id of part.length < ID_CHARS_MIN ? [] : runsOf(part)) {
          if (id.length >= ID_CHARS_MIN && id.length <= ID_CHARS_MAX && /\d/.test(id)) ids.add(id);
          if (ids.size === IDS_MAX) return ids;
        }
  return ids;
}

/** A text and the parts between any two of its separators. */
function* runsOf(text: string): Iterable<string> {
  const starts = [0];
  for (let at = 0; at < text.length; at += 1) if (SEPARATOR.test(text[at]!)) starts.push(at + 1);
  if (starts.length > PARTS_MAX) {
    yield text;
    yield* text.split(SEPARATOR);
    return;
  }
  const ends = [...starts.slice(1).map((start) => start - 1), text.length];
  for (const start of starts) for (const end of ends) if (end > start) yield text.slice(start, end);
}

function decoded(value: string): string {
  return value.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

/** The key of the hashes in `erased_ids`; null where nothing was erased yet. */
async function readErasureKey(db: Db): Promise<Buffer | null> {
  const row = await db.selectFrom('erasure_keys').select('key').executeTakeFirst();
  return row?.key ?? null;
}

/** Stores a key unless there is one. */
async function insertErasureKey(db: Db, key: Buffer): Promise<void> {
  await db
    .insertInto('erasure_keys')
    .values({ key })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Stores hashes of ids whose data must not be stored any more, with their erasure. Hashes from earlier releases have no erasure, and
 * stay for good.
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

/**
 * One after another until the transaction ends: two erasures may share hashes, and each has to see the hashes that the other stored or
 * deleted.
 */
async function lockHashes(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('erased_ids', 0))`.execute(db);
}

/** Whether an erasure was revoked. It is not while the transaction of `db` lasts. */
async function isRevoked(db: Db, erasureId: string): Promise<boolean> {
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
  const hashes = rows.map((row) => row.hash);
  await sql`
    delete from erased_ids where hash = any(${hashes}::text[])
      and not exists (select from erasure_hashes other where other.hash = erased_ids.hash)`.execute(db);
  return hashes.length > 0;
}

/** Returns the stored ones among the hashes. */
async function findErasedIds(db: Db, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ hash: string }>`
    select hash from erased_ids where hash = any(${hashes}::text[])`.execute(db);
  return new Set(rows.map((row) => row.hash));
}
