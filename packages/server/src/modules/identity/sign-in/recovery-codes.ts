import { RECOVERY_CODES } from '@bidwell/contract/accounts/sign-in';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { readableSecret } from '../passwords/readable-secret.ts';
import { checkSecondFactor } from '../second-factor.ts';
import { hashToken } from '../sessions/access-tokens.ts';
import { deleteRecoveryCode, recoveryCodesOf, setRecoveryCodes } from './factor-store.ts';

/** Enough random bits that a fast hash protects them (ASVS 5.0, 6.5.2). */
const GROUPS = 5;

/** Makes the recovery codes of an account, 123 random bits each, in place of earlier ones; only their hashes are stored. */
export async function newRecoveryCodes(db: Db, accountUuid: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => readableSecret(GROUPS));
  await setRecoveryCodes(db, accountUuid, codes.map(recoveryCodeHash), now);
  return codes;
}

/**
 * Uses up a recovery code of an account; resolves to the number of those that are left. Null for one that is wrong or not accepted at
 * present, as {@link checkSecondFactor} says. The caller has locked the account's row and does not roll back after null.
 */
export async function takeRecoveryCode(
  ctx: Pick<Context, 'log' | 'now'>,
  db: Db,
  accountUuid: string,
  code: string,
): Promise<number | null> {
  const hashes = await recoveryCodesOf(db, accountUuid);
  const hash = recoveryCodeHash(code);
  const used = await checkSecondFactor(ctx, db, accountUuid, () => (hashes.includes(hash) ? hash : null));
  if (used === null) return null;
  await deleteRecoveryCode(db, accountUuid, used);
  return hashes.length - 1;
}

/** Recovery codes of an account that were not used. */
export async function recoveryCodesLeft(db: Db, accountUuid: string): Promise<number> {
  return (await recoveryCodesOf(db, accountUuid)).length;
}

/** Ends the recovery codes of an account that has no second factor any more. */
export async function endRecoveryCodes(db: Db, accountUuid: string, now: Date): Promise<void> {
  await setRecoveryCodes(db, accountUuid, [], now);
}

/** The hash of a recovery code as somebody typed it, with or without hyphens. */
function recoveryCodeHash(code: string): string {
  return hashToken(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}
