import {
  ALERT_DELIVERIES_LISTED,
  type AlertDeliveriesQuery,
  type AlertDelivery,
  type AlertDeliveryPage,
  type AlertMessage,
} from '@bidwell/contract/alerts/schema';
import { companyAlertApiMessages } from '@bidwell/contract/alerts/api-messages';
import { companyAlertMessages } from '@bidwell/contract/alerts/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';
import { queueDelivery } from './channel-messages.ts';
import { companyNameOf } from './preferences.ts';
import {
  type DeliveryRow,
  deleteDeliveriesBefore,
  insertDelivery,
  listDeliveryRows,
  restartDelivery,
} from './delivery-store.ts';
import { requireChannel } from './channel-store.ts';
import { findOwned } from '../../../platform/postgres/stores/owned-store.ts';

/** Retention of deliveries, in days. */
const DELIVERY_DAYS = 30;

/** A page of the deliveries to a channel, newest first. Throws NotFound. */
export async function listAlertDeliveries(
  ctx: Context,
  actor: Actor,
  { uuid, cursor }: { uuid: string } & AlertDeliveriesQuery,
): Promise<AlertDeliveryPage> {
  requirePermission(actor, 'alert.read');
  const { companyId } = actor;
  await requireChannel(ctx.db, companyId, uuid);
  const rows = await listDeliveryRows(ctx.db, companyId, {
    channelId: uuid,
    after: cursor,
    limit: ALERT_DELIVERIES_LISTED + 1,
  });
  const deliveries = rows.slice(0, ALERT_DELIVERIES_LISTED);
  const last = deliveries.at(-1);
  const hasMore = rows.length > deliveries.length && last !== undefined;
  return {
    deliveries: deliveries.map(presentDelivery),
    next: hasMore ? last.uuid.replaceAll('-', '') : null,
  };
}

/** Sends a test alert to a channel that is switched on. Throws NotFound, and Conflict for one that is off. */
export async function testAlertChannel(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<AlertDelivery> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  const channel = await requireChannel(ctx.db, companyId, uuid);
  if (!channel.is_enabled) throw new Conflict(companyAlertMessages.alertChannelOff);
  const at = ctx.now();
  const message: AlertMessage = {
    type: 'alert.test',
    timestamp: at.toISOString(),
    data: {
      company_uuid: companyId,
      company_name: (await companyNameOf(ctx.db, companyId)) ?? '',
      title: companyAlertMessages.alertTestTitle,
      text: companyAlertMessages.alertTestText(channel.name),
      severity: 'info',
      entity_type: null,
      entity_uuid: null,
      notification_uuid: null,
    },
  };
  const id = uuidv7();
  await transact(ctx.db, async (tx) => {
    await insertDelivery(tx.db, companyId, { uuid: id, channelId: uuid, message, at, error: null });
    await queueDelivery(ctx, tx, channel, { uuid: id, attempts: 0, dueAt: at });
  });
  return presentDelivery(await deliveryRowOf(ctx.db, companyId, id));
}

/**
 * Sends a delivery once more, with its id, as if it had not been tried. Throws NotFound; Conflict where it waits already or its
 * channel is off.
 */
export async function replayAlertDelivery(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<AlertDelivery> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const { db } = tx;
    const before = await deliveryRowOf(db, companyId, uuid);
    const channel = await requireChannel(db, companyId, before.channel_uuid);
    if (!channel.is_enabled) throw new Conflict(companyAlertMessages.alertChannelOff);
    const at = ctx.now();
    // Before the delivery: a try locks both in this order.
    await queueDelivery(ctx, tx, channel, { uuid, attempts: 0, dueAt: at });
    if (!(await restartDelivery(db, companyId, { uuid, at })))
      throw new Conflict(companyAlertApiMessages.alertWaits);
    return presentDelivery(await deliveryRowOf(db, companyId, uuid));
  });
}

/** Deletes deliveries that are older than thirty days. */
export async function deleteExpiredDeliveries(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, DELIVERY_DAYS, deleteDeliveriesBefore);
}

async function deliveryRowOf(db: Db, companyId: string, uuid: string): Promise<DeliveryRow> {
  const row = await findOwned(db, 'alert_deliveries', companyId, uuid);
  if (!row) throw new NotFound('Delivery');
  return row;
}

function presentDelivery(row: DeliveryRow): AlertDelivery {
  const { uuid, message, status, attempts, response_status, response_start, error } = row;
  return {
    uuid,
    kind: message.type,
    title: message.data.title,
    status,
    attempts,
    attempted_at: row.attempted_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    response_status,
    response_start,
    error,
    created_at: row.created_at.toISOString(),
  };
}
