import type { OwnCompany } from '@bidwell/contract/accounts/people';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { NotFound, Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { type OpenedSession, openSession } from '../service.ts';
import { findLiveSession, revokeSession } from '../sessions/session-store.ts';
import { moveSessionDetails } from '../sign-in/session-details-store.ts';
import { lockUser } from '../store.ts';
import { companiesOfUser } from './membership-store.ts';

/** The companies of the actor, by name; to an operator who views one, that one. */
export async function listOwnCompanies(ctx: Context, actor: Session): Promise<OwnCompany[]> {
  requirePermission(actor, 'membership.read');
  const rows = await companiesOfUser(ctx.db, actor.userId);
  return rows
    .filter(({ uuid }) => actor.role === 'person' || uuid === actor.companyId)
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
 * they do not belong; Unauthenticated if the session has ended meanwhile.
 */
export async function switchCompany(
  ctx: Context,
  actor: Session,
  { companyId }: { companyId: string },
): Promise<OpenedSession> {
  requirePermission(actor, 'membership.write');
  const { userId, sessionId } = actor;
  return transact(ctx.db, async (tx) => {
    // Against a session that is renewed or a membership that ends meanwhile.
    await lockUser(tx.db, userId);
    const live = await findLiveSession(tx.db, actor);
    if (!live) throw new Unauthenticated();
    const companies = await companiesOfUser(tx.db, userId);
    if (!companies.some(({ uuid }) => uuid === companyId)) throw new NotFound('Company');
    await revokeSession(tx.db, userId, sessionId, ctx.now());
    tx.afterCommit(() => ctx.onSessionsEnded([sessionId]));
    const next = { userId, companyId, sessionId: uuidv7(), loggedInAt: live.loggedInAt };
    await moveSessionDetails(tx.db, sessionId, next.sessionId);
    return openSession(ctx, tx.db, next);
  });
}
