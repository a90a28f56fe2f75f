import { notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { deletePasskeysOf } from '../passkeys/passkey-store.ts';
import { resetSecondFactor } from '../second-factor.ts';
import { revokeSessionsOf } from '../sessions/session-store.ts';
import { findUser, lockUser, updateUser } from '../store.ts';
import { endRecoveryCodes } from './recovery-codes.ts';
import { notifyPerson } from './notify-person.ts';

/**
 * Removes the second factors of a person who lost them, with wrong codes and recovery codes, and ends all sessions of the person. The
 * caller's transaction writes the operator's audit entry. Resolves to the person's login. Throws NotFound.
 */
export async function removeSecondFactorOf(
  ctx: Context,
  tx: Tx,
  person: { companyId: string; userId: string },
): Promise<string> {
  const { companyId, userId } = person;
  await lockUser(tx.db, userId);
  const user = await findUser(tx.db, companyId, userId);
  if (!user) throw new NotFound('User');
  await updateUser(tx.db, userId, { totp_secret: null, totp_enrolled: false });
  await deletePasskeysOf(tx.db, userId);
  await endRecoveryCodes(tx.db, userId, ctx.now());
  await resetSecondFactor(tx.db, userId);
  const ended = await revokeSessionsOf(tx.db, userId, ctx.now());
  tx.afterCommit(() => ctx.onSessionsEnded(ended));
  await recordChange(
    ctx,
    tx,
    { companyId, userId: null },
    {
      entity: 'user',
      uuid: userId,
      name: user.login,
      action: 'update',
      before: {},
      after: { authenticator: 'reset by an operator' },
    },
  );
  await notifyPerson(ctx, tx, person, notificationMessages.authenticatorReset);
  return user.login;
}
