import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { NOBODY } from '../second-factor.ts';
import { isAppCode, stepOfAppCode } from '../sign-in/app-code.ts';
import { takeRecoveryCode } from '../sign-in/recovery-codes.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import { type OperatorRow, updateOperator } from './store.ts';

/**
 * Checks a code of the operator's authenticator app, or a recovery code, which is used up by that and written to the audit log; false
 * for one that is wrong or not accepted at present, as {@link stepOfAppCode} says, and without an account. The caller has locked
 * the row and does not roll back after false. A right code of the app sets it up.
 */
export async function checkOperatorCode(
  ctx: Context,
  tx: Tx,
  row: OperatorRow | undefined,
  code: string,
): Promise<boolean> {
  return isAppCode(code) ? checkAppCode(ctx, tx, row, code) : checkRecoveryCode(ctx, tx, row, code);
}

async function checkAppCode(ctx: Context, tx: Tx, row: OperatorRow | undefined, code: string) {
  const step = await stepOfAppCode(ctx, tx.db, 'operators', { account: row, code });
  if (!row || step === null) return false;
  await updateOperator(tx.db, row.uuid, { totp_last_step: step, totp_enrolled: true });
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
