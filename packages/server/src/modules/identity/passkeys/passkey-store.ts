import type { Selectable } from 'kysely';
import type { PasskeyTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

// People and operators share this table; the id identifies an account of either kind.

export type PasskeyRow = Selectable<PasskeyTable>;

/** The passkeys of an account, the oldest first. */
export async function passkeysOf(db: Db, accountUuid: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('account_uuid', '=', accountUuid)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
}

export async function countPasskeys(db: Db, accountUuid: string): Promise<number> {
  const row = await db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account_uuid', '=', accountUuid)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** The account of a passkey. Not restricted to one account, since the passkey determines the account. */
export async function accountOfPasskey(db: Db, credentialId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .select('account_uuid')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row?.account_uuid;
}

/** A passkey of an account by the authenticator's id of it. */
export async function findPasskey(
  db: Db,
  accountUuid: string,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('account_uuid', '=', accountUuid)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/** False if an account, this or another, has the passkey already. */
export async function insertPasskey(db: Db, passkey: PasskeyRow): Promise<boolean> {
  const inserted = await db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Notes a use of a passkey, after which a counter up to `signCount` is refused. */
export async function notePasskeyUse(
  db: Db,
  uuid: string,
  { signCount, now }: { signCount: number; now: Date },
): Promise<void> {
  await db
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_at: now })
    .where('uuid', '=', uuid)
    .execute();
}

export async function updatePasskeyName(
  db: Db,
  accountUuid: string,
  { uuid, name }: { uuid: string; name: string },
): Promise<PasskeyRow | undefined> {
  return db
    .updateTable('passkeys')
    .set({ name })
    .where('account_uuid', '=', accountUuid)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst();
}

export async function deletePasskey(
  db: Db,
  accountUuid: string,
  uuid: string,
): Promise<PasskeyRow | undefined> {
  return db
    .deleteFrom('passkeys')
    .where('account_uuid', '=', accountUuid)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes the passkeys of an account; resolves to their names. */
export async function deletePasskeysOf(db: Db, accountUuid: string): Promise<string[]> {
  const deleted = await db
    .deleteFrom('passkeys')
    .where('account_uuid', '=', accountUuid)
    .returning('name')
    .execute();
  return deleted.map(({ name }) => name);
}

/** Notes that a challenge was answered; false if it was before. */
export async function insertAnsweredChallenge(
  db: Db,
  challenge: { challenge_hash: string; expires_at: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('answered_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Deletes answered challenges that have expired; returns the number of rows. */
export async function deleteExpiredChallenges(db: Db, now: Date): Promise<number> {
  const deleted = await db.deleteFrom('answered_challenges').where('expires_at', '<', now).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
