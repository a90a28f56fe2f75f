import { RECOVERY_CODES } from '@bidwell/contract/accounts/sign-in';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { checkSecondFactor } from '../second-factor.ts';
import { hashToken } from '../sessions/access-tokens.ts';
import { deleteRecoveryCode, recoveryCodesOf, setRecoveryCodes } from './factor-store.ts';
import { randomInt } from 'node:crypto';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { Conflict } from '../../../platform/errors.ts';
import { needsFactor } from '../people/membership-store.ts';
import { findUserOfAnyCompany } from '../store.ts';

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

/** The hash of a recovery code as a person typed it, with or without hyphens. */
function recoveryCodeHash(code: string): string {
  return hashToken(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

/** Without characters that people confuse when they read a secret aloud or type it. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 5;

/** A random secret that a person can read aloud, in groups of five characters with 24.7 bits each. */
export function readableSecret(groups: number): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/**
 * Deletes the recovery codes of a person who removed the last second factor. Throws Conflict where a company of theirs requires one, so
 * that the caller's transaction does not remove it.
 */
export async function afterRemovedFactor(ctx: Context, db: Db, userId: string): Promise<void> {
  const user = await findUserOfAnyCompany(db, userId);
  if (user?.has_factor) return;
  if (await needsFactor(db, userId)) throw new Conflict(accountApiMessages.factorRequired);
  await endRecoveryCodes(db, userId, ctx.now());
}
