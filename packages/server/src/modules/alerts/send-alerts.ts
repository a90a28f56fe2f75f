import { messages, notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../context.ts';
import type { PostedMessage } from '../../platform/outbound/post-message.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { notify } from '../notifications/service.ts';
import { channelRequest } from './channel-request.ts';
import { channelSecretPlace } from './channel-secret.ts';
import { type ChannelRow, findChannelRow, lockChannelRow, updateChannelRow } from './channel-store.ts';
import {
  type ClaimedDelivery,
  type TriedDelivery,
  claimDeliveries,
  failWaiting,
  updateTried,
} from './delivery-store.ts';
import { retryAt } from './retry-times.ts';

/** Messages under way in this process. Channels that fail take no place of the others. */
const AT_ONCE = { healthy: 24, failing: 8 };
/** A claim is longer than a message may take: another process takes over what a killed one has claimed. */
const CLAIM_MS = 60_000;
/** A channel whose deliveries have all failed for so long is switched off. */
const GIVE_UP_MS = 3 * 86_400_000;
/** The receiver does not want any further message. */
const GONE = 410;

/** Sends the deliveries that are due. */
export interface AlertSender {
  /** Begins to send what is due, and does not wait for it: a receiver that hangs delays nobody else. */
  tick(): Promise<void>;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
  /**
   * Begins nothing more, and resolves once nothing is under way: what a receiver has not answered within a second is broken off. Another
   * process, or the next start, sends it again within a minute, when its claim has ended.
   */
  stop(): Promise<void>;
}

/** What is under way when the process stops has so long to be answered. */
const STOP_MS = 1000;

/** Creates a sender. Of a channel one message is under way at a time. */
export function createAlertSender(ctx: Context, stopMs = STOP_MS): AlertSender {
  let isStopping = false;
  const cutOff = new AbortController();
  const underWay = new Map<string, { isFailing: boolean; done: Promise<void> }>();
  const begin = (delivery: ClaimedDelivery, isFailing: boolean): void => {
    const { channelId, uuid } = delivery;
    const done = deliver(ctx, delivery, cutOff.signal)
      .catch((err: unknown) => ctx.log.error({ err, delivery: uuid }, 'an alert was not sent'))
      .finally(() => underWay.delete(channelId));
    underWay.set(channelId, { isFailing, done });
  };
  const claim = async (isFailing: boolean, atOnce: number): Promise<void> => {
    const limit = atOnce - [...underWay.values()].filter((each) => each.isFailing === isFailing).length;
    if (limit <= 0 || isStopping) return;
    const now = ctx.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const busy = [...underWay.keys()];
    for (const delivery of await claimDeliveries(ctx.db, { now, until, limit, busy, isFailing }))
      begin(delivery, isFailing);
  };
  const idle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ done }) => done));
  };
  return {
    async tick() {
      await claim(false, AT_ONCE.healthy);
      await claim(true, AT_ONCE.failing);
    },
    idle,
    async stop() {
      isStopping = true;
      const timer = setTimeout(() => cutOff.abort(), stopMs);
      await idle();
      clearTimeout(timer);
    },
  };
}

async function deliver(ctx: Context, delivery: ClaimedDelivery, cutOff: AbortSignal): Promise<void> {
  const { companyId, channelId } = delivery;
  const channel = await findChannelRow(ctx.db, companyId, channelId);
  if (!channel || channel.secret === null) return;
  const secret = ctx.encryption.decrypt(channel.secret, channelSecretPlace(channelId));
  const { address, ...request } = channelRequest(
    { ...channel, secret },
    { id: delivery.uuid, at: ctx.now(), message: delivery.message },
  );
  const posted = await ctx.postMessage(address, request, cutOff);
  // Not the receiver's fault: the claim ends by itself.
  if (cutOff.aborted && posted.status === null) return;
  await settle(ctx, delivery, posted);
}

/** Stores what became of a try, and what that says of the channel. */
async function settle(ctx: Context, delivery: ClaimedDelivery, posted: PostedMessage): Promise<void> {
  const { uuid, companyId, channelId, attempts } = delivery;
  const isDelivered = posted.status !== null && posted.status >= 200 && posted.status < 300;
  const now = ctx.now();
  const nextAt = isDelivered || posted.status === GONE ? null : retryAt(now, attempts);
  const tried: TriedDelivery = {
    uuid,
    status: isDelivered ? 'delivered' : nextAt ? 'waiting' : 'failed',
    nextAt,
    responseStatus: posted.status,
    responseStart: posted.status === null ? null : posted.start,
    error: posted.failure && messages.alertFailure[posted.failure],
  };
  await transact(ctx.db, async (tx) => {
    const channel = await lockChannelRow(tx.db, companyId, channelId);
    if (!channel) return;
    await updateTried(tx.db, companyId, tried);
    if (isDelivered) {
      await updateChannelRow(tx.db, companyId, channelId, { failing_since: null, delivered_at: now });
      return;
    }
    const failing_since = channel.failing_since ?? now;
    if (!isGivenUp(channel, { failingSince: failing_since, now, status: posted.status })) {
      await updateChannelRow(tx.db, companyId, channelId, { failing_since });
      return;
    }
    await updateChannelRow(tx.db, companyId, channelId, {
      failing_since,
      is_enabled: false,
      is_given_up: true,
    });
    await failWaiting(tx.db, companyId, { channelId, error: messages.alertChannelOff });
    await notify(ctx, tx, companyId, {
      kind: 'alert_channel',
      ...notificationMessages.alertChannelGivenUp(channel.name),
      entity: { type: 'alert_channel', uuid: channelId },
    });
  });
}

function isGivenUp(
  { is_enabled }: ChannelRow,
  { failingSince, now, status }: { failingSince: Date; now: Date; status: number | null },
): boolean {
  return is_enabled && (status === GONE || now.getTime() - failingSince.getTime() >= GIVE_UP_MS);
}
