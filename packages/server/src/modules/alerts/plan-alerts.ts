import { type AlertKind, alertKindOf } from '@bidwell/contract/alerts/kinds';
import type { AlertMessage } from '@bidwell/contract/alerts/schema';
import { messages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../context.ts';
import { type Tx, transact } from '../../platform/postgres/transaction.ts';
import { listChannelRows } from './channel-store.ts';
import { insertDelivery, waitingByChannel } from './delivery-store.ts';
import { type OutboxRow, takeFromOutbox } from './outbox-store.ts';

/** Notifications of one run. */
const TAKEN = { limit: 200, perCompany: 20 };
/** Deliveries that wait for a channel at most. Further ones are in its log and are not tried. */
const WAITING_MAX = 500;

/**
 * Writes the deliveries of new notifications, in the transaction that takes them out of the outbox: each is written once,
 * however many servers run this. Resolves to whether more may wait.
 */
export async function planAlerts(ctx: Context): Promise<boolean> {
  const taken = await transact(ctx.db, async (tx) => {
    const rows = await takeFromOutbox(tx.db, TAKEN);
    for (const companyId of new Set(rows.map((row) => row.companyId)))
      await planCompany(
        ctx,
        tx,
        companyId,
        rows.filter((row) => row.companyId === companyId),
      );
    return rows.length;
  });
  return taken > 0;
}

async function planCompany(
  ctx: Context,
  tx: Tx,
  companyId: string,
  rows: readonly OutboxRow[],
): Promise<void> {
  const alerts = rows.flatMap((row) => {
    const kind = alertKindOf(row.kind);
    return kind === null ? [] : [{ kind, row }];
  });
  if (alerts.length > 0) await planChannels(ctx, tx, companyId, alerts);
}

async function planChannels(
  ctx: Context,
  tx: Tx,
  companyId: string,
  alerts: readonly { kind: AlertKind; row: OutboxRow }[],
): Promise<void> {
  const channels = (await listChannelRows(tx.db, companyId)).filter(({ is_enabled }) => is_enabled);
  if (channels.length === 0) return;
  const waiting = new Map(await waitingByChannel(tx.db, companyId));
  for (const { kind, row } of alerts)
    for (const channel of channels.filter(({ kinds }) => kinds.includes(kind))) {
      const count = (waiting.get(channel.uuid) ?? 0) + 1;
      waiting.set(channel.uuid, count);
      await insertDelivery(tx.db, companyId, {
        uuid: uuidv7(),
        channelId: channel.uuid,
        message: messageOf(kind, row),
        at: ctx.now(),
        error: count > WAITING_MAX ? messages.alertQueueFull : null,
      });
    }
}

function messageOf(kind: AlertKind, row: OutboxRow): AlertMessage {
  return {
    type: `alert.${kind}`,
    timestamp: row.createdAt.toISOString(),
    data: {
      company_uuid: row.companyId,
      company_name: row.companyName,
      title: row.title,
      text: row.text,
      severity: row.severity ?? 'info',
      entity_type: row.entityType,
      entity_uuid: row.entityId,
      notification_uuid: row.uuid,
    },
  };
}
