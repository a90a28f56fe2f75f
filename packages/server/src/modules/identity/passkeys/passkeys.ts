import {
  type AddedPasskey,
  type CreationOptions,
  type NewPasskey,
  type Passkey,
  type RequestOptions,
  PASSKEY_SECONDS,
} from '@bidwell/contract/accounts/passkey';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { lockedActor } from '../sign-in/confirmation.ts';
import { newRecoveryCodes, afterRemovedFactor } from '../sign-in/recovery-codes.ts';
import { notifyPerson } from '../sign-in/notify-person.ts';
import type { UserWithCompany } from '../store.ts';
import { limits } from '@bidwell/contract/lib/limits';
import { v7 as uuidv7 } from 'uuid';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { newSecretToken } from '../sessions/access-tokens.ts';
import {
  type ChallengeUse,
  newChallenge,
  ALGORITHMS,
  userHandleOf,
  verifyCreation,
  relyingPartyId,
} from './verify.ts';
import {
  type PasskeyRow,
  countPasskeys,
  deletePasskey,
  insertPasskey,
  passkeysOf,
  updatePasskeyName,
} from './passkey-store.ts';

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
    const { before, passkey } = await renameStoredPasskey(tx.db, user.uuid, change);
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
    before: { passkey: before },
    after: { passkey: after },
  });
}

// For people and operators. Callers check permissions and write their logs.

/** Whose passkeys they are, and the session of the call. */
export interface PasskeyOwner {
  of: ChallengeUse['of'];
  accountUuid: string;
  sessionId: string;
}

/**
 * The options with which a browser makes a passkey of the owner, for this session; the names are for the device. Throws Conflict beyond
 * {@link limits.passkeysMax}.
 */
export async function creationOptions(
  ctx: Context,
  db: Db,
  owner: PasskeyOwner,
  names: { login: string; displayName: string; product: string },
): Promise<CreationOptions> {
  const present = await passkeysOf(db, owner.accountUuid);
  if (present.length >= limits.passkeysMax) throw new Conflict(accountApiMessages.passkeysFull);
  return {
    rp: { id: relyingPartyId(ctx.config), name: names.product },
    user: { id: userHandleOf(owner.accountUuid), name: names.login, displayName: names.displayName },
    challenge: newChallenge(ctx, useOf(owner, 'create')),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: PASSKEY_SECONDS * 1000,
    excludeCredentials: present.map(descriptor),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/**
 * Stores a passkey that the owner's browser made. Throws Invalid for one that is not accepted; Conflict as {@link creationOptions}, and for
 * one that is there. The caller has locked the account's row.
 */
export async function storePasskey(
  ctx: Context,
  db: Db,
  owner: PasskeyOwner,
  { name, credential }: NewPasskey,
): Promise<Passkey> {
  const { accountUuid } = owner;
  if ((await countPasskeys(db, accountUuid)) >= limits.passkeysMax)
    throw new Conflict(accountApiMessages.passkeysFull);
  const made = await verifyCreation(ctx, db, useOf(owner, 'create'), credential);
  if (!made) throw new Invalid([{ field: 'credential', message: accountApiMessages.passkeyRefused }]);
  const row: PasskeyRow = {
    ...made,
    uuid: uuidv7(),
    account_uuid: accountUuid,
    name,
    created_at: ctx.now(),
    last_used_at: null,
  };
  if (!(await insertPasskey(db, row))) throw new Conflict(accountApiMessages.passkeyThere);
  return presentedPasskey(row);
}

/** The passkeys of an account, the oldest first. */
export async function passkeyList(db: Db, accountUuid: string): Promise<Passkey[]> {
  return (await passkeysOf(db, accountUuid)).map(presentedPasskey);
}

/** Gives a passkey of an account another name; resolves to its former name too. Throws NotFound. The caller has locked the account's row. */
export async function renameStoredPasskey(
  db: Db,
  accountUuid: string,
  change: { uuid: string; name: string },
): Promise<{ before: string; passkey: Passkey }> {
  const before = (await passkeysOf(db, accountUuid)).find(({ uuid }) => uuid === change.uuid);
  const renamed = await updatePasskeyName(db, accountUuid, change);
  if (!before || !renamed) throw new NotFound('Passkey');
  return { before: before.name, passkey: presentedPasskey(renamed) };
}

/** Deletes a passkey of an account; resolves to its name. Throws NotFound. */
export async function dropPasskey(db: Db, accountUuid: string, uuid: string): Promise<string> {
  const removed = await deletePasskey(db, accountUuid, uuid);
  if (!removed) throw new NotFound('Passkey');
  return removed.name;
}

/** The options with which the owner's browser proves by a passkey who makes the calls of the session. Throws Conflict without a passkey. */
export async function confirmationOptions(ctx: Context, owner: PasskeyOwner): Promise<RequestOptions> {
  const present = await passkeysOf(ctx.db, owner.accountUuid);
  if (present.length === 0) throw new Conflict(accountApiMessages.noPasskey);
  return requestOptions(ctx, useOf(owner, 'confirm'), present);
}

/**
 * The options with which a browser answers with any passkey that it has, since the account is not known yet, and the secret that binds them to
 * the browser.
 */
export function discoverableOptions(
  ctx: Context,
  use: Omit<ChallengeUse, 'holder'>,
): { options: RequestOptions; secret: string } {
  const secret = newSecretToken();
  return { options: requestOptions(ctx, { ...use, holder: secret }, []), secret };
}

/** The options with which a browser answers by one of the passkeys; or by any that it has if there are none. */
export function requestOptions(
  ctx: Context,
  use: ChallengeUse,
  passkeys: readonly PasskeyRow[],
): RequestOptions {
  return {
    rpId: relyingPartyId(ctx.config),
    challenge: newChallenge(ctx, use),
    timeout: PASSKEY_SECONDS * 1000,
    userVerification: 'required',
    allowCredentials: passkeys.map(descriptor),
  };
}

const useOf = ({ of, sessionId }: PasskeyOwner, purpose: 'create' | 'confirm'): ChallengeUse => ({
  of,
  purpose,
  holder: sessionId,
});

const descriptor = ({ credential_id: id, transports }: PasskeyRow) => ({
  id,
  type: 'public-key' as const,
  transports,
});

function presentedPasskey({ uuid, name, synced, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    uuid,
    name,
    is_synced: synced,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
