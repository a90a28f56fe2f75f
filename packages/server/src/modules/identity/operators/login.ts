import type { PasskeyLogin, PasskeyAssertion } from '@bidwell/contract/accounts/passkey';
import type {
  OperatorAccount,
  OperatorLogin,
  OperatorLoginStep,
} from '@bidwell/contract/operator-accounts/schema';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Invalid, Unauthenticated } from '../../../platform/errors.ts';
import type { Client } from '../../../platform/http/auth/client.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { accountOfPasskey } from '../passkeys/passkey-store.ts';
import { isPassword } from '../passwords/password.ts';
import { NO_ACCOUNT, lockedAccounts } from '../second-factor.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';
import {
  openedSecret,
  sealedSecret,
  isAppCode,
  stepOfAppCode,
  newTotpSecret,
  totpUri,
} from '../sign-in/totp.ts';
import { insertSessionDetails } from '../sign-in/session-details.ts';
import {
  type OperatorRow,
  findOperatorByLogin,
  insertOperatorSession,
  lockOperator,
  updateOperator,
} from './store.ts';
import { takeRecoveryCode } from '../sign-in/recovery-codes.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import { verifyAnswer } from '../passkeys/verify.ts';

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
 * Checks one step of a login from `address`. Without a code and a passkey it returns the next step, which is the code also for an
 * unknown login and a wrong password, so that a caller cannot learn a password without a code; only an account without an authenticator app
 * is given a secret, which counts once a code of it was given. With a code or a passkey, throws Unauthenticated with the same text for an
 * unknown login, a wrong password, and one that is wrong or not accepted at present ({@link checkOperatorCode},
 * {@link checkOperatorPasskey}); `secret` belongs to the browser's options.
 */
