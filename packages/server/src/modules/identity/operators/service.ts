import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import { operatorMessages } from '@bidwell/contract/operator/messages';
import type {
  NewOperator,
  OperatorAccount,
  OperatorChanges,
} from '@bidwell/contract/operator-accounts/schema';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { changedFields, recordAuditEntry } from '../../changes/public.ts';
import { lockedAccounts, resetSecondFactor } from '../second-factor.ts';
import { endRecoveryCodes } from '../sign-in/recovery-codes.ts';
import { noteSessionUse } from '../sign-in/session-details.ts';
import { assertNotGuessable, hashPassword } from '../passwords/password.ts';
import { endViewerSessionsOf } from '../sessions/viewer-sessions.ts';
import { hashToken } from '../sessions/access-tokens.ts';
import {
  type OperatorRow,
  deleteOperatorSession,
  deleteSessionsOf,
  findOperator,
  findSessionOperator,
  insertOperator,
  listOperatorRows,
  lockActiveAdmins,
  lockOperator,
  updateOperator,
} from './store.ts';
import { deletePasskeysOf } from '../passkeys/passkey-store.ts';
import { presentedOperator } from './login.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

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
  return rows.map((row) => presentedOperator(row, { locked: locked.has(row.uuid) }));
}

/** The caller's own account; null for the holder of OPERATOR_TOKEN. */
export async function readOwnAccount(ctx: Context, operator: Operator): Promise<OperatorAccount | null> {
  requireOperatorPermission(operator, 'session.own');
  const row = operator.uuid === null ? undefined : await findOperator(ctx.db, operator.uuid);
  return row ? presentedOperator(row, { locked: await isLocked(ctx.db, row.uuid) }) : null;
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
    const message = accountApiMessages.loginTaken;
    if (!row) throw new Conflict(message, [{ field: 'login', message }]);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Added',
      entity: 'operator',
      entityId: row.uuid,
      name: row.login,
      after: loggedFields(row),
    });
    return presentedOperator(row, { locked: false });
  });
}

/**
 * Changes an operator's account. A new password, a reset authenticator and deactivation end the account's sessions; these
 * and a new role end its views of companies. A reset removes passkeys and recovery codes too. Throws NotFound; Conflict for a change that would leave no active admin, and for
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
    await requireExpected(() => presentedOperator(before, { locked: false }));
    if (password !== undefined) assertNotGuessable(password, { login: before.login, email: '' });
    const { name = before.name, role = before.role, active = before.active } = changes;
    const staysAdmin = role === 'admin' && active;
    if (admins.length === 1 && admins[0] === uuid && !staysAdmin)
      throw new Conflict(operatorApiMessages.lastAdmin);
    const isOwnLocked = operator.uuid === uuid && (await isLocked(tx.db, uuid));
    if (isReset && isOwnLocked) throw new Conflict(operatorMessages.ownCodesLocked);
    const row = await updateOperator(tx.db, uuid, {
      name,
      role,
      active,
      ...(passwordHash !== null && { password_hash: passwordHash }),
      ...(isReset && { totp_secret: null, totp_enrolled: false }),
    });
    const passkeys = isReset ? await endSecondFactors(ctx, tx, uuid) : [];
    const isSame = changedFields(loggedFields(before), loggedFields(row)).length === 0;
    if (isSame && passwordHash === null && !isReset)
      return presentedOperator(row, { locked: await isLocked(tx.db, uuid) });
    const endsSessions = passwordHash !== null || isReset || !row.active;
    if (endsSessions) await deleteSessionsOf(tx.db, uuid);
    if (endsSessions || role !== before.role) await endViewerSessionsOf(ctx, tx, uuid);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'operator',
      entityId: uuid,
      name: row.login,
      before: { ...loggedFields(before), ...(passkeys.length > 0 && { passkeys: passkeys.join(', ') }) },
      after: {
        ...loggedFields(row),
        ...(passkeys.length > 0 && { passkeys: 'removed' }),
        ...(passwordHash !== null && { password: 'changed' }),
        ...(isReset && { authenticator: 'reset' }),
      },
    });
    return presentedOperator(row, { locked: await isLocked(tx.db, uuid) });
  });
}

/** Deletes the passkeys and recovery codes of an operator, and the count of wrong codes; resolves to the names of the passkeys. */
async function endSecondFactors(ctx: Context, tx: Tx, uuid: string): Promise<string[]> {
  await endRecoveryCodes(tx.db, uuid, ctx.now());
  await resetSecondFactor(tx.db, uuid);
  return deletePasskeysOf(tx.db, uuid);
}

function loggedFields({ name, role, active }: OperatorRow): Record<string, unknown> {
  return { name, role, active };
}

async function isLocked(db: Db, uuid: string): Promise<boolean> {
  return (await lockedAccounts(db, [uuid])).has(uuid);
}
