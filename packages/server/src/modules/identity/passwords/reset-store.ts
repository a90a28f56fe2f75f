import type { Db } from '../../../platform/postgres/transaction.ts';
import type { UserRow } from '../store.ts';

// None of these is restricted to a company: the login or the token determines the user.

/** Inserts a link of a user, unless the user has `max` links that are valid. False then. */
export async function insertReset(
  db: Db,
  reset: { token_hash: string; user_uuid: string; created_at: Date; expires_at: Date },
  max: number,
): Promise<boolean> {
  const { count } = await db
    .selectFrom('password_resets')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('user_uuid', '=', reset.user_uuid)
    .where('expires_at', '>', reset.created_at)
    .executeTakeFirstOrThrow();
  if (Number(count) >= max) return false;
  await db.insertInto('password_resets').values(reset).execute();
  return true;
}

/** The user of a link that is valid; undefined otherwise. */
export async function findReset(db: Db, tokenHash: string, now: Date): Promise<UserRow | undefined> {
  return db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.uuid', 'password_resets.user_uuid')
    .selectAll('users')
    .where('password_resets.token_hash', '=', tokenHash)
    .where('password_resets.expires_at', '>', now)
    .executeTakeFirst();
}

/** Deletes a link. False if it is gone: of two callers one succeeds. */
export async function spendReset(db: Db, tokenHash: string): Promise<boolean> {
  const spent = await db.deleteFrom('password_resets').where('token_hash', '=', tokenHash).executeTakeFirst();
  return spent.numDeletedRows === 1n;
}

/** Deletes all links of a user: their password or their e-mail address has changed. */
export async function deleteResetsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('password_resets').where('user_uuid', '=', userId).execute();
}
