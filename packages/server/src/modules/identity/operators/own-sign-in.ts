import {
  type Confirmation,
  type ConfirmedUntil,
  type RecoveryCodes,
  SESSIONS_MAX,
  type SecondFactors,
  type SignInSession,
} from '@bidwell/contract/accounts/sign-in';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/auth/client.ts';
import { namedIn } from '../../../platform/http/auth/user-agent.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { countPasskeys } from '../passkeys/passkey-store.ts';
import { isPassword } from '../passwords/password-hash.ts';
import { lockedAccounts } from '../second-factor.ts';
import { endViewerSessionsOf } from '../sessions/viewer-sessions.ts';
import { newRecoveryCodes, recoveryCodesLeft } from '../sign-in/recovery-codes.ts';
import { noteProof, provedUntil } from '../sign-in/proof.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import { checkOperatorCode } from './codes.ts';
import { type OwnSession, lockedSession, ownSession } from './own-session.ts';
import { checkOperatorPasskey } from './passkey-check.ts';
import {
  deleteOtherOperatorSessions,
  deleteOwnOperatorSession,
  liveOperatorSessions,
  lockOperator,
} from './store.ts';

/** The operator's sessions, the last used first, at most {@link SESSIONS_MAX}. Throws NotFound for the holder of OPERATOR_TOKEN. */
export async function listOperatorSessions(
  ctx: Context,
  operator: Operator,
): Promise<ConfirmedUntil & { sessions: SignInSession[] }> {
  requireOperatorPermission(operator, 'session.own');
  const own = await ownSession(ctx, operator);
  const rows = await liveOperatorSessions(ctx.db, own.row.uuid, { now: ctx.now(), limit: SESSIONS_MAX });
  return {
    confirmed_until: (await provedUntil(ctx.db, own)).toISOString(),
    sessions: rows.map((session) => ({
      uuid: session.uuid,
      ...namedIn(session.user_agent ?? ''),
      address: session.address,
      company_name: null,
      started_at: session.created_at.toISOString(),
      last_used_at: (session.last_used_at ?? session.created_at).toISOString(),
      is_current: session.uuid === own.sessionId,
    })),
  };
}

/**
 * Ends a session of the operator, and the operator's views of companies. Throws NotFound for one that is not theirs or has ended, and for
 * the holder of OPERATOR_TOKEN; Forbidden without a recent proof of who they are.
 */
export async function endOperatorSession(
  ctx: Context,
  operator: Operator,
  { uuid }: { uuid: string },
): Promise<void> {
  requireOperatorPermission(operator, 'session.own');
  await transact(ctx.db, async (tx) => {
    const { row } = await lockedSession(ctx, tx, operator);
    if (!(await deleteOwnOperatorSession(tx.db, row.uuid, { uuid, now: ctx.now() })))
      throw new NotFound('Session');
    await endViewerSessionsOf(ctx, tx, row.uuid);
  });
}

/** Ends all sessions of the operator but that of the call; resolves to their number. Throws as {@link endOperatorSession}. */
export async function endOtherOperatorSessions(ctx: Context, operator: Operator): Promise<number> {
  requireOperatorPermission(operator, 'session.own');
  return transact(ctx.db, async (tx) => {
    const { row, sessionId } = await lockedSession(ctx, tx, operator);
    await endViewerSessionsOf(ctx, tx, row.uuid);
    return deleteOtherOperatorSessions(tx.db, row.uuid, { uuid: sessionId, now: ctx.now() });
  });
}

/**
 * Proves again who makes the calls of the session, by the operator's password, a code or a passkey. Throws Invalid for a wrong one; NotFound for the
 * holder of OPERATOR_TOKEN; RateLimited and Unavailable as {@link isPassword}.
 */
export async function confirmOperator(
  ctx: Context,
  operator: Operator,
  proof: Confirmation,
  { client, signal }: { client: Client; signal: AbortSignal },
): Promise<ConfirmedUntil> {
  requireOperatorPermission(operator, 'session.own');
  const own = await ownSession(ctx, operator);
  const { row } = own;
  if ('password' in proof) {
    if (!(await isPassword(row.password_hash, proof.password, row.uuid, signal)))
      throw new Invalid([{ field: 'password', message: messages.currentPasswordWrong }]);
  } else await proveByFactor(ctx, own, proof);
  const until = await noteProof(ctx.db, own, client, ctx.now());
  return { confirmed_until: until.toISOString() };
}

async function proveByFactor(
  ctx: Context,
  { row: { uuid }, sessionId }: OwnSession,
  proof: Exclude<Confirmation, { password: string }>,
): Promise<void> {
  const isRight = await transact(ctx.db, async (tx) => {
    const row = await lockOperator(tx.db, uuid);
    if ('code' in proof) return checkOperatorCode(ctx, tx, row, proof.code);
    const given = { purpose: 'confirm', secret: sessionId, credential: proof.passkey } as const;
    return checkOperatorPasskey(ctx, tx, row, given);
  });
  if (isRight) return;
  const wrong = { code: apiMessages.wrongCode, passkey: apiMessages.passkeyRefused };
  const field = 'code' in proof ? 'code' : 'passkey';
  throw new Invalid([{ field, message: wrong[field] }]);
}

/** How the operator signs in beside the password. Throws NotFound for the holder of OPERATOR_TOKEN. */
export async function readOperatorFactors(ctx: Context, operator: Operator): Promise<SecondFactors> {
  requireOperatorPermission(operator, 'session.own');
  const own = await ownSession(ctx, operator);
  const { uuid, totp_enrolled: enrolled } = own.row;
  return {
    confirmed_until: (await provedUntil(ctx.db, own)).toISOString(),
    has_authenticator: enrolled,
    passkeys: await countPasskeys(ctx.db, uuid),
    recovery_codes: await recoveryCodesLeft(ctx.db, uuid),
    is_locked: (await lockedAccounts(ctx.db, [uuid])).has(uuid),
  };
}

/**
 * Gives the operator new recovery codes in place of the present ones. Throws NotFound for the holder of OPERATOR_TOKEN; Forbidden as
 * {@link endOperatorSession}.
 */
export async function renewOperatorRecoveryCodes(ctx: Context, operator: Operator): Promise<RecoveryCodes> {
  requireOperatorPermission(operator, 'session.own');
  return transact(ctx.db, async (tx) => {
    const { row } = await lockedSession(ctx, tx, operator);
    const codes = await newRecoveryCodes(tx.db, row.uuid, ctx.now());
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Made recovery codes of',
      entity: 'operator',
      entityId: row.uuid,
      name: row.login,
      after: { recovery_codes: codes.length },
    });
    return { recovery_codes: codes };
  });
}
