import type { Context } from '../../../context.ts';
import { Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { requireOwnLogin } from '../sso/own-login.ts';
import { type UserWithCompany, findUser, lockUser } from '../store.ts';
import { requireConfirmed } from './confirmation.ts';

/**
 * The actor who changes how they sign in, whose row is locked until the transaction ends. Throws Forbidden without a recent proof of
 * who they are, and in a session by single sign-on; Unauthenticated for an ended session.
 */
export async function lockedActor(ctx: Context, actor: Session, tx: Tx): Promise<UserWithCompany> {
  requirePermission(actor, 'sign_in.write');
  requireOwnLogin(actor);
  await lockUser(tx.db, actor.userId);
  const user = await findUser(tx.db, actor.companyId, actor.userId);
  if (!user) throw new Unauthenticated();
  await requireConfirmed(ctx, actor, tx.db);
  return user;
}
