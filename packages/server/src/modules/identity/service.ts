import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { fileAddress } from '@bidwell/contract/creatives/file-endpoints';
import type { Registration, SessionTokens, User } from '@bidwell/contract/accounts/schema';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import type { TokenError } from '../../platform/http/auth/auth.ts';
import type { Client } from '../../platform/http/auth/client.ts';
import { Conflict, NotFound, Unauthenticated } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { type Db, type Tx, transact } from '../../platform/postgres/transaction.ts';
import { ownRequest } from '../../platform/telemetry/request-id.ts';
import { recordChange } from '../changes/public.ts';
import {
  type RefreshSession,
  findLiveSession,
  insertRefreshToken,
  lockUserOf,
  revokeFamilyOf,
  revokeUserOf,
  unenrolledSessionsIn,
  spendRefreshToken,
} from './sessions/session-store.ts';
import type { LoginClient } from './sign-in/login-client.ts';
import { noteLogin, noteRenewal, noteSessionUse } from './sign-in/session-details.ts';
import { isViewerSessionLive } from './sessions/viewer-sessions.ts';
import { companiesRequiringSso } from './sso/provider-store.ts';
import { insertMembership } from './people/membership-store.ts';
import { sendConfirmation } from './address-confirmation.ts';
import { hashPassword, assertNotGuessable } from './passwords/password.ts';
import {
  type UserWithCompany,
  findTimeZone,
  findUser,
  findUserOfAnyCompany,
  insertCompany,
  insertUser,
} from './store.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type ReadToken,
  hashToken,
  newSecretToken,
  readAccessToken,
  refreshTokenExpiry,
  signAccessToken,
} from './sessions/access-tokens.ts';

/**
 * Creates a company and its first user, its owner, for a caller at `address`. Throws Conflict if the login is taken; Invalid for a
 * password that is easy to guess; RateLimited and Unavailable as {@link hashPassword}.
 */
export async function register(
  ctx: Context,
  input: Registration,
  address: string,
  signal?: AbortSignal,
): Promise<{ userId: string; companyId: string }> {
  assertNotGuessable(input.password, input);
  const registered = await registerHashed(ctx, input, await hashPassword(input.password, address, signal));
  await sendConfirmation(ctx, { kind: 'person_address', uuid: registered.userId }, input.email);
  return registered;
}

/** Like {@link register}, with a password that is already hashed. */
export async function registerHashed(
  ctx: Context,
  input: Registration,
  passwordHash: string,
): Promise<{ userId: string; companyId: string }> {
  const now = ctx.now();
  const companyId = uuidv7();
  const userId = uuidv7();
  await transact(ctx.db, async (tx) => {
    const { password: _password, company_name: companyName, ...person } = input;
    const name = companyName || [input.first_name, input.last_name].filter(Boolean).join(' ');
    await insertCompany(tx.db, { uuid: companyId, name, postback_secret: newSecretToken(), created_at: now });
    const inserted = await insertUser(tx.db, companyId, {
      uuid: userId,
      ...person,
      password_hash: passwordHash,
      avatar_file_uuid: null,
      created_at: now,
      updated_at: now,
    });
    if (!inserted) {
      const message = accountApiMessages.loginTaken;
      throw new Conflict(message, [{ field: 'login', message }]);
    }
    await insertMembership(tx.db, companyId, { userId, role: 'owner', at: now });
    const change = {
      entity: 'user',
      uuid: userId,
      name: input.login,
      action: 'create',
      before: null,
      after: person,
    } as const;
    await recordChange(ctx, tx, { companyId, userId }, change);
  });
  return { userId, companyId };
}

/** A session as sent to the client: tokens for the response body, and the refresh token for the cookie. */
export interface OpenedSession {
  tokens: SessionTokens;
  refreshToken: string;
  /** Expiry of the refresh token. */
  expiresAt: Date;
}

/**
 * Starts a session for an authenticated user, in a company to which they belong and whose single sign-on may have let them in, and
 * notes the `client` that it is for.
 */
export async function startSession(
  ctx: Context,
  { bySso = false, ...person }: { userId: string; companyId: string; bySso?: boolean },
  client?: LoginClient,
): Promise<OpenedSession> {
  const session = { ...person, bySso, sessionId: uuidv7(), loggedInAt: ctx.now() };
  return transact(ctx.db, async (tx) => {
    if (client) await noteLogin(ctx, tx, session, client);
    return openSession(ctx, tx.db, session);
  });
}

/**
 * Exchanges a refresh token for a new session, and notes the `client` that renews it. Throws Unauthenticated for an invalid token. Reuse of a spent token
 * ends all sessions descending from its login.
 */
export async function refresh(
  ctx: Context,
  refreshToken: string | undefined,
  client?: Client,
): Promise<OpenedSession> {
  if (!refreshToken) throw new Unauthenticated();
  const tokenHash = hashToken(refreshToken);
  // In one transaction: a concurrent caller with the same token waits, and then sees the new token and can revoke it.
  const opened = await transact(ctx.db, async (tx) => {
    await lockUserOf(tx.db, tokenHash, 'share');
    const session = await spendRefreshToken(tx.db, tokenHash, ctx.now());
    if (!session || (await needsSso(tx.db, session))) return undefined;
    if (client) await noteRenewal(ctx, tx.db, session, client);
    return openSession(ctx, tx.db, session);
  });
  if (opened) return opened;
  await endSessions(ctx, tokenHash, revokeFamilyOf);
  throw new Unauthenticated();
}

/** Whether a session has to begin again, by single sign-on: the company requires that since. */
async function needsSso(db: Db, { bySso, userId, companyId }: RefreshSession): Promise<boolean> {
  return !bySso && (await companiesRequiringSso(db, userId)).includes(companyId);
}

