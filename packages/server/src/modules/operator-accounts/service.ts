import { apiMessages } from '@bidwell/contract/text/messages';
import type {
  NewOperator,
  OperatorAccount,
  OperatorChanges,
  OperatorLogin,
  OperatorLoginStep,
} from '@bidwell/contract/operator-accounts/schema';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../context.ts';
import { Conflict, NotFound, Unauthenticated } from '../../platform/errors.ts';
import type { Client } from '../../platform/http/auth/client.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { type Db, type Tx, transact } from '../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../changes/audit-log.ts';
import { changedFields } from '../changes/fields.ts';
import { NOBODY, lockedAccounts, resetSecondFactor } from '../accounts/second-factor.ts';
import { openedSecret, sealedSecret } from '../accounts/sign-in/app-code.ts';
import { endRecoveryCodes } from '../accounts/sign-in/recovery-codes.ts';
import { insertSessionDetails } from '../accounts/sign-in/session-details-store.ts';
import { noteSessionUse } from '../accounts/sign-in/session-use.ts';
import { assertNotGuessable } from '../accounts/passwords/password-rules.ts';
import { endViewerSessionsOf } from '../accounts/sessions/viewer-sessions.ts';
import { hashPassword, isPassword } from '../accounts/passwords/password-hash.ts';
import { hashToken, newSecretToken } from '../accounts/sessions/access-tokens.ts';
import {
  type OperatorRow,
  deleteOperatorSession,
  deleteSessionsOf,
  findOperator,
  findOperatorByLogin,
  findSessionOperator,
  insertOperator,
  insertOperatorSession,
  listOperatorRows,
  lockActiveAdmins,
  lockOperator,
  updateOperator,
} from './store.ts';
import { newTotpSecret, totpUri } from '../accounts/sign-in/totp.ts';
import { checkOperatorCode } from './codes.ts';

const SESSION_HOURS = 12;

/** A session as sent to the browser, in a cookie. */
export interface OperatorSession {
  token: string;
  maxAgeSeconds: number;
}

/** Result of one step of a login; `session` is null until the login is complete. */
export interface LoginResult {
  step: OperatorLoginStep;
  session: OperatorSession | null;
}

/**
 * Checks one step of a login from `address`. Without a code it says what comes next, and that is the code also for an unknown
 * login and a wrong password, so that nobody learns a password without a code; only an account without an authenticator app
 * is given a secret, which counts once a code of it was given. With a code, throws Unauthenticated with the same text for an
 * unknown login, a wrong password, and a code that is wrong or not accepted at present ({@link checkOperatorCode}).
 */
export async function logInOperator(
  ctx: Context,
  { login, password, code }: OperatorLogin,
  address: string,
  { client, signal }: { client?: Client; signal?: AbortSignal } = {},
): Promise<LoginResult> {
  const found = await findOperatorByLogin(ctx.db, login);
  // Takes long, so no row is locked meanwhile.
  const isRight = await isPassword(found?.password_hash, password, address, signal);
  const known = isRight && found?.active ? found : undefined;
  if (code === undefined) return { step: await firstStep(ctx, known), session: null };
  const result = await transact(ctx.db, async (tx) =>
    logInWithCode(ctx, tx, known, { code, ...(client && { client }) }),
  );
  if (!result) throw new Unauthenticated(apiMessages.wrongOperatorLogin);
  return result;
}

/** Requests a code, or hands over a secret to an account without one. */
async function firstStep(ctx: Context, known: OperatorRow | undefined): Promise<OperatorLoginStep> {
  if (!known || known.totp_enrolled) return { next: 'code' };
  const { settings } = await ctx.brand.current();
  return transact(ctx.db, async (tx) => {
    const row = await lockKnown(tx, known);
    if (!row || row.totp_enrolled) return { next: 'code' };
    const secret =
      row.totp_secret === null ? newTotpSecret() : openedSecret(ctx, 'operators', row, row.totp_secret);
    if (row.totp_secret === null)
      await updateOperator(tx.db, row.uuid, { totp_secret: sealedSecret(ctx, 'operators', row, secret) });
    return { next: 'enrol', secret, uri: totpUri(secret, row.login, settings.name) };
  });
}

