import type {
  CodeInput,
  NewAuthenticator,
  RecoveryCodes,
  SecondFactors,
} from '@bidwell/contract/accounts/sign-in';
import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import { Conflict, Invalid, Unauthenticated, NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { countPasskeys, deletePasskeysOf } from '../passkeys/passkey-store.ts';
import { lockedAccounts, resetSecondFactor } from '../second-factor.ts';
import { type UserWithCompany, findUser, updateUser, lockUser } from '../store.ts';
import { lockedActor, confirmedUntil } from './confirmation.ts';
import { sealedSecret, newTotpSecret, totpUri } from './totp.ts';
import { checkAppCode } from './person-factors.ts';
import {
  newRecoveryCodes,
  recoveryCodesLeft,
  afterRemovedFactor,
  endRecoveryCodes,
} from './recovery-codes.ts';
import { notifyPerson } from './notify-person.ts';
import { revokeSessionsOf } from '../sessions/session-store.ts';

/** How the actor signs in, in addition to the password. */
export async function readSecondFactors(ctx: Context, actor: Session): Promise<SecondFactors> {
  requirePermission(actor, 'sign_in.read');
  const { userId } = actor;
  const user = await findUser(ctx.db, actor.companyId, userId);
  if (!user) throw new Unauthenticated();
  return {
    confirmed_until: (await confirmedUntil(ctx, actor)).toISOString(),
    has_authenticator: user.totp_enrolled,
    passkeys: await countPasskeys(ctx.db, userId),
    recovery_codes: await recoveryCodesLeft(ctx.db, userId),
    is_locked: (await lockedAccounts(ctx.db, [userId])).has(userId),
  };
}

/**
 * Makes a secret for an authenticator app of the actor; it counts once {@link enableAuthenticator} got a code of it. Throws Forbidden
 * without a recent proof of who they are, and in a session by single sign-on; Conflict where there is an app.
 */
export async function startAuthenticator(ctx: Context, actor: Session): Promise<NewAuthenticator> {
  requirePermission(actor, 'sign_in.write');
  const { settings } = await ctx.brand.current();
  return transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    if (user.totp_enrolled) throw new Conflict(accountApiMessages.authenticatorThere);
    const secret = newTotpSecret();
    await updateUser(tx.db, user.uuid, {
      totp_secret: sealedSecret(ctx, 'users', user, secret),
      totp_last_step: 0,
    });
    return { secret, uri: totpUri(secret, user.login, settings.name) };
  });
}

/**
 * From now on a login of the actor requires a code of the app that produced this code; returns recovery codes with the first second
 * factor. Throws Invalid for a wrong code; Forbidden and Conflict as {@link startAuthenticator}.
 */
export async function enableAuthenticator(
  ctx: Context,
  actor: Session,
  { code }: CodeInput,
): Promise<RecoveryCodes> {
  requirePermission(actor, 'sign_in.write');
  const codes = await transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    if (user.totp_enrolled) throw new Conflict(accountApiMessages.authenticatorThere);
    if (user.totp_secret === null) throw new Conflict(accountApiMessages.noAuthenticatorStarted);
    // Returns null for a wrong code, since the count of wrong codes has to be stored.
    if (!(await checkAppCode(ctx, tx.db, user, code))) return null;
    await updateUser(tx.db, user.uuid, { totp_enrolled: true });
    const made = user.has_factor ? [] : await newRecoveryCodes(tx.db, user.uuid, ctx.now());
    await record(ctx, actor, tx, { user, did: 'added', message: notificationMessages.authenticatorAdded });
    return made;
  });
  if (!codes) throw new Invalid([{ field: 'code', message: accountApiMessages.wrongCode }]);
  return { recovery_codes: codes };
}

/**
 * Logins require no code any more; recovery codes end with the last second factor. Throws Forbidden as {@link startAuthenticator};
 * Conflict where there is no app, and for the last second factor where a company of theirs requires one.
 */
export async function removeAuthenticator(ctx: Context, actor: Session): Promise<void> {
  requirePermission(actor, 'sign_in.write');
  await transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    if (!user.totp_enrolled) throw new Conflict(accountApiMessages.noAuthenticator);
    await updateUser(tx.db, user.uuid, { totp_secret: null, totp_enrolled: false });
    await afterRemovedFactor(ctx, tx.db, user.uuid);
    await resetSecondFactor(tx.db, user.uuid);
    await record(ctx, actor, tx, {
      user,
      did: 'removed',
      message: notificationMessages.authenticatorRemoved,
    });
  });
}

/** Gives the actor new recovery codes in place of the present ones. Throws Forbidden as {@link startAuthenticator}; Conflict without a second factor. */
export async function renewRecoveryCodes(ctx: Context, actor: Session): Promise<RecoveryCodes> {
  requirePermission(actor, 'sign_in.write');
  return transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    if (!user.has_factor) throw new Conflict(accountApiMessages.noSecondFactor);
    const codes = await newRecoveryCodes(tx.db, user.uuid, ctx.now());
    await notifyPerson(ctx, tx, actor, notificationMessages.recoveryCodesRenewed);
    return { recovery_codes: codes };
  });
}

/** Writes a change of the authenticator app to the change log and notifies the person. */
async function record(
  ctx: Context,
  actor: Session,
  tx: Tx,
  change: { user: UserWithCompany; did: string; message: (login: string) => NotificationMessage },
): Promise<void> {
  const { user, did, message } = change;
  await recordChange(ctx, tx, actor, {
    entity: 'user',
    uuid: user.uuid,
    name: user.login,
    before: {},
    after: { authenticator: did },
  });
  await notifyPerson(ctx, tx, actor, message);
}

/**
 * Removes the second factors of a person who lost them, with wrong codes and recovery codes, and ends all sessions of the person. The
 * caller's transaction writes the operator's audit entry. Resolves to the person's login. Throws NotFound.
 */
export async function removeSecondFactorOf(
  ctx: Context,
  tx: Tx,
  person: { companyId: string; userId: string },
): Promise<string> {
  const { companyId, userId } = person;
  await lockUser(tx.db, userId);
  const user = await findUser(tx.db, companyId, userId);
  if (!user) throw new NotFound('User');
  await updateUser(tx.db, userId, { totp_secret: null, totp_enrolled: false });
  await deletePasskeysOf(tx.db, userId);
  await endRecoveryCodes(tx.db, userId, ctx.now());
  await resetSecondFactor(tx.db, userId);
  const ended = await revokeSessionsOf(tx.db, userId, ctx.now());
  tx.afterCommit(() => ctx.onSessionsEnded(ended));
  const author = { companyId, userId: null };
  await recordChange(ctx, tx, author, {
    entity: 'user',
    uuid: userId,
    name: user.login,
    before: {},
    after: { authenticator: 'reset by an operator' },
  });
  await notifyPerson(ctx, tx, person, notificationMessages.authenticatorReset);
  return user.login;
}
