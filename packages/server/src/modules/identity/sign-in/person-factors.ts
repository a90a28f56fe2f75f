import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { type UserRow, updateUser } from '../store.ts';
import { isAppCode, stepOfAppCode } from './totp.ts';
import { takeRecoveryCode } from './recovery-codes.ts';

/** The kind of second factor that was accepted; after a recovery code, the number of codes left. */
type PassedFactor = { kind: 'code' } | { kind: 'recovery'; left: number };

/**
 * Checks a code of the person's authenticator app, or a recovery code, which is used up by that; null for one that is wrong or not
 * accepted at present, as {@link stepOfAppCode} says. The caller has locked the person's row and does not roll back after null.
 * Throws Unavailable where this process lacks the key of the secret.
 */
export async function checkPersonCode(
  ctx: Context,
  db: Db,
  user: UserRow,
  code: string,
): Promise<PassedFactor | null> {
  if (!isAppCode(code)) {
    const left = await takeRecoveryCode(ctx, db, user.uuid, code);
    return left === null ? null : { kind: 'recovery', left };
  }
  // An unfinished setup of an app does not count for a person whose only factor is a passkey.
  return checkAppCode(ctx, db, user.totp_enrolled ? user : { ...user, totp_secret: null }, code);
}

/** As {@link checkPersonCode}, for a code of the authenticator app, which need not count yet. */
export async function checkAppCode(
  ctx: Context,
  db: Db,
  user: UserRow,
  code: string,
): Promise<PassedFactor | null> {
  const step = await stepOfAppCode(ctx, db, 'users', { account: user, code });
  if (step === null) return null;
  await updateUser(db, user.uuid, { totp_last_step: step });
  return { kind: 'code' };
}
