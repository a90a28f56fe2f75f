import type {
  AddedPasskey,
  CreationOptions,
  NewPasskey,
  Passkey,
  RequestOptions,
} from '@bidwell/contract/accounts/passkey';
import { notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { lockedActor } from '../sign-in/actor.ts';
import { newRecoveryCodes } from '../sign-in/recovery-codes.ts';
import { afterRemovedFactor } from '../sign-in/removed-factor.ts';
import { notifyPerson } from '../sign-in/notify-person.ts';
import type { UserWithCompany } from '../store.ts';
import {
  type PasskeyOwner,
  confirmationOptions,
  creationOptions,
  dropPasskey,
  nameAnew,
  passkeyList,
  storePasskey,
} from './account-passkeys.ts';

const ownerOf = ({ userId, sessionId }: Session): PasskeyOwner => ({
  of: 'person',
  accountUuid: userId,
  sessionId,
});

/** The passkeys of the actor, the oldest first. */
export async function listPasskeys(ctx: Context, actor: Session): Promise<Passkey[]> {
  requirePermission(actor, 'sign_in.read');
  return passkeyList(ctx.db, actor.userId);
}

/**
 * The options with which a browser makes a passkey of the actor, for this session. Throws Forbidden without a recent proof of who they
 * are, and in a session by single sign-on; Conflict as {@link creationOptions}.
 */
export async function startPasskey(ctx: Context, actor: Session): Promise<CreationOptions> {
  requirePermission(actor, 'sign_in.write');
  const { settings } = await ctx.brand.current();
  return transact(ctx.db, async (tx) => {
    const { login, first_name, last_name } = await lockedActor(ctx, actor, tx);
    const displayName = [first_name, last_name].filter(Boolean).join(' ');
    return creationOptions(ctx, tx.db, ownerOf(actor), { login, displayName, product: settings.name });
  });
}

/**
 * Adds a passkey that the actor's browser made; with the first second factor come recovery codes. Throws Invalid for one that is not
 * accepted; Forbidden and Conflict as {@link startPasskey}, and Conflict for one that is there.
 */
export async function addPasskey(ctx: Context, actor: Session, made: NewPasskey): Promise<AddedPasskey> {
  requirePermission(actor, 'sign_in.write');
  return transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    const passkey = await storePasskey(ctx, tx.db, ownerOf(actor), made);
    const codes = user.has_factor ? [] : await newRecoveryCodes(tx.db, user.uuid, ctx.now());
    await record(ctx, actor, tx, { user, before: null, after: passkey.name });
    await notifyPerson(ctx, tx, actor, (login) => notificationMessages.passkeyAdded(login, passkey.name));
    return { passkey, recovery_codes: codes };
  });
}

/** Renames a passkey of the actor. Throws NotFound; Forbidden as {@link startPasskey}. */
export async function renamePasskey(
  ctx: Context,
  actor: Session,
  change: { uuid: string; name: string },
): Promise<Passkey> {
  requirePermission(actor, 'sign_in.write');
  return transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    const { before, passkey } = await nameAnew(tx.db, user.uuid, change);
    await record(ctx, actor, tx, { user, before, after: passkey.name });
    return passkey;
  });
}

/**
 * Removes a passkey of the actor; recovery codes end with the last second factor. Throws NotFound; Forbidden as {@link startPasskey};
 * Conflict for the last second factor where a company of the actor requires one.
 */
export async function removePasskey(ctx: Context, actor: Session, { uuid }: { uuid: string }): Promise<void> {
  requirePermission(actor, 'sign_in.write');
  await transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    const name = await dropPasskey(tx.db, user.uuid, uuid);
    await afterRemovedFactor(ctx, tx.db, user.uuid);
    await record(ctx, actor, tx, { user, before: name, after: null });
    await notifyPerson(ctx, tx, actor, (login) => notificationMessages.passkeyRemoved(login, name));
  });
}

/** The options with which a browser proves by a passkey who makes the calls of the session. Throws Conflict without a passkey. */
export async function startPasskeyConfirmation(ctx: Context, actor: Session): Promise<RequestOptions> {
  requirePermission(actor, 'sign_in.write');
  return confirmationOptions(ctx, ownerOf(actor));
}

/** Writes a passkey that came, went or got another name to the change log. */
async function record(
  ctx: Context,
  actor: Session,
  tx: Tx,
  { user, before, after }: { user: UserWithCompany; before: string | null; after: string | null },
): Promise<void> {
  await recordChange(ctx, tx, actor, {
    entity: 'user',
    uuid: user.uuid,
    name: user.login,
    action: 'update',
    before: { passkey: before },
    after: { passkey: after },
  });
}
