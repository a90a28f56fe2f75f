import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { OneTimePassword } from '@bidwell/contract/operator/schema';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { notify } from '../../messaging/public.ts';
import { hashPassword } from './password.ts';
import { readableSecret } from '../sign-in/recovery-codes.ts';
import { deleteResetsOf } from './password-reset.ts';
import { revokeSessionsOf } from '../sessions/session-store.ts';
import { findUser, lockUser, updateUser } from '../store.ts';

const HOURS = 24;
/** 99 bits. */
const GROUPS = 4;
/** A password that is hashed already, to be set by {@link setOneTimePassword}. */
export interface PreparedPassword {
  password: string;
  hash: string;
}

/** Makes a one-time password for an operator; hashing takes long, so it happens before the transaction. */
export async function prepareOneTimePassword(operator: string): Promise<PreparedPassword> {
  const password = readableSecret(GROUPS);
  return { password, hash: await hashPassword(password, operator) };
}

/**
 * Replaces a person's password by a one-time one, good for one login within a day, and ends all sessions of the person.
 * Notifies the company. The caller's transaction writes the operator's audit entry. Throws NotFound.
 */
export async function setOneTimePassword(
  ctx: Context,
  tx: Tx,
  person: { companyId: string; userId: string },
  { password, hash }: PreparedPassword,
): Promise<OneTimePassword> {
  const { companyId, userId } = person;
  // Against a session that is renewed meanwhile, as for ending sessions.
  await lockUser(tx.db, userId);
  const user = await findUser(tx.db, companyId, userId);
  if (!user) throw new NotFound('User');
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + HOURS * 3_600_000);
  await updateUser(tx.db, userId, {
    password_hash: hash,
    one_time_password_until: expiresAt,
    updated_at: now,
  });
  await deleteResetsOf(tx.db, userId);
  const ended = await revokeSessionsOf(tx.db, userId, now);
  tx.afterCommit(() => ctx.onSessionsEnded(ended));
  const author = { companyId, userId: null };
  await recordChange(ctx, tx, author, {
    entity: 'user',
    uuid: userId,
    name: user.login,
    before: {},
    after: { password: 'reset by an operator' },
  });
  await notify(ctx, tx, companyId, {
    kind: 'company',
    ...notificationMessages.passwordReset(user.login),
    entity: { type: 'company', uuid: companyId },
  });
  return { login: user.login, password, expires_at: expiresAt.toISOString() };
}
