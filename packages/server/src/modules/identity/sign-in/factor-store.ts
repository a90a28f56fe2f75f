import { type Selectable, sql } from 'kysely';
import type { LoginStepTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Begun logins of a person at once; a further one ends the oldest. */
const STEPS_MAX = 5;

/** Whether a person of `users` has a second factor: an authenticator app, or a passkey. */
export const hasFactor = sql<boolean>`(users.totp_enrolled
  or exists (select from passkeys where passkeys.account_uuid = users.uuid))`;

/** Replaces the recovery codes of an account, a person's or an operator's. */
export async function setRecoveryCodes(
  db: Db,
  accountUuid: string,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('account_uuid', '=', accountUuid).execute();
  const rows = hashes.map((hash) => ({ account_uuid: accountUuid, code_hash: hash, created_at: now }));
  if (rows.length > 0) await db.insertInto('recovery_codes').values(rows).execute();
}

/** The hashes of the codes of an account that were not used. */
export async function recoveryCodesOf(db: Db, accountUuid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('account_uuid', '=', accountUuid)
    .execute();
  return rows.map(({ code_hash: hash }) => hash);
}

export async function deleteRecoveryCode(db: Db, accountUuid: string, hash: string): Promise<void> {
  await db
    .deleteFrom('recovery_codes')
    .where('account_uuid', '=', accountUuid)
    .where('code_hash', '=', hash)
    .execute();
}

export type LoginStepRow = Selectable<LoginStepTable>;

/** Inserts a begun login of a person. */
export async function insertLoginStep(db: Db, step: LoginStepRow): Promise<void> {
  await db
    .deleteFrom('login_steps')
    .where('user_uuid', '=', step.user_uuid)
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom('login_steps')
        .select('token_hash')
        .where('user_uuid', '=', step.user_uuid)
        .orderBy('created_at', 'desc')
        .offset(STEPS_MAX - 1),
    )
    .execute();
  await db.insertInto('login_steps').values(step).execute();
}

/** A begun login whose password was right. Not restricted to a company, since a login is known before a company. */
export async function findLoginStep(db: Db, tokenHash: string, now: Date): Promise<LoginStepRow | undefined> {
  return db
    .selectFrom('login_steps')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Ends a begun login; false if that was done before. */
export async function deleteLoginStep(db: Db, tokenHash: string): Promise<boolean> {
  const deleted = await db.deleteFrom('login_steps').where('token_hash', '=', tokenHash).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Deletes begun logins that have expired; returns the number of rows. */
export async function deleteExpiredLoginSteps(db: Db, now: Date): Promise<number> {
  const deleted = await db.deleteFrom('login_steps').where('expires_at', '<', now).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