async function endSessions(
  ctx: Context,
  tokenHash: string,
  revoke: typeof revokeFamilyOf | typeof revokeUserOf,
): Promise<void> {
  await transact(ctx.db, async (tx) => {
    await lockUserOf(tx.db, tokenHash, 'update');
    const ended = await revoke(tx.db, tokenHash, ctx.now());
    tx.afterCommit(() => ctx.onSessionsEnded(ended));
  });
}

/** Ends the session of a refresh token, or all sessions of its user (`everywhere`). Ignores an unknown token. */
export async function logout(
  ctx: Context,
  refreshToken: string | undefined,
  { everywhere = false } = {},
): Promise<void> {
  if (!refreshToken) return;
  await endSessions(ctx, hashToken(refreshToken), everywhere ? revokeUserOf : revokeFamilyOf);
}

/** Issues the tokens of a session of an authenticated user, in a company to which they belong. */
export async function openSession(ctx: Context, db: Db, session: RefreshSession): Promise<OpenedSession> {
  const now = ctx.now();
  const refreshToken = newSecretToken();
  const expiresAt = refreshTokenExpiry(now, session.loggedInAt, session.bySso);
  await insertRefreshToken(db, {
    uuid: uuidv7(),
    family_uuid: session.sessionId,
    user_uuid: session.userId,
    token_hash: hashToken(refreshToken),
    created_at: now,
    expires_at: expiresAt,
    logged_in_at: session.loggedInAt,
    company_uuid: session.companyId,
    by_sso: session.bySso,
  });
  // A person who has left the company meanwhile gets no channels of it.
  const unenrolled = (await findLiveSession(db, session))?.unenrolled ?? true;
  const seconds = Math.min(ACCESS_TOKEN_SECONDS, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000));
  const accessToken = await signAccessToken(
    ctx.config.accessTokenSecret,
    { ...session, role: 'person', unenrolled },
    now,
    seconds,
  );
  return {
    tokens: { access_token: accessToken, expires_in: seconds, user_id: session.userId },
    refreshToken,
    expiresAt,
  };
}

/**
 * Verifies an access token, for the auth hook and the websocket; returns the fault if it is invalid, `expired` if its
 * session has ended. Queries the database each time, since another process may have ended the session.
 */
export async function sessionOf(ctx: Context, accessToken: string): Promise<ReadToken | TokenError> {
  const token = await readAccessToken(ctx.config.accessTokenSecret, accessToken, ctx.now());
  if (typeof token === 'string') return token;
  ownRequest(token.session.companyId);
  if (token.session.role === 'viewer')
    return (await isViewerSessionLive(ctx.db, token.session.sessionId, ctx.now())) ? token : 'expired';
  const live = await findLiveSession(ctx.db, token.session);
  if (!live) return 'expired';
  await noteSessionUse(ctx, token.session.sessionId);
  const { role: companyRole, suspended, unenrolled, bySso } = live;
  return { ...token, session: { ...token.session, companyRole, suspended, unenrolled, bySso } };
}

/** As {@link sessionOf}, for data that a person must not get while they lack a second factor that their company requires. */
export async function enrolledSessionOf(ctx: Context, accessToken: string): Promise<ReadToken | TokenError> {
  const read = await sessionOf(ctx, accessToken);
  return typeof read !== 'string' && read.session.unenrolled ? 'invalid' : read;
}

/** Closes the live connections of a company's sessions without the second factor that it requires from now on, on commit. */
export async function closeUnenrolled(ctx: Context, tx: Tx, companyId: string): Promise<void> {
  const sessionIds = await unenrolledSessionsIn(tx.db, companyId, ctx.now());
  tx.afterCommit(() => ctx.onSessionsEnded(sessionIds));
}

/** Whether a person has a second factor. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const user = await findUserOfAnyCompany(db, userId);
  return user?.has_factor ?? false;
}

/** IANA time zone of a company, in which reports and budgets have their days. */
export async function timeZoneOf(db: Db, companyId: string): Promise<string> {
  return findTimeZone(db, companyId);
}

/**
 * Reads a user of the actor's company: the actor, or a colleague, for which the actor has to be allowed to read the company's
 * people, since it has their mail address and login. Throws NotFound.
 */
export async function getUser(ctx: Context, actor: Actor, userId: string): Promise<User> {
  requirePermission(actor, 'user.read');
  const user = await findUser(ctx.db, actor.companyId, userId);
  if (!user) throw new NotFound('User');
  if (userId !== actor.userId) requirePermission(actor, 'people.read');
  // How the caller signed in does not apply to a colleague.
  return presentUser(ctx, user, userId === actor.userId ? actor : {});
}

/** A user as a session has them, who needs no second factor there where the company's provider began it (`bySso`). */
export function presentUser(
  { config, mailer }: Pick<Context, 'config' | 'mailer'>,
  user: UserWithCompany,
  { bySso = false }: { bySso?: boolean },
): User {
  return {
    uuid: user.uuid,
    login: user.login,
    email: user.email,
    first_name: user.first_name,
    last_name: user.last_name,
    contact: user.contact,
    avatar: user.avatar_file_uuid && fileAddress(`${user.avatar_file_uuid}.png`),
    company: {
      uuid: user.member_of,
      name: user.company_name,
      time_zone: user.time_zone,
      second_factor_required: user.second_factor_required,
    },
    role: user.role,
    needs_second_factor: user.second_factor_required && !user.has_factor && !bySso,
    signed_in_by_sso: bySso,
    needs_email_confirmation: mailer !== null && user.email_confirmed_at === null,
    moderation: config.moderation,
    created_at: user.created_at.toISOString(),
  };
}
