import {
  type Confirmation,
  type ConfirmedUntil,
  type RecoveryCodes,
  SESSIONS_MAX,
  type SecondFactors,
  type SignInSession,
} from '@bidwell/contract/accounts/sign-in';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import type { Context } from '../../../context.ts';
import { Invalid, NotFound, Forbidden, Unauthenticated } from '../../../platform/errors.ts';
import { type Client, namedIn } from '../../../platform/http/auth/client.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { transact, type Db, type Tx } from '../../../platform/postgres/transaction.ts';
import { countPasskeys } from '../passkeys/passkey-store.ts';
import { isPassword } from '../passwords/password.ts';
import { lockedAccounts } from '../second-factor.ts';
import { endViewerSessionsOf } from '../sessions/viewer-sessions.ts';
import { newRecoveryCodes, recoveryCodesLeft } from '../sign-in/recovery-codes.ts';
import { noteProof, provedUntil, type ProvedSession } from '../sign-in/confirmation.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import { checkOperatorCode, checkOperatorPasskey } from './login.ts';
import {
  deleteOtherOperatorSessions,
  deleteOwnOperatorSession,
  liveOperatorSessions,
  lockOperator,
  type OperatorRow,
  findOperator,
  startOfOperatorSession,
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

/** Ends all sessions of the operator except the calling one; resolves to their number. Throws as {@link endOperatorSession}. */
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
      throw new Invalid([{ field: 'password', message: accountMessages.currentPasswordWrong }]);
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
  const wrong = { code: accountApiMessages.wrongCode, passkey: accountApiMessages.passkeyRefused };
  const field = 'code' in proof ? 'code' : 'passkey';
  throw new Invalid([{ field, message: wrong[field] }]);
}

/** How the operator signs in, in addition to the password. Throws NotFound for the holder of OPERATOR_TOKEN. */
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

/** The account and the session of a call. */
export interface OwnSession extends ProvedSession {
  row: OperatorRow;
}

/** The session of the call. Throws NotFound for the holder of OPERATOR_TOKEN; Unauthenticated for an ended session. */
export async function ownSession(ctx: Context, operator: Operator): Promise<OwnSession> {
  requireOperatorPermission(operator, 'session.own');
  return sessionOf(ctx, ctx.db, operator, findOperator);
}

/**
 * The session of the call, whose operator's row is locked until the transaction ends. Throws Forbidden without a recent proof of who they
 * are; else as {@link ownSession}.
 */
export async function lockedSession(ctx: Context, tx: Tx, operator: Operator): Promise<OwnSession> {
  const own = await sessionOf(ctx, tx.db, operator, lockOperator);
  if ((await provedUntil(tx.db, own)) < ctx.now()) throw new Forbidden(accountMessages.confirmFirst);
  return own;
}

async function sessionOf(
  ctx: Context,
  db: Db,
  { uuid, sessionUuid }: Operator,
  read: (db: Db, uuid: string) => Promise<OperatorRow | undefined>,
): Promise<OwnSession> {
  if (uuid === null || sessionUuid === undefined) throw new NotFound('Account');
  const row = await read(db, uuid);
  const startedAt = await startOfOperatorSession(db, uuid, { uuid: sessionUuid, now: ctx.now() });
  if (!row || !startedAt) throw new Unauthenticated(operatorApiMessages.operatorLogInFirst);
  return { row, sessionId: sessionUuid, accountUuid: row.uuid, startedAt };
}
