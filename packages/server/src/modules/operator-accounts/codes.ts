import type { Context } from '../../context.ts';
import { EncryptionKeyMissing } from '../../platform/encryption.ts';
import { Unavailable } from '../../platform/errors.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import { NOBODY, checkSecondFactor } from '../accounts/second-factor.ts';
import { takeRecoveryCode } from '../accounts/sign-in/recovery-codes.ts';
import { acceptedStep } from '../accounts/sign-in/totp.ts';
import { recordAuditEntry } from '../changes/audit-log.ts';
import { type OperatorRow, updateOperator } from './store.ts';

const DIGITS = /^\d{6}$/;

const placeOf = ({ uuid }: Pick<OperatorRow, 'uuid'>) => ({
  table: 'operators',
  column: 'totp_secret',
  row: uuid,
});

/** A secret of an operator as it is stored. */
export function sealedSecret(
  { encryption }: Pick<Context, 'encryption'>,
  row: Pick<OperatorRow, 'uuid'>,
  secret: string,
): string {
  return encryption.encrypt(secret, placeOf(row));
}

/** A stored secret. Throws Unavailable where this process lacks the key, which another one had. */
export function secretOf(
  { encryption }: Pick<Context, 'encryption'>,
  row: OperatorRow,
  stored: string,
): string {
  try {
    return encryption.decrypt(stored, placeOf(row));
  } catch (error) {
    throw error instanceof EncryptionKeyMissing ? new Unavailable(error.message) : error;
  }
}

/**
 * Checks a code of the operator's authenticator app, or a recovery code, which is used up by that and written to the audit log; false
 * for one that is wrong or not accepted at present, as {@link checkSecondFactor} says, and without an account. The caller has locked
 * the row and does not roll back after false.
 */
export async function checkOperatorCode(
  ctx: Context,
  tx: Tx,
  row: OperatorRow | undefined,
  code: string,
): Promise<boolean> {
  return DIGITS.test(code) ? checkAppCode(ctx, tx, row, code) : checkRecoveryCode(ctx, tx, row, code);
}

async function checkAppCode(ctx: Context, tx: Tx, row: OperatorRow | undefined, code: string) {
  const step = await checkSecondFactor(ctx, tx.db, row?.uuid ?? NOBODY, () =>
    row?.totp_secret
      ? acceptedStep(secretOf(ctx, row, row.totp_secret), code, ctx.now().getTime(), row.totp_last_step)
      : null,
  );
  if (!row || step === null) return false;
  await updateOperator(tx.db, row.uuid, { totp_last_step: step });
  return true;
}

async function checkRecoveryCode(ctx: Context, tx: Tx, row: OperatorRow | undefined, code: string) {
  // Recovery codes stand in for an app that is set up, and there are none without it.
  const left = await takeRecoveryCode(ctx, tx.db, row?.totp_enrolled ? row.uuid : NOBODY, code);
  if (!row || left === null) return false;
  await recordAuditEntry(ctx, tx, row, {
    action: 'Used a recovery code of',
    entity: 'operator',
    entityId: row.uuid,
    name: row.login,
    after: { recovery_codes: left },
  });
  return true;
}
