import type {
  CreationOptions,
  NewPasskey,
  Passkey,
  RequestOptions,
} from '@bidwell/contract/accounts/passkey';
import type { Context } from '../../../context.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import {
  type PasskeyOwner,
  confirmationOptions,
  creationOptions,
  dropPasskey,
  renameStoredPasskey,
  passkeyList,
  storePasskey,
} from '../passkeys/passkeys.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import { type OwnSession, lockedSession, ownSession } from './own-sign-in.ts';
import type { OperatorRow } from './store.ts';

// The authenticator app stays, so the last passkey may be removed. Recovery codes are made apart.

const ownerOf = ({ accountUuid, sessionId }: OwnSession): PasskeyOwner => ({
  of: 'operator',
  accountUuid,
  sessionId,
});

/** The passkeys of the operator, the oldest first. Throws NotFound for the holder of OPERATOR_TOKEN, as all below. */
export async function listOperatorPasskeys(ctx: Context, operator: Operator): Promise<Passkey[]> {
  requireOperatorPermission(operator, 'session.own');
  return passkeyList(ctx.db, (await ownSession(ctx, operator)).accountUuid);
}

/**
 * The options with which a browser makes a passkey of the operator, for this session. Throws Forbidden without a recent proof of who they
 * are; Conflict as {@link creationOptions}.
 */
export async function startOperatorPasskey(ctx: Context, operator: Operator): Promise<CreationOptions> {
  requireOperatorPermission(operator, 'session.own');
  const { settings } = await ctx.brand.current();
  return transact(ctx.db, async (tx) => {
    const own = await lockedSession(ctx, tx, operator);
    const { login, name } = own.row;
    return creationOptions(ctx, tx.db, ownerOf(own), { login, displayName: name, product: settings.name });
  });
}

/**
 * Adds a passkey that the operator's browser made. Throws Invalid for one that is not accepted; Forbidden and Conflict as
 * {@link startOperatorPasskey}, and Conflict for one that is there.
 */
export async function addOperatorPasskey(
  ctx: Context,
  operator: Operator,
  made: NewPasskey,
): Promise<Passkey> {
  requireOperatorPermission(operator, 'session.own');
  return transact(ctx.db, async (tx) => {
    const own = await lockedSession(ctx, tx, operator);
    const passkey = await storePasskey(ctx, tx.db, ownerOf(own), made);
    await record(ctx, tx, own.row, { action: 'Added a passkey of', before: null, after: passkey.name });
    return passkey;
  });
}

/** Renames a passkey of the operator. Throws NotFound; Forbidden as {@link startOperatorPasskey}. */
export async function renameOperatorPasskey(
  ctx: Context,
  operator: Operator,
  change: { uuid: string; name: string },
): Promise<Passkey> {
  requireOperatorPermission(operator, 'session.own');
  return transact(ctx.db, async (tx) => {
    const { row } = await lockedSession(ctx, tx, operator);
    const { before, passkey } = await renameStoredPasskey(tx.db, row.uuid, change);
    await record(ctx, tx, row, { action: 'Renamed a passkey of', before, after: passkey.name });
    return passkey;
  });
}

/** Removes a passkey of the operator. Throws NotFound; Forbidden as {@link startOperatorPasskey}. */
export async function removeOperatorPasskey(
  ctx: Context,
  operator: Operator,
  { uuid }: { uuid: string },
): Promise<void> {
  requireOperatorPermission(operator, 'session.own');
  await transact(ctx.db, async (tx) => {
    const { row } = await lockedSession(ctx, tx, operator);
    const before = await dropPasskey(tx.db, row.uuid, uuid);
    await record(ctx, tx, row, { action: 'Removed a passkey of', before, after: null });
  });
}

/** The options with which a browser proves by a passkey who makes the calls of the session. Throws Conflict without a passkey. */
export async function startOperatorPasskeyConfirmation(
  ctx: Context,
  operator: Operator,
): Promise<RequestOptions> {
  requireOperatorPermission(operator, 'session.own');
  return confirmationOptions(ctx, ownerOf(await ownSession(ctx, operator)));
}

/** Writes a passkey that came, went or got another name to the audit log. */
async function record(
  ctx: Context,
  tx: Tx,
  row: OperatorRow,
  { action, before, after }: { action: string; before: string | null; after: string | null },
): Promise<void> {
  await recordAuditEntry(ctx, tx, row, {
    action,
    entity: 'operator',
    entityId: row.uuid,
    name: row.login,
    before: { passkey: before },
    after: { passkey: after },
  });
}
