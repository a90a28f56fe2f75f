import type { OwnCompany } from '@bidwell/contract/accounts/people';
import { messages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Forbidden, NotFound, Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { type OpenedSession, openSession } from '../service.ts';
import { findLiveSession, revokeSession } from '../sessions/session-store.ts';
import { moveSessionDetails } from '../sign-in/session-details-store.ts';
import { companiesRequiringSso } from '../sso/provider-store.ts';
import { requireOwnLogin } from '../sso/own-login.ts';
import { lockUser } from '../store.ts';
import { companiesOfUser } from './membership-store.ts';

/** The companies of the actor, by name; to an operator who views one, and in a session by single sign-on, that one. */
export async function listOwnCompanies(ctx: Context, actor: Session): Promise<OwnCompany[]> {
  requirePermission(actor, 'membership.read');
  const rows = await companiesOfUser(ctx.db, actor.userId);
  return rows
    .filter(({ uuid }) => (actor.role === 'person' && !actor.bySso) || uuid === actor.companyId)
    .map(({ uuid, name, role, suspended_at }) => ({
      uuid,
      name,
      role,
      is_current: uuid === actor.companyId,
      is_suspended: suspended_at !== null,
    }));
}

/**
 * Ends the actor's session and starts one of the same login for another of their companies. Throws NotFound for a company to which
 * they do not belong; Forbidden in a session by single sign-on, and for a company that requires it; Unauthenticated if the session has
 * ended meanwhile.
 */
export async function switchCompany(
  ctx: Context,
  actor: Session,
  { companyId }: { companyId: string },
): Promise<OpenedSession> {
  requirePermission(actor, 'membership.write');
  requireOwnLogin(actor);
  const { userId, sessionId } = actor;
  return transact(ctx.db, async (tx) => {
    // Against a session that is renewed or a membership that ends meanwhile.
    await lockUser(tx.db, userId);
    const live = await findLiveSession(tx.db, actor);
    if (!live) throw new Unauthenticated();
    const companies = await companiesOfUser(tx.db, userId);
    if (!companies.some(({ uuid }) => uuid === companyId)) throw new NotFound('Company');
    if ((await companiesRequiringSso(tx.db, userId)).includes(companyId))
      throw new Forbidden(messages.ssoRequired);
    await revokeSession(tx.db, userId, sessionId, ctx.now());
    tx.afterCommit(() => ctx.onSessionsEnded([sessionId]));
    const { loggedInAt } = live;
    const next = { userId, companyId, sessionId: uuidv7(), loggedInAt, bySso: false };
    await moveSessionDetails(tx.db, sessionId, next.sessionId);
    return openSession(ctx, tx.db, next);
  });
}
