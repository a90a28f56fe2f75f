import type { Context } from '../../../context.ts';
import { EncryptionKeyMissing } from '../../../platform/encryption.ts';
import { Unavailable } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { NOBODY, checkSecondFactor } from '../second-factor.ts';
import { acceptedStep } from './totp.ts';

/** The tables of accounts that have authenticator apps. */
type AccountTable = 'users' | 'operators';

/** An account with what is stored of its authenticator app. */
interface AppAccount {
  uuid: string;
  totp_secret: string | null;
  totp_last_step: number;
}

const DIGITS = /^\d{6}$/;

const placeOf = (table: AccountTable, row: string) => ({ table, column: 'totp_secret', row });

/** Whether this is a code of an authenticator app; other codes are recovery codes. */
export const isAppCode = (code: string): boolean => DIGITS.test(code);

/** The secret of an account's authenticator app as it is stored. */
export function sealedSecret(
  { encryption }: Pick<Context, 'encryption'>,
  table: AccountTable,
  { uuid }: Pick<AppAccount, 'uuid'>,
  secret: string,
): string {
  return encryption.encrypt(secret, placeOf(table, uuid));
}

/** A stored secret of an account. Throws Unavailable where this process lacks the key, which another one had. */
export function openedSecret(
  { encryption }: Pick<Context, 'encryption'>,
  table: AccountTable,
  { uuid }: Pick<AppAccount, 'uuid'>,
  stored: string,
): string {
  try {
    return encryption.decrypt(stored, placeOf(table, uuid));
  } catch (error) {
    throw error instanceof EncryptionKeyMissing ? new Unavailable(error.message) : error;
  }
}

/**
 * The step of a code of the account's authenticator app, which the caller stores as its last; null for a code that is wrong or not
 * accepted at present, as {@link checkSecondFactor} says, and without an account. The caller has locked the account's row and does not
 * roll back after null. Throws Unavailable as {@link openedSecret}.
 */
export async function stepOfAppCode(
  ctx: Pick<Context, 'encryption' | 'log' | 'now'>,
  db: Db,
  table: AccountTable,
  { account, code }: { account: AppAccount | undefined; code: string },
): Promise<number | null> {
  return checkSecondFactor(ctx, db, account?.uuid ?? NOBODY, () => {
    if (!account?.totp_secret) return null;
    const secret = openedSecret(ctx, table, account, account.totp_secret);
    return acceptedStep(secret, code, ctx.now().getTime(), account.totp_last_step);
  });
}
