import type { PasskeyAssertion } from '@bidwell/contract/accounts/passkey';
import {
  type CodeInput,
  type Confirmation,
  type ConfirmedUntil,
  CONFIRMED_MINUTES,
} from '@bidwell/contract/accounts/sign-in';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import { Forbidden, Invalid, Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import type { Client } from '../../../platform/http/auth/client.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, transact, type Tx } from '../../../platform/postgres/transaction.ts';
import { isPassword } from '../passwords/password.ts';
import { verifyAnswer } from '../passkeys/verify.ts';
import { findLiveSession } from '../sessions/session-store.ts';
import { findUser, lockUser, type UserWithCompany } from '../store.ts';
import { checkPersonCode } from './person-factors.ts';
import { notifyPerson } from './notify-person.ts';
import { findSessionDetails, setConfirmed } from './session-details.ts';
import { requireOwnLogin } from '../sso/settings.ts';

/**
 * Proves again who makes the calls of the session, by their password, a code or a passkey. Throws Invalid for a wrong one; RateLimited and Unavailable
 * as {@link isPassword}.
 */
export async function confirm(
  ctx: Context,
  actor: Session,
  proof: Confirmation,
  client: Client,
  signal?: AbortSignal,
): Promise<ConfirmedUntil> {
  requirePermission(actor, 'sign_in.write');
  const user = await findUser(ctx.db, actor.companyId, actor.userId);
  const live = await findLiveSession(ctx.db, actor);
  if (!user || !live) throw new Unauthenticated();
  if ('password' in proof) {
    if (!(await isPassword(user.password_hash, proof.password, actor.userId, signal)))
      throw new Invalid([{ field: 'password', message: accountMessages.currentPasswordWrong }]);
  } else if ('code' in proof) await proveByCode(ctx, actor, proof);
  else await proveByPasskey(ctx, actor, proof.passkey);
  const session = { sessionId: actor.sessionId, accountUuid: actor.userId, startedAt: live.loggedInAt };
  const until = await noteProof(ctx.db, session, client, ctx.now());
  return { confirmed_until: until.toISOString() };
}

async function proveByCode(ctx: Context, actor: Session, { code }: CodeInput): Promise<void> {
  const { userId, companyId } = actor;
  requirePermission(actor, 'sign_in.write');
  const passed = await transact(ctx.db, async (tx) => {
    await lockUser(tx.db, userId);
    const user = await findUser(tx.db, companyId, userId);
    const factor = user?.has_factor ? await checkPersonCode(ctx, tx.db, user, code) : null;
    if (factor?.kind === 'recovery')
      await notifyPerson(ctx, tx, { userId, companyId }, (name) =>
        notificationMessages.recoveryCodeUsed(name, factor.left),
      );
    return factor;
  });
  if (!passed) throw new Invalid([{ field: 'code', message: accountApiMessages.wrongCode }]);
}

async function proveByPasskey(ctx: Context, actor: Session, assertion: PasskeyAssertion): Promise<void> {
  const { userId, companyId, sessionId } = actor;
  requirePermission(actor, 'sign_in.write');
  const answer = await transact(ctx.db, async (tx) => {
    await lockUser(tx.db, userId);
    const use = { of: 'person', purpose: 'confirm', holder: sessionId, accountUuid: userId } as const;
    const given = await verifyAnswer(ctx, tx.db, use, assertion);
    if (given?.isCopied)
      await notifyPerson(ctx, tx, { userId, companyId }, (name) =>
        notificationMessages.passkeyCopied(name, given.passkey.name),
      );
    return given;
  });
  if (!answer || answer.isCopied)
    throw new Invalid([{ field: 'passkey', message: accountApiMessages.passkeyRefused }]);
}

/** Until when the actor may change how they sign in; the login counts as a proof. Throws Unauthenticated for an ended session. */
export async function confirmedUntil(ctx: Context, actor: Session, db: Db = ctx.db): Promise<Date> {
  requirePermission(actor, 'sign_in.read');
  const live = await findLiveSession(db, actor);
  if (!live) throw new Unauthenticated();
  return provedUntil(db, { sessionId: actor.sessionId, startedAt: live.loggedInAt });
}

/** Throws Forbidden unless the actor proved within the last minutes who they are. */
export async function requireConfirmed(ctx: Context, actor: Session, db: Db): Promise<void> {
  requirePermission(actor, 'sign_in.write');
  if ((await confirmedUntil(ctx, actor, db)) < ctx.now()) throw new Forbidden(accountMessages.confirmFirst);
}

/** A session of an account, a person's or an operator's; its login counts as a proof of who makes its calls. */
export interface ProvedSession {
  sessionId: string;
  accountUuid: string;
  startedAt: Date;
}

/** Until when the last proof of a session counts; may be past. */
export async function provedUntil(
  db: Db,
  { sessionId, startedAt }: Pick<ProvedSession, 'sessionId' | 'startedAt'>,
): Promise<Date> {
  const details = await findSessionDetails(db, sessionId);
  return untilOf(details?.confirmed_at ?? startedAt);
}

/** Notes a proof of a session that was given now; resolves to when it ends to count. */
export async function noteProof(
  db: Db,
  { sessionId, accountUuid, startedAt }: ProvedSession,
  { userAgent, address }: Client,
  now: Date,
): Promise<Date> {
  await setConfirmed(db, {
    uuid: sessionId,
    account_uuid: accountUuid,
    user_agent: userAgent,
    address,
    started_at: startedAt,
    last_used_at: now,
    confirmed_at: now,
  });
  return untilOf(now);
}

const untilOf = (provedAt: Date) => new Date(provedAt.getTime() + CONFIRMED_MINUTES * 60_000);

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