/** Starts a session if the code is right; null for a wrong one, and without an account. */
async function logInWithCode(
  ctx: Context,
  tx: Tx,
  known: OperatorRow | undefined,
  { code, client }: { code: string; client?: Client },
): Promise<LoginResult | null> {
  const now = ctx.now();
  const row = await lockKnown(tx, known);
  const passed = await checkOperatorCode(ctx, tx, row, code);
  if (!row || !passed) return null;
  const updated = await updateOperator(tx.db, row.uuid, { totp_enrolled: true, last_login_at: now });
  return {
    step: { next: 'session', operator: presented(updated, { locked: false }) },
    session: await startOperatorSession(tx.db, row.uuid, now, client),
  };
}

/** Starts a session of an operator who has proved who they are, in the browser of `client`. */
export async function startOperatorSession(
  db: Db,
  operatorUuid: string,
  now: Date,
  client?: Client,
): Promise<OperatorSession> {
  const token = newSecretToken();
  const maxAgeSeconds = SESSION_HOURS * 3600;
  const uuid = uuidv7();
  if (client)
    await insertSessionDetails(db, {
      uuid,
      account_uuid: operatorUuid,
      user_agent: client.userAgent,
      address: client.address,
      started_at: now,
      last_used_at: now,
      confirmed_at: now,
    });
  await insertOperatorSession(db, {
    uuid,
    token_hash: hashToken(token),
    operator_uuid: operatorUuid,
    created_at: now,
    expires_at: new Date(now.getTime() + maxAgeSeconds * 1000),
  });
  return { token, maxAgeSeconds };
}

/** Locks the account whose password was right; undefined without one, or if it has changed meanwhile. */
async function lockKnown(tx: Tx, known: OperatorRow | undefined): Promise<OperatorRow | undefined> {
  // Also without an account, so that it takes as long.
  const row = await lockOperator(tx.db, known?.uuid ?? NOBODY);
  return row?.active && row.password_hash === known?.password_hash ? row : undefined;
}

/** The operator of a session's token; null if the session has ended. */
export async function operatorOfSession(ctx: Context, token: string): Promise<Operator | null> {
  const row = await findSessionOperator(ctx.db, hashToken(token), ctx.now());
  if (!row) return null;
  await noteSessionUse(ctx, row.session_uuid);
  return { uuid: row.uuid, login: row.login, role: row.role, sessionUuid: row.session_uuid };
}

/** Ends a session. Ignores an unknown token, and a call without one. */
export async function logOutOperator(
  ctx: Context,
  operator: Operator,
  { token }: { token: string | undefined },
): Promise<void> {
  requireOperatorPermission(operator, 'session.own');
  if (token !== undefined) await deleteOperatorSession(ctx.db, hashToken(token));
}

/** All operators, by login. */
export async function listOperators(ctx: Context, operator: Operator): Promise<OperatorAccount[]> {
  requireOperatorPermission(operator, 'operator.read');
  const rows = await listOperatorRows(ctx.db);
  const locked = await lockedAccounts(
    ctx.db,
    rows.map(({ uuid }) => uuid),
  );
  return rows.map((row) => presented(row, { locked: locked.has(row.uuid) }));
}

/** The caller's own account; null for the holder of OPERATOR_TOKEN. */
export async function readOwnAccount(ctx: Context, operator: Operator): Promise<OperatorAccount | null> {
  requireOperatorPermission(operator, 'session.own');
  const row = operator.uuid === null ? undefined : await findOperator(ctx.db, operator.uuid);
  return row ? presented(row, { locked: await isLocked(ctx.db, row.uuid) }) : null;
}

