import {
  type AddedPasskey,
  type CreationOptions,
  type NewPasskey,
  PASSKEY_SECONDS,
  type Passkey,
  type RequestOptions,
} from '@bidwell/contract/accounts/passkey';
import { limits } from '@bidwell/contract/lib/limits';
import { apiMessages, notificationMessages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/service.ts';
import { lockedActor } from '../sign-in/actor.ts';
import { newRecoveryCodes } from '../sign-in/recovery-codes.ts';
import { afterRemovedFactor } from '../sign-in/removed-factor.ts';
import { notifyPerson } from '../sign-in/notify-person.ts';
import type { UserWithCompany } from '../store.ts';
import { type ChallengeUse, newChallenge } from './challenge.ts';
import {
  type PasskeyRow,
  countPasskeys,
  deletePasskey,
  insertPasskey,
  passkeysOf,
  updatePasskeyName,
} from './passkey-store.ts';
import { relyingPartyId } from './relying-party.ts';
import { ALGORITHMS, userHandleOf, verifyCreation } from './verify.ts';

/** The passkeys of the actor, the oldest first. */
export async function listPasskeys(ctx: Context, actor: Session): Promise<Passkey[]> {
  requirePermission(actor, 'sign_in.read');
  return (await passkeysOf(ctx.db, actor.userId)).map(presented);
}

/**
 * The options with which a browser makes a passkey of the actor, for this session. Throws Forbidden without a recent proof of who they
 * are, and in a session by single sign-on; Conflict beyond {@link limits.passkeysMax}.
 */
export async function startPasskey(ctx: Context, actor: Session): Promise<CreationOptions> {
  requirePermission(actor, 'sign_in.write');
  const { settings } = await ctx.brand.current();
  return transact(ctx.db, async (tx) => {
    const { uuid, login, first_name, last_name } = await lockedActor(ctx, actor, tx);
    const present = await passkeysOf(tx.db, uuid);
    if (present.length >= limits.passkeysMax) throw new Conflict(apiMessages.passkeysFull);
    return {
      rp: { id: relyingPartyId(ctx.config), name: settings.name },
      user: {
        id: userHandleOf(uuid),
        name: login,
        displayName: [first_name, last_name].filter(Boolean).join(' '),
      },
      challenge: newChallenge(ctx, useOf(actor, 'create')),
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
  });
}

/**
 * Adds a passkey that the actor's browser made; with the first second factor come recovery codes. Throws Invalid for one that is not
 * accepted; Forbidden and Conflict as {@link startPasskey}, and Conflict for one that is there.
 */
export async function addPasskey(
  ctx: Context,
  actor: Session,
  { name, credential }: NewPasskey,
): Promise<AddedPasskey> {
  requirePermission(actor, 'sign_in.write');
  return transact(ctx.db, async (tx) => {
    const user = await lockedActor(ctx, actor, tx);
    if ((await countPasskeys(tx.db, user.uuid)) >= limits.passkeysMax)
      throw new Conflict(apiMessages.passkeysFull);
    const made = await verifyCreation(ctx, tx.db, useOf(actor, 'create'), credential);
    if (!made) throw new Invalid([{ field: 'credential', message: apiMessages.passkeyRefused }]);
    const now = ctx.now();
    const row = {
      uuid: uuidv7(),
      account_uuid: user.uuid,
      ...made,
      name,
      created_at: now,
      last_used_at: null,
    };
    if (!(await insertPasskey(tx.db, row))) throw new Conflict(apiMessages.passkeyThere);
    const codes = user.has_factor ? [] : await newRecoveryCodes(tx.db, user.uuid, now);
    await record(ctx, actor, tx, { user, before: null, after: name });
    await notifyPerson(ctx, tx, actor, (login) => notificationMessages.passkeyAdded(login, name));
    return { passkey: presented(row), recovery_codes: codes };
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
    const before = (await passkeysOf(tx.db, user.uuid)).find(({ uuid }) => uuid === change.uuid);
    const renamed = await updatePasskeyName(tx.db, user.uuid, change);
    if (!before || !renamed) throw new NotFound('Passkey');
    await record(ctx, actor, tx, { user, before: before.name, after: renamed.name });
    return presented(renamed);
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
    const removed = await deletePasskey(tx.db, user.uuid, uuid);
    if (!removed) throw new NotFound('Passkey');
    await afterRemovedFactor(ctx, tx.db, user.uuid);
    await record(ctx, actor, tx, { user, before: removed.name, after: null });
    await notifyPerson(ctx, tx, actor, (login) => notificationMessages.passkeyRemoved(login, removed.name));
  });
}

/** The options with which a browser proves by a passkey who makes the calls of the session. Throws Conflict without a passkey. */
export async function startPasskeyConfirmation(ctx: Context, actor: Session): Promise<RequestOptions> {
  requirePermission(actor, 'sign_in.write');
  const present = await passkeysOf(ctx.db, actor.userId);
  if (present.length === 0) throw new Conflict(apiMessages.noPasskey);
  return requestOptions(ctx, useOf(actor, 'confirm'), present);
}

/** The options with which a browser answers by one of the passkeys; by any that it has where there are none. */
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

const useOf = ({ sessionId }: Session, purpose: 'create' | 'confirm'): ChallengeUse => ({
  purpose,
  holder: sessionId,
});

const descriptor = ({ credential_id: id, transports }: PasskeyRow) => ({
  id,
  type: 'public-key' as const,
  transports,
});

function presented({ uuid, name, synced, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    uuid,
    name,
    is_synced: synced,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
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
