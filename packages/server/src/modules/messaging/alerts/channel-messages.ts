import { companyAlertMessages } from '@bidwell/contract/alerts/messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import type { PostedMessage } from '../../../platform/outbound/post-message.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { type MessageKind, queueMessage, removeMessages } from '../messages.ts';
import { notify } from '../notifications/service.ts';
import { channelSecretPlace, type ChannelRow } from './channel-store.ts';
import {
  type DeliveryRow,
  beginDelivery,
  failWaiting,
  updateTried,
  waitingWithoutMessage,
} from './delivery-store.ts';
import type { AlertMessage } from '@bidwell/contract/alerts/schema';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import { signedHeaders } from '../../../platform/outbound/sign-message.ts';
import { findOwned, lockOwned, setOwned } from '../../../platform/postgres/stores/owned-store.ts';

/** Minutes from one try to the next; after the last one a delivery has failed. A day in all. */
const DELAYS_MINUTES = [0.1, 0.5, 2, 10, 30, 60, 120, 240, 480, 480];
/** A channel whose deliveries have all failed for this long is switched off. */
const GIVE_UP_MS = 3 * 86_400_000;
/** The receiver does not want any further message. */
const GONE = 410;
/** Deliveries that an earlier release left waiting, of one call. */
const ADOPTED_MAX = 500;

const ALERT = { name: 'alert', lane: 'today_post' } as const;

/** Deliveries to channels as messages. One delivery of a channel is under way at a time. */
export const alertMessages: MessageKind = {
  ...ALERT,
  retries: { delaysMs: DELAYS_MINUTES.map((minutes) => minutes * 60_000), jitter: [1, 1.1] },
  async send(ctx, { about, attempts, companyId }, { cutOff }) {
    const begun = { uuid: about, attempts, at: ctx.now() };
    const delivery = companyId === null ? undefined : await beginDelivery(ctx.db, companyId, begun);
    if (!delivery) return { result: 'dropped' };
    const { company_uuid, channel_uuid: channelId } = delivery;
    const channel = await findOwned(ctx.db, 'alert_channels', company_uuid, channelId);
    if (!channel?.is_enabled || channel.secret === null)
      return {
        result: 'dropped',
        settle: async ({ db }) =>
          failWaiting(db, company_uuid, { channelId, error: companyAlertMessages.alertChannelOff }),
      };
    const secret = ctx.encryption.decrypt(channel.secret, channelSecretPlace(channelId));
    const { address, ...request } = channelRequest(
      { ...channel, secret },
      { id: delivery.uuid, at: ctx.now(), message: delivery.message },
    );
    const posted = await ctx.postMessage(address, request, cutOff);
    const settle = async (tx: Tx, nextAt: Date | null) =>
      settleDelivery(ctx, tx, { delivery, posted, nextAt });
    if (isTaken(posted)) return { result: 'sent', settle };
    const reason = posted.failure ?? `the status ${posted.status}`;
    return { result: 'failed', reason, isFinal: posted.status === GONE, settle };
  },
  async giveUp(_ctx, { db }, { about, companyId }) {
    if (companyId === null) return;
    await updateTried(db, companyId, {
      uuid: about,
      status: 'failed',
      nextAt: null,
      responseStatus: null,
      responseStart: null,
      error: companyAlertMessages.alertNotSent,
    });
  },
};

/** Queues a delivery to a channel in a transaction, in place of one that is still queued. */
export async function queueDelivery(
  ctx: Context,
  tx: Tx,
  channel: Pick<ChannelRow, 'uuid' | 'company_uuid' | 'type' | 'target'>,
  { uuid, attempts, dueAt }: { uuid: string; attempts: number; dueAt: Date },
): Promise<void> {
  const { company_uuid: companyId, uuid: channelId } = channel;
  await removeMessages(tx.db, ALERT, uuid);
  const host = hostOf(channel);
  await queueMessage(ctx, tx, ALERT, { about: uuid, companyId, queue: channelId, host, attempts, dueAt });
}

/** Queues deliveries that a server of an earlier release left waiting. */
export async function adoptDeliveries(ctx: Context): Promise<void> {
  await transact(ctx.db, async (tx) => {
    for (const { uuid, attempts, next_attempt_at, ...channel } of await waitingWithoutMessage(
      tx.db,
      ADOPTED_MAX,
    ))
      await queueDelivery(
        ctx,
        tx,
        { ...channel, uuid: channel.channel_uuid },
        { uuid, attempts, dueAt: next_attempt_at },
      );
  });
}

