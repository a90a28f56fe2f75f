import { type ConfirmedUntil, SESSIONS_MAX, type SignInSession } from '@bidwell/contract/accounts/sign-in';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { namedIn } from '../../../platform/http/auth/client.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import {
  liveSessionsOf,
  revokeOtherSessions,
  revokeSession,
  revokeSessionsIn,
} from '../sessions/session-store.ts';
import { lockUser } from '../store.ts';
import { confirmedUntil, requireConfirmed } from './confirmation.ts';

/**
 * The sessions of the actor, in a session by single sign-on only the sessions of its company, the last used first, at most {@link SESSIONS_MAX}. The
 * functions below cover the same sessions.
 */
export async function listSessions(
  ctx: Context,
  actor: Session,
): Promise<ConfirmedUntil & { sessions: SignInSession[] }> {
  requirePermission(actor, 'sign_in.read');
  const { userId, companyId, bySso } = actor;
  // A company's provider does not vouch for the person elsewhere.
  const within = { companyId: bySso ? companyId : null, now: ctx.now(), limit: SESSIONS_MAX };
  const rows = await liveSessionsOf(ctx.db, userId, within);
  const until = await confirmedUntil(ctx, actor);
  return {
    confirmed_until: until.toISOString(),
    sessions: rows.map((row) => ({
      uuid: row.uuid,
      ...namedIn(row.userAgent ?? ''),
      address: row.address,
      company_name: row.companyName,
      started_at: row.startedAt.toISOString(),
      last_used_at: row.lastUsedAt.toISOString(),
      is_current: row.uuid === actor.sessionId,
    })),
  };
}

/**
 * Ends a session of the actor, in every process at once. Throws NotFound for one that is not theirs or has ended; Forbidden without
 * a recent proof of who they are.
 */
export async function endSession(ctx: Context, actor: Session, { uuid }: { uuid: string }): Promise<void> {
  requirePermission(actor, 'sign_in.write');
  const { userId, companyId } = actor;
  await transact(ctx.db, async (tx) => {
    // Against a session that is renewed meanwhile.
    await lockUser(tx.db, userId);
    await requireConfirmed(ctx, actor, tx.db);
    const now = ctx.now();
    const isEnded = actor.bySso
      ? (await revokeSessionsIn(tx.db, companyId, userId, { now, only: uuid })).length > 0
      : await revokeSession(tx.db, userId, uuid, now);
    if (!isEnded) throw new NotFound('Session');
    tx.afterCommit(() => ctx.onSessionsEnded([uuid]));
  });
}

/** Ends all sessions of the actor except the calling one; resolves to their number. Throws Forbidden as {@link endSession}. */
export async function endOtherSessions(ctx: Context, actor: Session): Promise<number> {
  requirePermission(actor, 'sign_in.write');
  const { userId, companyId, sessionId } = actor;
  return transact(ctx.db, async (tx) => {
    await lockUser(tx.db, userId);
    await requireConfirmed(ctx, actor, tx.db);
    const ended = actor.bySso
      ? await revokeSessionsIn(tx.db, companyId, userId, { now: ctx.now(), except: sessionId })
      : await revokeOtherSessions(tx.db, userId, sessionId, ctx.now());
    tx.afterCommit(() => ctx.onSessionsEnded(ended));
    return ended.length;
  });
}
