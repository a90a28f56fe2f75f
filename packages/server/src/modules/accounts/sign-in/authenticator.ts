import type {
  CodeInput,
  NewAuthenticator,
  RecoveryCodes,
  SecondFactors,
} from '@bidwell/contract/accounts/sign-in';
import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import { apiMessages, notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { Conflict, Invalid, Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/service.ts';
import { needsFactor } from '../people/membership-store.ts';
import { requireOwnLogin } from '../sso/own-login.ts';
import { lockedAccounts, resetSecondFactor } from '../second-factor.ts';
import { type UserWithCompany, findUser, lockUser, updateUser } from '../store.ts';
import { confirmedUntil, requireConfirmed } from './confirmation.ts';
import { checkAppCode, sealedSecret } from './person-factors.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { recoveryCodesOf, setRecoveryCodes } from './factor-store.ts';
import { tellPerson } from './tell-person.ts';
import { newTotpSecret, totpUri } from './totp.ts';

/** How the actor signs in beside the password. */
export async function readSecondFactors(ctx: Context, actor: Session): Promise<SecondFactors> {
  requirePermission(actor, 'sign_in.read');
  const { userId } = actor;
  const user = await findUser(ctx.db, actor.companyId, userId);
  if (!user) throw new Unauthenticated();
  return {
    confirmed_until: (await confirmedUntil(ctx, actor)).toISOString(),
    has_authenticator: user.totp_enrolled,
    recovery_codes: (await recoveryCodesOf(ctx.db, userId)).length,
    is_locked: (await lockedAccounts(ctx.db, [userId])).has(userId),
  };
}

/**
 * Makes a secret for an authenticator app of the actor; it counts once {@link enableAuthenticator} got a code of it. Throws Forbidden
 * without a recent proof of who they are; Conflict where there is an app.
 */
export async function startAuthenticator(ctx: Context, actor: Session): Promise<NewAuthenticator> {
  requirePermission(actor, 'sign_in.write');
  const { settings } = await ctx.brand.current();
  return transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    await requireConfirmed(ctx, actor, tx.db);
    if (user.totp_enrolled) throw new Conflict(apiMessages.authenticatorThere);
    const secret = newTotpSecret();
    await updateUser(tx.db, user.uuid, { totp_secret: sealedSecret(ctx, user, secret), totp_last_step: 0 });
    return { secret, uri: totpUri(secret, user.login, settings.name) };
  });
}

/**
 * From now on a login of the actor asks for a code of the app whose code this is; returns recovery codes. Throws Invalid for a wrong
 * code; Forbidden and Conflict as {@link startAuthenticator}.
 */
export async function enableAuthenticator(
  ctx: Context,
  actor: Session,
  { code }: CodeInput,
): Promise<RecoveryCodes> {
  requirePermission(actor, 'sign_in.write');
  const codes = await transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    await requireConfirmed(ctx, actor, tx.db);
    if (user.totp_enrolled) throw new Conflict(apiMessages.authenticatorThere);
    if (user.totp_secret === null) throw new Conflict(apiMessages.noAuthenticatorStarted);
    // Returns null for a wrong code, as its count is to be stored.
    if (!(await checkAppCode(ctx, tx.db, user, code))) return null;
    await updateUser(tx.db, user.uuid, { totp_enrolled: true });
    const made = await newRecoveryCodes(tx.db, user.uuid, ctx.now());
    await record(ctx, actor, tx, { user, did: 'added', message: notificationMessages.authenticatorAdded });
    return made;
  });
  if (!codes) throw new Invalid([{ field: 'code', message: apiMessages.wrongCode }]);
  return { recovery_codes: codes };
}

/**
 * Logs the actor in with the password alone again; recovery codes end too. Throws Forbidden without a recent proof of who they are;
 * Conflict where there is no app, and where a company of theirs requires it.
 */
export async function removeAuthenticator(ctx: Context, actor: Session): Promise<void> {
  requirePermission(actor, 'sign_in.write');
  await transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    await requireConfirmed(ctx, actor, tx.db);
    if (!user.totp_enrolled) throw new Conflict(apiMessages.noAuthenticator);
    if (await needsFactor(tx.db, user.uuid)) throw new Conflict(apiMessages.factorRequired);
    await updateUser(tx.db, user.uuid, { totp_secret: null, totp_enrolled: false });
    await setRecoveryCodes(tx.db, user.uuid, [], ctx.now());
    await resetSecondFactor(tx.db, user.uuid);
    await record(ctx, actor, tx, {
      user,
      did: 'removed',
      message: notificationMessages.authenticatorRemoved,
    });
  });
}

/** Gives the actor new recovery codes in place of the present ones. Throws Forbidden and Conflict as {@link removeAuthenticator}. */
export async function renewRecoveryCodes(ctx: Context, actor: Session): Promise<RecoveryCodes> {
  requirePermission(actor, 'sign_in.write');
  return transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    await requireConfirmed(ctx, actor, tx.db);
    if (!user.totp_enrolled) throw new Conflict(apiMessages.noAuthenticator);
    const codes = await newRecoveryCodes(tx.db, user.uuid, ctx.now());
    await tellPerson(ctx, tx, actor, notificationMessages.recoveryCodesRenewed);
    return { recovery_codes: codes };
  });
}

/**
 * The actor, whose row is locked until the transaction ends. Throws Forbidden in a session by single sign-on: a second factor holds for
 * the logins to the person's other companies, too.
 */
async function lockedActor(ctx: Context, actor: Session, tx: Tx): Promise<UserWithCompany> {
  requireOwnLogin(actor);
  const { companyId, userId } = actor;
  await lockUser(tx.db, userId);
  const user = await findUser(tx.db, companyId, userId);
  if (!user) throw new Unauthenticated();
  return user;
}

/** Writes a change of the authenticator app to the change log and tells the person. */
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
    action: 'update',
    before: {},
    after: { authenticator: did },
  });
  await tellPerson(ctx, tx, actor, message);
}
