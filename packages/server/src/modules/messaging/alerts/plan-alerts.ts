import { type AlertKind, alertKindOf, isMailedToPerson } from '@bidwell/contract/alerts/kinds';
import type { AlertMessage } from '@bidwell/contract/alerts/schema';
import { companyAlertMessages } from '@bidwell/contract/alerts/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { queueDelivery } from './channel-messages.ts';
import { listChannelRows } from './channel-store.ts';
import { insertDelivery, waitingByChannel } from './delivery-store.ts';
import { insertMailItem, mailItemsByUser } from './mail-store.ts';
import { mailDueAt } from './mail-times.ts';
import { listReaders, kindsOf, mailTimesOf } from './preferences.ts';
import type { NotificationSeverity } from '@bidwell/contract/notifications/severity';
import { sql } from 'kysely';

interface Alert {
  kind: AlertKind;
  row: OutboxRow;
}

/** Notifications of one run. */
const TAKEN = { limit: 200, perCompany: 20 };
/**
 * Deliveries that wait for a channel, and alerts for a person, at most. Further ones of a channel are in its log and are not
 * tried; further ones for a person are in the console only.
 */
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
    const kind = row.userId === null ? alertKindOf(row.kind) : null;
    return kind === null ? [] : [{ kind, row }];
  });
  const own = rows.filter(({ userId, kind }) => userId !== null && isMailedToPerson(kind));
  if (alerts.length > 0) await planChannels(ctx, tx, companyId, alerts);
  if (ctx.mailer && alerts.length + own.length > 0) await planMails(ctx, tx, companyId, { alerts, own });
}

async function planChannels(
  ctx: Context,
  tx: Tx,
  companyId: string,
  alerts: readonly Alert[],
): Promise<void> {
  const channels = (await listChannelRows(tx.db, companyId)).filter(({ is_enabled }) => is_enabled);
  if (channels.length === 0) return;
  const waiting = new Map(await waitingByChannel(tx.db, companyId));
  for (const { kind, row } of alerts)
    for (const channel of channels.filter(({ kinds }) => kinds.includes(kind))) {
      const count = (waiting.get(channel.uuid) ?? 0) + 1;
      waiting.set(channel.uuid, count);
      const [uuid, at] = [uuidv7(), ctx.now()];
      const error = count > WAITING_MAX ? companyAlertMessages.alertQueueFull : null;
      const message = messageOf(kind, row);
      await insertDelivery(tx.db, companyId, { uuid, channelId: channel.uuid, message, at, error });
      if (error === null) await queueDelivery(ctx, tx, channel, { uuid, attempts: 0, dueAt: at });
    }
}

async function planMails(
  ctx: Context,
  tx: Tx,
  companyId: string,
  { alerts, own }: { alerts: readonly Alert[]; own: readonly OutboxRow[] },
): Promise<void> {
  const waiting = new Map(await mailItemsByUser(tx.db, companyId));
  for (const reader of await listReaders(tx.db, companyId)) {
    const { userId } = reader;
    const dueAt = mailDueAt(ctx.now(), mailTimesOf(reader));
    if (dueAt === null || reader.email_confirmed_at === null) continue;
    const kinds = kindsOf(reader);
    const wanted = alerts.filter(({ kind }) => kinds.includes(kind)).map(({ row }) => row);
    for (const row of [...own.filter((each) => each.userId === userId), ...wanted]) {
      const count = waiting.get(userId) ?? 0;
      if (count >= WAITING_MAX) break;
      waiting.set(userId, count + 1);
      await insertMailItem(tx.db, companyId, { userId, notificationId: row.uuid, dueAt });
    }
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

/** A notification whose alerts are not written yet. */
interface OutboxRow {
  uuid: string;
  companyId: string;
  companyName: string;
  /** The person whose own notification it is; null for the company's. */
  userId: string | null;
  kind: string;
  title: string;
  text: string;
  severity: NotificationSeverity | null;
  entityType: string | null;
  entityId: string | null;
  createdAt: Date;
}

/**
 * Takes notifications out of the outbox in a transaction, the oldest `perCompany` of each company, `limit` in all. Crosses
 * companies, since it is a job for all.
 */
async function takeFromOutbox(
  db: Db,
  { limit, perCompany }: { limit: number; perCompany: number },
): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    with places as (
      select notification_uuid,
        row_number() over (partition by company_uuid order by created_at, notification_uuid) as place
      from alert_outbox
    ), chosen as (
      select o.notification_uuid from alert_outbox o join places on places.notification_uuid = o.notification_uuid
      where place <= ${perCompany} order by place, o.created_at limit ${limit} for update of o skip locked
    ), taken as (
      delete from alert_outbox o using chosen where o.notification_uuid = chosen.notification_uuid
      returning o.notification_uuid
    )
    select n.uuid, n.company_uuid as "companyId", c.name as "companyName", n.user_uuid as "userId", n.kind, n.title, n.text, n.severity,
      n.entity_type as "entityType", n.entity_uuid as "entityId", n.created_at as "createdAt"
    from taken join notifications n on n.uuid = taken.notification_uuid
      join companies c on c.uuid = n.company_uuid
    order by n.created_at, n.uuid`.execute(db);
  return rows;
}