export async function logInOperator(
  ctx: Context,
  { login, password, code, passkey }: OperatorLogin,
  address: string,
  { client, signal, secret }: { client?: Client; signal?: AbortSignal; secret?: string | undefined } = {},
): Promise<LoginResult> {
  const found = await findOperatorByLogin(ctx.db, login);
  // Takes long, so no row is locked meanwhile.
  const isRight = await isPassword(found?.password_hash, password, address, signal);
  const known = isRight && found?.active ? found : undefined;
  const from = client && { client };
  if (code !== undefined) {
    const check = async (tx: Tx, row?: OperatorRow) => checkOperatorCode(ctx, tx, row, code);
    return completed(ctx, known, { check, refusal: operatorApiMessages.wrongOperatorLogin, ...from });
  }
  if (passkey === undefined) return { step: await firstStep(ctx, known), session: null };
  const check = async (tx: Tx, row?: OperatorRow) =>
    checkOperatorPasskey(ctx, tx, row, { purpose: 'second factor', secret, credential: passkey });
  return completed(ctx, known, { check, refusal: operatorApiMessages.wrongOperatorPasskey, ...from });
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

/**
 * Starts a session if the password was right and `check` accepts the second factor, which it is given without an account too. Throws
 * Unauthenticated with the refusal.
 */
async function completed(
  ctx: Context,
  known: OperatorRow | undefined,
  {
    check,
    refusal,
    client,
  }: { check: (tx: Tx, row?: OperatorRow) => Promise<boolean>; refusal: string; client?: Client },
): Promise<LoginResult> {
  const result = await transact(ctx.db, async (tx) => {
    const row = await lockKnown(tx, known);
    // Null for a wrong factor, since the count of wrong factors has to be stored.
    return (await check(tx, row)) && row ? begin(ctx, tx, row, client) : null;
  });
  if (!result) throw new Unauthenticated(refusal);
  return result;
}

/**
 * Logs in the operator whose passkey answered the options of the browser with this secret; neither a password nor a code is required, as
 * only the holder of the device can unlock and use the passkey. Throws Invalid for an answer that is not accepted, which does not say why.
 */
export async function logInByPasskey(
  ctx: Context,
  secret: string | undefined,
  { credential }: PasskeyLogin,
  client: Client,
): Promise<{ operator: OperatorAccount; session: OperatorSession }> {
  const uuid = await accountOfPasskey(ctx.db, credential.id);
  const result = await transact(ctx.db, async (tx) => {
    const row = await lockOperator(tx.db, uuid ?? NO_ACCOUNT);
    const known = row?.active ? row : undefined;
    const isRight = await checkOperatorPasskey(ctx, tx, known, { purpose: 'log in', secret, credential });
    return isRight && known ? begin(ctx, tx, known, client) : null;
  });
  if (!result) throw new Invalid([{ field: 'credential', message: accountApiMessages.passkeyRefused }]);
  return { operator: result.step.operator, session: result.session };
}

/** Begins a session of an operator who has given all factors. */
async function begin(ctx: Context, tx: Tx, { uuid }: OperatorRow, client?: Client) {
  const now = ctx.now();
  const locked = (await lockedAccounts(tx.db, [uuid])).has(uuid);
  const updated = await updateOperator(tx.db, uuid, { last_login_at: now });
  return {
    step: { next: 'session' as const, operator: presentedOperator(updated, { locked }) },
    session: await startOperatorSession(tx.db, uuid, now, client),
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
  const row = await lockOperator(tx.db, known?.uuid ?? NO_ACCOUNT);
  return row?.active && row.password_hash === known?.password_hash ? row : undefined;
}

/**
 * Checks a code of the operator's authenticator app, or a recovery code, which is used up by that and written to the audit log; false
 * for one that is wrong or not accepted at present, as {@link stepOfAppCode} says, and without an account. The caller has locked
 * the row and does not roll back after false. A right code of the app sets it up.
 */
export async function checkOperatorCode(
  ctx: Context,
  tx: Tx,
  row: OperatorRow | undefined,
  code: string,
): Promise<boolean> {
  return isAppCode(code) ? checkAppCode(ctx, tx, row, code) : checkRecoveryCode(ctx, tx, row, code);
}

async function checkAppCode(ctx: Context, tx: Tx, row: OperatorRow | undefined, code: string) {
  const step = await stepOfAppCode(ctx, tx.db, 'operators', { account: row, code });
  if (!row || step === null) return false;
  await updateOperator(tx.db, row.uuid, { totp_last_step: step, totp_enrolled: true });
  return true;
}

async function checkRecoveryCode(ctx: Context, tx: Tx, row: OperatorRow | undefined, code: string) {
  // Recovery codes stand in for an app that is set up, and there are none without it.
  const left = await takeRecoveryCode(ctx, tx.db, row?.totp_enrolled ? row.uuid : NO_ACCOUNT, code);
  if (!row || left === null) return false;
  await recordAuditEntry(ctx, tx, row, {
    action: 'Used a recovery code of',
    entity: 'operator',
    entityId: row.uuid,
    name: row.login,
    after: { recovery_codes: left },
  });
  return true;
}

/** An answer of a passkey, its purpose, and the secret of the browser or the id of the session that got the options. */
interface GivenPasskey {
  purpose: 'log in' | 'second factor' | 'confirm';
  secret: string | undefined;
  credential: PasskeyAssertion;
}

/**
 * Checks the answer of a passkey of the operator; false for one that is not accepted, and without an account. One whose counter went back
 * is refused and written to the audit log, so the caller does not roll back after false. The caller has locked the row.
 */
export async function checkOperatorPasskey(
  ctx: Context,
  tx: Tx,
  row: OperatorRow | undefined,
  { purpose, secret, credential }: GivenPasskey,
): Promise<boolean> {
  if (secret === undefined) return false;
  // Also without an account, so that it takes as long.
  const use = { of: 'operator', purpose, holder: secret, accountUuid: row?.uuid ?? NO_ACCOUNT } as const;
  const answer = await verifyAnswer(ctx, tx.db, use, credential);
  if (!row || !answer?.isCopied) return answer !== null;
  await recordAuditEntry(ctx, tx, row, {
    action: 'Was refused a copied passkey of',
    entity: 'operator',
    entityId: row.uuid,
    name: row.login,
    after: { passkey: answer.passkey.name },
  });
  return false;
}

/** An operator as the API shows them. */
export function presentedOperator(row: OperatorRow, { locked }: { locked: boolean }): OperatorAccount {
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
