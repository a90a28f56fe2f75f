import {
  ALERT_CHANNELS_MAX,
  type AlertChannel,
  type AlertChannelInput,
  type AlertChannelUpdate,
  type NewAlertChannel,
} from '@bidwell/contract/alerts/schema';
import { companyAlertApiMessages } from '@bidwell/contract/alerts/api-messages';
import { companyAlertMessages } from '@bidwell/contract/alerts/messages';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { isInternalHost, isReceiver } from '../../../platform/outbound/receivers.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { channelSecretPlace, type ChannelRow, listChannelRows } from './channel-store.ts';
import { failWaiting } from './delivery-store.ts';
import { newSigningSecret } from '../../../platform/outbound/sign-message.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import {
  countOwnedLocked,
  deleteOwned,
  insertOwned,
  lockOwned,
  setOwned,
} from '../../../platform/postgres/stores/owned-store.ts';

/** The channels of the company, in the order of their creation. */
export async function listAlertChannels(ctx: Context, actor: Actor): Promise<AlertChannel[]> {
  requirePermission(actor, 'alert.read');
  return (await listChannelRows(ctx.db, actor.companyId)).map(presentChannel);
}

/**
 * Adds a channel. Only this response has the secret that signs the messages of a webhook. Throws Conflict if there are ten, and Invalid
 * for an address that would never be posted to.
 */
export async function createAlertChannel(
  ctx: Context,
  actor: Actor,
  input: AlertChannelInput,
): Promise<NewAlertChannel> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  const { target, secret, signingSecret } = destinationOf(ctx, input);
  const uuid = uuidv7();
  const row = {
    uuid,
    type: input.type,
    name: input.name,
    target,
    secret: ctx.encryption.encrypt(secret, channelSecretPlace(uuid)),
    kinds: input.kinds,
    is_enabled: true,
    is_given_up: false,
    failing_since: null,
    delivered_at: null,
    created_at: ctx.now(),
  };
  await transact(ctx.db, async (tx) => {
    if ((await countOwnedLocked(tx.db, 'alert_channels', companyId)) >= ALERT_CHANNELS_MAX)
      throw new Conflict(companyAlertApiMessages.alertChannelLimit(ALERT_CHANNELS_MAX));
    await insertOwned(tx.db, 'alert_channels', companyId, row);
    await recordChange(ctx, tx, actor, {
      entity: 'alert_channel',
      uuid,
      name: row.name,
      after: loggedFields(row),
    });
  });
  return { ...presentChannel({ ...row, company_uuid: companyId }), signing_secret: signingSecret };
}

/** Changes a channel. Switching it on again resets its failures. Throws NotFound. */
export async function updateAlertChannel(
  ctx: Context,
  actor: Actor,
  { uuid, ...update }: AlertChannelUpdate & { uuid: string },
): Promise<AlertChannel> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const before = await lockOwned(tx.db, 'alert_channels', companyId, uuid);
    if (!before) throw new NotFound('Channel');
    await requireExpected(() => presentChannel(before));
    const after = { ...before, ...withoutAbsent(update) };
    if (after.is_enabled && after.secret === null)
      throw new Invalid([{ field: 'is_enabled', message: companyAlertMessages.alertSecretLost }]);
    if (after.is_enabled && !before.is_enabled) {
      after.is_given_up = false;
      after.failing_since = null;
    }
    const { name, kinds, is_enabled, is_given_up, failing_since } = after;
    await setOwned(tx.db, 'alert_channels', companyId, uuid, {
      name,
      kinds,
      is_enabled,
      is_given_up,
      failing_since,
    });
    if (!is_enabled)
      await failWaiting(tx.db, companyId, { channelId: uuid, error: companyAlertMessages.alertChannelOff });
    await recordChange(ctx, tx, actor, {
      entity: 'alert_channel',
      uuid,
      name,
      before: loggedFields(before),
      after: loggedFields(after),
    });
    return presentChannel(after);
  });
}

/** Removes a channel with its deliveries. Throws NotFound. */
export async function deleteAlertChannel(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<void> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    const before = await lockOwned(tx.db, 'alert_channels', companyId, uuid);
    if (!before) throw new NotFound('Channel');
    await requireExpected(() => presentChannel(before));
    await deleteOwned(tx.db, 'alert_channels', companyId, uuid);
    await recordChange(ctx, tx, actor, {
      entity: 'alert_channel',
      uuid,
      name: before.name,
      before: loggedFields(before),
    });
  });
}

/** The visible and the secret part of a destination. Throws Invalid. */
function destinationOf(
  ctx: Context,
  input: AlertChannelInput,
): { target: string; secret: string; signingSecret: string | null } {
  if (input.type === 'telegram')
    return { target: input.chat_id, secret: input.bot_token, signingSecret: null };
  const url = new URL(input.url);
  if (url.protocol !== 'https:' && !isInternalHost(url, ctx.config.alertInternalHosts))
    throw new Invalid([{ field: 'url', message: companyAlertMessages.webhookUrl }]);
  if (!isReceiver(url, ctx.config.alertInternalHosts))
    throw new Invalid([{ field: 'url', message: companyAlertMessages.receiverPrivate }]);
  if (input.type === 'slack')
    return { target: `${url.host}/…${url.href.slice(-4)}`, secret: url.href, signingSecret: null };
  const signingSecret = newSigningSecret(randomBytes(32));
  return { target: url.href, secret: signingSecret, signingSecret };
}

const loggedFields = ({
  name,
  kinds,
  target,
  is_enabled,
}: Pick<ChannelRow, 'name' | 'kinds' | 'target' | 'is_enabled'>) => ({
  name,
  kinds,
  target,
  is_enabled,
});

function withoutAbsent<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

function presentChannel(row: ChannelRow): AlertChannel {
  const { uuid, type, name, target, kinds, is_enabled, is_given_up } = row;
  return {
    uuid,
    type,
    name,
    target,
    kinds,
    is_enabled,
    is_given_up,
    failing_since: row.failing_since?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
