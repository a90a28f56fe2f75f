import { RECOVERY_CODES } from '@bidwell/contract/accounts/sign-in';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { readableSecret } from '../passwords/readable-secret.ts';
import { hashToken } from '../sessions/access-tokens.ts';
import { setRecoveryCodes } from './factor-store.ts';

/** Enough random bits that a fast hash protects them (ASVS 5.0, 6.5.2). */
const GROUPS = 5;

/** Makes the recovery codes of an account, 123 random bits each, in place of earlier ones; only their hashes are stored. */
export async function newRecoveryCodes(db: Db, accountUuid: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => readableSecret(GROUPS));
  await setRecoveryCodes(db, accountUuid, codes.map(recoveryCodeHash), now);
  return codes;
}

/** The hash of a recovery code as somebody typed it, with or without hyphens. */
export function recoveryCodeHash(code: string): string {
  return hashToken(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}
