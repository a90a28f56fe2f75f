import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import { EncryptionKeyMissing } from '../../../platform/encryption.ts';
import { Unavailable } from '../../../platform/errors.ts';
import type { UserTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { checkSecondFactor } from '../second-factor.ts';
import { type UserRow, updateUser } from '../store.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { acceptedStep } from './totp.ts';

/** What was given as a second factor, and the recovery codes that are left after it. */
type PassedFactor = { kind: 'code' } | { kind: 'recovery'; left: number };

const DIGITS = /^\d{6}$/;

const placeOf = ({ uuid }: Pick<Selectable<UserTable>, 'uuid'>) => ({
  table: 'users',
  column: 'totp_secret',
  row: uuid,
});

/** A secret of a person as it is stored. */
export function sealedSecret({ encryption }: Context, user: Pick<UserRow, 'uuid'>, secret: string): string {
  return encryption.encrypt(secret, placeOf(user));
}

/**
 * Checks a code of the person's authenticator app, or a recovery code, which is used up by that; null for one that is wrong or not
 * accepted at present, as {@link checkSecondFactor} says. The caller has locked the person's row and does not roll back after null.
 * Throws Unavailable where this process lacks the key of the secret.
 */
export async function checkPersonCode(
  ctx: Context,
  db: Db,
  user: UserRow,
  code: string,
): Promise<PassedFactor | null> {
  if (!DIGITS.test(code)) {
    const left = await takeRecoveryCode(ctx, db, user.uuid, code);
    return left === null ? null : { kind: 'recovery', left };
  }
  // A secret whose app was not set up to the end counts for nobody who has a passkey alone.
  return checkAppCode(ctx, db, user.totp_enrolled ? user : { ...user, totp_secret: null }, code);
}

/** As {@link checkPersonCode}, for a code of the authenticator app, which need not count yet. */
export async function checkAppCode(
  ctx: Context,
  db: Db,
  user: UserRow,
  code: string,
): Promise<PassedFactor | null> {
  const secret = user.totp_secret === null ? null : openedSecret(ctx, user, user.totp_secret);
  const step = await checkSecondFactor(ctx, db, user.uuid, () =>
    secret === null ? null : acceptedStep(secret, code, ctx.now().getTime(), user.totp_last_step),
  );
  if (step === null) return null;
  await updateUser(db, user.uuid, { totp_last_step: step });
  return { kind: 'code' };
}

function openedSecret({ encryption }: Context, user: UserRow, stored: string): string {
  try {
    return encryption.decrypt(stored, placeOf(user));
  } catch (error) {
    throw error instanceof EncryptionKeyMissing ? new Unavailable(error.message) : error;
  }
}
