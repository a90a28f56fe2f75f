import type { Credentials } from '@bidwell/contract/accounts/schema';
import type { CodeInput } from '@bidwell/contract/accounts/sign-in';
import { apiMessages, messages, notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { Invalid } from '../../../platform/errors.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { isPassword } from '../passwords/password-hash.ts';
import { companyOfUser } from '../people/membership-store.ts';
import { type OpenedSession, startSession } from '../service.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';
import {
  type UserRow,
  findUserByLogin,
  findUserOfAnyCompany,
  lockUser,
  useOneTimePassword,
} from '../store.ts';
import { companiesRequiringSso } from '../sso/provider-store.ts';
import type { LoginClient } from './client.ts';
import { checkPersonCode } from './person-factors.ts';
import { deleteLoginStep, findLoginStep, insertLoginStep } from './factor-store.ts';
import { tellPerson } from './tell-person.ts';

/** Time in which the second factor is to be given. */
export const STEP_SECONDS = 600;

/** What a right password leads to: a session, or the secret of the begun login, whose second factor is awaited. */
export type LoginOutcome = { session: OpenedSession; step: null } | { session: null; step: string };

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
  if (!user || !right) throw new Invalid([], apiMessages.wrongLogin);
  if (user.one_time_password_until !== null && !(await useOneTimePassword(ctx.db, user.uuid, ctx.now())))
    throw new Invalid([], apiMessages.oneTimePasswordUsed);
  const companyId = await companyForPassword(ctx.db, user.uuid);
  if (user.totp_enrolled) return { session: null, step: await beginStep(ctx, user) };
  return { session: await startSession(ctx, { userId: user.uuid, companyId }, client), step: null };
}

/** The company in which a login by password begins. Throws Invalid for a person who has none that lets them in by password. */
async function companyForPassword(db: Db, userId: string): Promise<string> {
  const withSso = await companiesRequiringSso(db, userId);
  const companyId = await companyOfUser(db, userId, withSso);
  if (companyId !== undefined) return companyId;
  throw new Invalid([], withSso.length > 0 ? messages.ssoRequired : apiMessages.noCompany);
}

async function beginStep(ctx: Context, user: UserRow): Promise<string> {
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
  return token;
}

/**
 * Completes the begun login of a secret with a code of the authenticator app or a recovery code, whose use is told to the person.
 * Throws Invalid for a wrong code, and for a login that is unknown or too old, or whose password has changed.
 */
export async function passSecondFactor(
  ctx: Context,
  step: string | undefined,
  { code }: CodeInput,
  client?: LoginClient,
): Promise<OpenedSession> {
  const person = await transact(ctx.db, async (tx) => passStep(ctx, tx, step, code));
  if (!person) throw new Invalid([{ field: 'code', message: apiMessages.wrongCode }]);
  return startSession(ctx, person, client);
}

/** The person of a begun login whose code is right, which ends the login; null for a wrong code. */
async function passStep(
  ctx: Context,
  tx: Tx,
  step: string | undefined,
  code: string,
): Promise<{ userId: string; companyId: string } | null> {
  const over = new Invalid([{ field: 'login', message: apiMessages.loginStepOver }]);
  if (step === undefined) throw over;
  const tokenHash = hashToken(step);
  const found = await findLoginStep(tx.db, tokenHash, ctx.now());
  if (!found) throw over;
  const userId = found.user_uuid;
  await lockUser(tx.db, userId);
  const user = await findUserOfAnyCompany(tx.db, userId);
  if (!user || hashToken(user.password_hash) !== found.password_mark) throw over;
  const companyId = await companyForPassword(tx.db, userId);
  const passed = await checkPersonCode(ctx, tx.db, user, code);
  if (!passed) return null;
  if (!(await deleteLoginStep(tx.db, tokenHash))) throw over;
  const person = { userId, companyId };
  if (passed.kind === 'recovery')
    await tellPerson(ctx, tx, person, (name) => notificationMessages.recoveryCodeUsed(name, passed.left));
  return person;
}