/** The host of Telegram's bots. */
const TELEGRAM_HOST = 'api.telegram.org';

/** The host of a channel: of a webhook its address is shown, of Slack the start of it. */
function hostOf({ type, target }: Pick<ChannelRow, 'type' | 'target'>): string {
  if (type === 'telegram') return TELEGRAM_HOST;
  return type === 'webhook' ? new URL(target).host : target.slice(0, target.indexOf('/'));
}

const isTaken = ({ status }: PostedMessage): boolean => status !== null && status >= 200 && status < 300;

/** Stores the outcome of a try, and the resulting state of the channel. */
async function settleDelivery(
  ctx: Context,
  tx: Tx,
  { delivery, posted, nextAt }: { delivery: DeliveryRow; posted: PostedMessage; nextAt: Date | null },
): Promise<void> {
  const { uuid, company_uuid: companyId, channel_uuid: channelId } = delivery;
  const channel = await lockOwned(tx.db, 'alert_channels', companyId, channelId);
  if (!channel) return;
  const isDelivered = isTaken(posted);
  await updateTried(tx.db, companyId, {
    uuid,
    status: isDelivered ? 'delivered' : nextAt ? 'waiting' : 'failed',
    nextAt,
    responseStatus: posted.status,
    responseStart: posted.status === null ? null : posted.start,
    error: posted.failure && companyAlertMessages.alertFailure[posted.failure],
  });
  const now = ctx.now();
  if (isDelivered) {
    await setOwned(tx.db, 'alert_channels', companyId, channelId, { failing_since: null, delivered_at: now });
    return;
  }
  const failing_since = channel.failing_since ?? now;
  if (!isGivenUp(channel, { failingSince: failing_since, now, status: posted.status })) {
    await setOwned(tx.db, 'alert_channels', companyId, channelId, { failing_since });
    return;
  }
  await setOwned(tx.db, 'alert_channels', companyId, channelId, {
    failing_since,
    is_enabled: false,
    is_given_up: true,
  });
  await failWaiting(tx.db, companyId, { channelId, error: companyAlertMessages.alertChannelOff });
  await notify(ctx, tx, companyId, {
    kind: 'alert_channel',
    ...notificationMessages.alertChannelGivenUp(channel.name),
    entity: { type: 'alert_channel', uuid: channelId },
  });
}

function isGivenUp(
  { is_enabled }: ChannelRow,
  { failingSince, now, status }: { failingSince: Date; now: Date; status: number | null },
): boolean {
  return is_enabled && (status === GONE || now.getTime() - failingSince.getTime() >= GIVE_UP_MS);
}

/** The posted body, and its address. */
interface ChannelRequest {
  address: string;
  headers: Record<string, string>;
  body: string;
}

/** The request of an alert to a channel, whose `secret` is in plain text. `id` stays the same when it is sent again. Pure. */
function channelRequest(
  channel: { type: 'webhook' | 'slack' | 'telegram'; target: string; secret: string },
  { id, at, message }: { id: string; at: Date; message: AlertMessage },
): ChannelRequest {
  const { type, target, secret } = channel;
  if (type === 'webhook') {
    const body = JSON.stringify(message);
    return { address: target, headers: signedHeaders(secret, { id, at, body }), body };
  }
  const text = textOf(message);
  if (type === 'slack')
    return {
      address: secret,
      headers: {},
      body: JSON.stringify({ text: slackEscaped(text), unfurl_links: false, unfurl_media: false }),
    };
  const body = JSON.stringify({
    chat_id: target,
    text,
    link_preview_options: { is_disabled: true },
  });
  return { address: `https://${TELEGRAM_HOST}/bot${secret}/sendMessage`, headers: {}, body };
}

/** Longest message of Telegram is 4096 characters; Slack cuts longer ones off. */
const TEXT_CHARS_MAX = 3000;

function textOf({ data }: AlertMessage): string {
  const text = unlinked(`${data.title} (${data.company_name})\n${data.text}`);
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
}

/** Without this a name could mention all people of a channel, or hide a link. */
function slackEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
