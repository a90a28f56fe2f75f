import type { PasskeyAssertion } from '@bidwell/contract/accounts/passkey';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { verifyAnswer } from '../passkeys/verify.ts';
import { NOBODY } from '../second-factor.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import type { OperatorRow } from './store.ts';

/** An answer of a passkey, what it is for, and the secret of the browser or the id of the session that got the options. */
interface GivenPasskey {
  purpose: 'log in' | 'second factor' | 'confirm';
  secret: string | undefined;
  credential: PasskeyAssertion;
}

/**
 * Checks the answer of a passkey of the operator; false for one that is not accepted, and without an account. One whose counter went back
 * is refused and written to the audit log, so the caller does not roll back after false. The caller has locked the row.
 */
export async function checkOperatorPasskey(
  ctx: Context,
  tx: Tx,
  row: OperatorRow | undefined,
  { purpose, secret, credential }: GivenPasskey,
): Promise<boolean> {
  if (secret === undefined) return false;
  // Also without an account, so that it takes as long.
  const use = { of: 'operator', purpose, holder: secret, accountUuid: row?.uuid ?? NOBODY } as const;
  const answer = await verifyAnswer(ctx, tx.db, use, credential);
  if (!row || !answer?.isCopied) return answer !== null;
  await recordAuditEntry(ctx, tx, row, {
    action: 'Was refused a copied passkey of',
    entity: 'operator',
    entityId: row.uuid,
    name: row.login,
    after: { passkey: answer.passkey.name },
  });
  return false;
}
