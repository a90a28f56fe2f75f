import type { Credentials, FactorKind } from '@bidwell/contract/accounts/schema';
import type { CodeInput } from '@bidwell/contract/accounts/sign-in';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import { Invalid } from '../../../platform/errors.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { isPassword } from '../passwords/password.ts';
import { companyOfUser } from '../people/membership-store.ts';
import { type OpenedSession, startSession } from '../service.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';
import {
  type PersonRow,
  type UserRow,
  findUserByLogin,
  findUserOfAnyCompany,
  lockUser,
  useOneTimePassword,
} from '../store.ts';
import { countPasskeys } from '../passkeys/passkey-store.ts';
import { companiesRequiringSso } from '../sso/provider-store.ts';
import type { LoginClient } from './login-client.ts';
import { checkPersonCode } from './person-factors.ts';
import { deleteLoginStep, findLoginStep, insertLoginStep } from './factor-store.ts';
import { notifyPerson } from './notify-person.ts';

/** Time to give the second factor. */
export const STEP_SECONDS = 600;

/** A begun login that waits for one of the second factors. */
interface BegunLogin {
  /** The secret of its browser. */
  secret: string;
  factors: FactorKind[];
}

/** The result of a right password: a session, or a begun login. */
type LoginOutcome = { session: OpenedSession; step: null } | { session: null; step: BegunLogin };

/** Who logged in, and the company in which the session begins. */
export interface LoggedIn {
  userId: string;
  companyId: string;
}

/**
 * Checks credentials that a caller at `address` sent; starts a session, or awaits the second factor of a person who has one. Throws
 * Invalid, with the same text and timing for an unknown login and a wrong password; with another text for a one-time password that
 * was used or has expired, for a person who is in no company, and for one whose companies require single sign-on; RateLimited and Unavailable as {@link isPassword}.
 */
export async function login(
  ctx: Context,
  { login: name, password }: Credentials,
  address: string,
  signal?: AbortSignal,
  client?: LoginClient,
): Promise<LoginOutcome> {
  const user = await findUserByLogin(ctx.db, name);
  const right = await isPassword(user?.password_hash, password, address, signal);
  if (!user || !right) throw new Invalid([], accountApiMessages.wrongLogin);
  if (user.one_time_password_until !== null && !(await useOneTimePassword(ctx.db, user.uuid, ctx.now())))
    throw new Invalid([], accountApiMessages.oneTimePasswordUsed);
  const companyId = await companyOfLogin(ctx.db, user.uuid);
  if (user.has_factor) return { session: null, step: await beginStep(ctx, user) };
  return { session: await startSession(ctx, { userId: user.uuid, companyId }, client), step: null };
}

/** The company in which a login without single sign-on begins. Throws Invalid for a person who has none that lets them in so. */
export async function companyOfLogin(db: Db, userId: string): Promise<string> {
  const withSso = await companiesRequiringSso(db, userId);
  const companyId = await companyOfUser(db, userId, withSso);
  if (companyId !== undefined) return companyId;
  throw new Invalid([], withSso.length > 0 ? accountMessages.ssoRequired : accountApiMessages.noCompany);
}

async function beginStep(ctx: Context, user: UserRow): Promise<BegunLogin> {
  const token = newSecretToken();
  const now = ctx.now();
  await transact(ctx.db, async (tx) => {
    await lockUser(tx.db, user.uuid);
    await insertLoginStep(tx.db, {
      token_hash: hashToken(token),
      user_uuid: user.uuid,
      password_mark: hashToken(user.password_hash),
      created_at: now,
      expires_at: new Date(now.getTime() + STEP_SECONDS * 1000),
    });
  });
  const hasPasskey = (await countPasskeys(ctx.db, user.uuid)) > 0;
  const factors = [
    ...(user.totp_enrolled ? (['code'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
  ];
  return { secret: token, factors };
}

/**
 * Completes the begun login of a secret with a code of the authenticator app or a recovery code, of whose use the person is notified.
 * Throws Invalid for a wrong code, and for a login that is unknown or too old, or whose password has changed.
 */
export async function passSecondFactor(
  ctx: Context,
  step: string | undefined,
  { code }: CodeInput,
  client?: LoginClient,
): Promise<OpenedSession> {
  const person = await transact(ctx.db, async (tx) => passStep(ctx, tx, step, code));
  if (!person) throw new Invalid([{ field: 'code', message: accountApiMessages.wrongCode }]);
  return startSession(ctx, person, client);
}

/** The person of a begun login whose code is right, which ends the login; null for a wrong code. */
async function passStep(
  ctx: Context,
  tx: Tx,
  step: string | undefined,
  code: string,
): Promise<LoggedIn | null> {
  if (step === undefined) throw loginStepOver();
  const { user, loggedIn } = await personOfStep(ctx, tx, step);
  const passed = await checkPersonCode(ctx, tx.db, user, code);
  if (!passed) return null;
  await endLoginStep(tx.db, step);
  if (passed.kind === 'recovery')
    await notifyPerson(ctx, tx, loggedIn, (name) => notificationMessages.recoveryCodeUsed(name, passed.left));
  return loggedIn;
}

/** The person of a begun login, whose row is locked from now on. Throws Invalid for a login that is unknown or over. */
export async function personOfStep(
  ctx: Context,
  tx: Tx,
  step: string,
): Promise<{ user: PersonRow; loggedIn: LoggedIn }> {
  const found = await findLoginStep(tx.db, hashToken(step), ctx.now());
  if (!found) throw loginStepOver();
  const userId = found.user_uuid;
  await lockUser(tx.db, userId);
  const user = await findUserOfAnyCompany(tx.db, userId);
  if (!user || hashToken(user.password_hash) !== found.password_mark) throw loginStepOver();
  return { user, loggedIn: { userId, companyId: await companyOfLogin(tx.db, userId) } };
}

/** Ends a begun login. Throws Invalid if that was done before. */
export async function endLoginStep(db: Db, step: string): Promise<void> {
  if (!(await deleteLoginStep(db, hashToken(step)))) throw loginStepOver();
}

export const loginStepOver = () =>
  new Invalid([{ field: 'login', message: accountApiMessages.loginStepOver }]);