/** Adds an operator. Throws Conflict if the login is taken; Invalid for a password that is easy to guess. */
export async function addOperator(
  ctx: Context,
  operator: Operator,
  { password, ...person }: NewOperator,
): Promise<OperatorAccount> {
  requireOperatorPermission(operator, 'operator.write');
  assertNotGuessable(password, { login: person.login, email: '' });
  const passwordHash = await hashPassword(password, operator.login);
  return transact(ctx.db, async (tx) => {
    const row = await insertOperator(tx.db, {
      uuid: uuidv7(),
      ...person,
      password_hash: passwordHash,
      totp_secret: null,
      last_login_at: null,
      created_at: ctx.now(),
    });
    const message = apiMessages.loginTaken;
    if (!row) throw new Conflict(message, [{ field: 'login', message }]);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Added',
      entity: 'operator',
      entityId: row.uuid,
      name: row.login,
      after: loggedFields(row),
    });
    return presented(row, { locked: false });
  });
}

/**
 * Changes an operator's account. A new password, a reset authenticator and deactivation end the account's sessions; these
 * and a new role end its views of companies. Throws NotFound; Conflict for a change that would leave no active admin, and for
 * resetting one's own authenticator while its codes are locked.
 */
export async function changeOperator(
  ctx: Context,
  operator: Operator,
  { uuid, password, reset_authenticator: isReset, ...changes }: OperatorChanges & { uuid: string },
): Promise<OperatorAccount> {
  requireOperatorPermission(operator, 'operator.write');
  const passwordHash = password === undefined ? null : await hashPassword(password, operator.login);
  return transact(ctx.db, async (tx) => {
    const admins = await lockActiveAdmins(tx.db);
    const before = await lockOperator(tx.db, uuid);
    if (!before) throw new NotFound('Operator');
    if (password !== undefined) assertNotGuessable(password, { login: before.login, email: '' });
    const { name = before.name, role = before.role, active = before.active } = changes;
    const staysAdmin = role === 'admin' && active;
    if (admins.length === 1 && admins[0] === uuid && !staysAdmin) throw new Conflict(apiMessages.lastAdmin);
    const isOwnLocked = operator.uuid === uuid && (await isLocked(tx.db, uuid));
    if (isReset && isOwnLocked) throw new Conflict(apiMessages.ownCodesLocked);
    const row = await updateOperator(tx.db, uuid, {
      name,
      role,
      active,
      ...(passwordHash !== null && { password_hash: passwordHash }),
      ...(isReset && { totp_secret: null, totp_enrolled: false }),
    });
    if (isReset) {
      await endRecoveryCodes(tx.db, uuid, ctx.now());
      await resetSecondFactor(tx.db, uuid);
    }
    const isSame = changedFields(loggedFields(before), loggedFields(row)).length === 0;
    if (isSame && passwordHash === null && !isReset)
      return presented(row, { locked: await isLocked(tx.db, uuid) });
    const endsSessions = passwordHash !== null || isReset || !row.active;
    if (endsSessions) await deleteSessionsOf(tx.db, uuid);
    if (endsSessions || role !== before.role) await endViewerSessionsOf(ctx, tx, uuid);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'operator',
      entityId: uuid,
      name: row.login,
      before: loggedFields(before),
      after: {
        ...loggedFields(row),
        ...(passwordHash !== null && { password: 'changed' }),
        ...(isReset && { authenticator: 'reset' }),
      },
    });
    return presented(row, { locked: await isLocked(tx.db, uuid) });
  });
}

function loggedFields({ name, role, active }: OperatorRow): Record<string, unknown> {
  return { name, role, active };
}

async function isLocked(db: Db, uuid: string): Promise<boolean> {
  return (await lockedAccounts(db, [uuid])).has(uuid);
}

function presented(row: OperatorRow, { locked }: { locked: boolean }): OperatorAccount {
  const { uuid, login, name, role, active, totp_enrolled: enrolled } = row;
  return {
    uuid,
    login,
    name,
    role,
    active,
    enrolled,
    locked,
    last_login_at: row.last_login_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
