import type { NotificationKind } from '@bidwell/contract/alerts/kinds';
import type { Notification } from '@bidwell/contract/notifications/schema';
import type { Context } from '../../../context.ts';
import { type Actor, type Owner, readerOf } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import type { NotificationSeverity, NotificationMessage } from '@bidwell/contract/notifications/severity';
import type { EntityType } from '@bidwell/contract/changes/schema';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { NotificationTable, Schema } from '../../../platform/postgres/schema.ts';

const LIST_MAX = 200;

/**
 * Notifies a company, or one person of it (`userId`): inserts a row in the transaction, and on commit sends a message to its
 * open pages, which does not contain a person's own notifications. Does nothing if the company has a notification with the same `onceKey`.
 */
export async function notify(
  ctx: Context,
  tx: Tx,
  companyId: string,
  notification: Omit<NewNotification, 'at'>,
): Promise<void> {
  const uuid = await insertNotification(tx.db, companyId, { ...notification, at: ctx.now() });
  if (uuid === null) return;
  const { userId, kind, title, text } = notification;
  tx.changes(companyId);
  tx.afterCommit(() =>
    ctx.realtime.toCompany(
      companyId,
      userId === undefined
        ? { type: 'notification', uuid, kind, title, text }
        : { type: 'own_notifications' },
    ),
  );
}

/**
 * Marks notices of a company as read that are not true any more, such as a notice of a suspension that has ended: the console shows
 * an unread urgent one above every screen. Also on the company's open pages.
 */
export async function takeBack(
  ctx: Context,
  tx: Tx,
  companyId: string,
  notices: UntrueNotices,
): Promise<void> {
  const uuids = await setUntrueRead(tx.db, companyId, { ...notices, at: ctx.now() });
  if (uuids.length === 0) return;
  tx.changes(companyId);
  tx.afterCommit(() => ctx.realtime.toCompany(companyId, { type: 'read', uuids }));
}

/** Notifies a company in its own transaction, unless it has a notification with the same `onceKey`. */
export async function notifyOnce(
  ctx: Context,
  companyId: string,
  notification: Omit<NewNotification, 'at'> & { onceKey: string },
): Promise<void> {
  await transact(ctx.db, async (tx) => notify(ctx, tx, companyId, notification));
}

/** Whether a company has a notification with a `onceKey`. */
export async function hasNotification({ db }: Context, companyId: string, onceKey: string): Promise<boolean> {
  return hasOnceKey(db, companyId, onceKey);
}

/** The latest notifications of the company and the caller's own, newest first, at most 200. */
export async function listNotifications(ctx: Context, actor: Actor): Promise<Notification[]> {
  requirePermission(actor, 'notification.read');
  const { companyId } = actor;
  const rows = await latestNotifications(ctx.db, companyId, readerOf(actor), LIST_MAX);
  return rows.map(({ company_uuid: _company, user_uuid, once_key: _once, read_at, ...row }) => ({
    ...row,
    is_own: user_uuid !== null,
    severity: row.severity ?? severityByTitle(row),
    read: read_at !== null,
    created_at: row.created_at.toISOString(),
  }));
}

/** Number of the unread ones among the company's latest notifications that are critical or warnings. */
export async function countUnreadWarnings(ctx: Context, { companyId }: Owner): Promise<number> {
  const unread = await unreadAmongLatest(ctx.db, companyId, LIST_MAX);
  return unread.filter((row) => (row.severity ?? severityByTitle(row)) !== 'info').length;
}

/** Marks notifications as read, also on the company's other open pages. Ignores notifications of other companies and people. */
export async function markRead(ctx: Context, actor: Actor, ids: readonly string[]): Promise<Notification[]> {
  requirePermission(actor, 'notification.write');
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    await setRead(tx.db, companyId, { reader: readerOf(actor), uuids: ids, at: ctx.now() });
    tx.changes(companyId);
    tx.afterCommit(() => ctx.realtime.toCompany(companyId, { type: 'read', uuids: [...ids] }));
  });
  return listNotifications(ctx, actor);
}

/** Deletes notifications that are older than the setting says. */
export async function deleteExpiredNotifications(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, ctx.config.keptDays.notifications, deleteNotificationsBefore);
}

/**
 * How much a notification matters that a release without stored severities wrote: by its kind and the words of its title, as
 * that release showed it. Pure.
 */
function severityByTitle({ kind, title }: { kind: string; title: string }): NotificationSeverity {
  if (kind === 'balance' || /\bsuspended\b/i.test(title)) return 'critical';
  const isWarning =
    kind === 'anomaly' || kind === 'app' || /\b(rejected|declined|password|not started)\b/i.test(title);
  return isWarning ? 'warning' : 'info';
}

interface NewNotification extends NotificationMessage {
  kind: NotificationKind;
  entity?: { type: EntityType; uuid: string } | undefined;
  at: Date;
  /** The person of the company who alone gets it; all people of the company if it is left out. */
  userId?: string | undefined;
  /** A company gets at most one notification with the same key. */
  onceKey?: string | undefined;
}

/** Inserts a notification and returns its uuid; null if the company has one with the same `onceKey`. */
async function insertNotification(
  db: Db,
  companyId: string,
  notification: NewNotification,
): Promise<string | null> {
  const inserted = await db
    .insertInto('notifications')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      user_uuid: notification.userId ?? null,
      kind: notification.kind,
      title: notification.title,
      text: notification.text,
      severity: notification.severity,
      entity_type: notification.entity?.type ?? null,
      entity_uuid: notification.entity?.uuid ?? null,
      read_at: null,
      once_key: notification.onceKey ?? null,
      created_at: notification.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst();
  if (!inserted) return null;
  // Alerts are derived from it: see the module `alerts`.
  await db
    .insertInto('alert_outbox')
    .values({ notification_uuid: inserted.uuid, company_uuid: companyId, created_at: notification.at })
    .execute();
  return inserted.uuid;
}

async function hasOnceKey(db: Db, companyId: string, onceKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('once_key', '=', onceKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** The notifications of the company and of the person `reader`; null for the company's alone. */
const readBy = (reader: string | null) => (eb: ExpressionBuilder<Schema, 'notifications'>) =>
  eb.or([eb('user_uuid', 'is', null), ...(reader === null ? [] : [eb('user_uuid', '=', reader)])]);

/** The latest notifications of a company and of a reader of it, newest first. */
async function latestNotifications(
  db: Db,
  companyId: string,
  reader: string | null,
  limit: number,
): Promise<Selectable<NotificationTable>[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where(readBy(reader))
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
}

/** The fields that determine the severity of the unread ones among a company's latest notifications, without notifications of single people. */
async function unreadAmongLatest(
  db: Db,
  companyId: string,
  limit: number,
): Promise<Pick<Selectable<NotificationTable>, 'kind' | 'title' | 'severity'>[]> {
  const latest = db
    .selectFrom('notifications')
    .select(['kind', 'title', 'severity', 'read_at'])
    .where('company_uuid', '=', companyId)
    .where(readBy(null))
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .as('latest');
  return db.selectFrom(latest).select(['kind', 'title', 'severity']).where('read_at', 'is', null).execute();
}

/** Marks as read the notifications of `uuids` that the reader may see. */
async function setRead(
  db: Db,
  companyId: string,
  { reader, uuids, at }: { reader: string | null; uuids: readonly string[]; at: Date },
): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: at })
    .where('company_uuid', '=', companyId)
    .where(readBy(reader))
    .where('uuid', 'in', uuids)
    .where('read_at', 'is', null)
    .execute();
}

/** Unread notices of the whole company that something later made untrue. */
interface UntrueNotices {
  kind: NotificationKind;
  /** All titles of the kind where it is left out. */
  titles?: readonly string[];
  /** Only the one with this key. */
  onceKey?: string;
}

/** Marks as read the unread ones of the whole company that are not true any more. Resolves to their uuids. */
async function setUntrueRead(
  db: Db,
  companyId: string,
  { kind, titles, onceKey, at }: UntrueNotices & { at: Date },
): Promise<string[]> {
  const rows = await db
    .updateTable('notifications')
    .set({ read_at: at })
    .where('company_uuid', '=', companyId)
    .where(readBy(null))
    .where('kind', '=', kind)
    .$if(titles !== undefined, (query) => query.where('title', 'in', titles ?? []))
    .$if(onceKey !== undefined, (query) => query.where('once_key', '=', onceKey!))
    .where('read_at', 'is', null)
    .returning('uuid')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Deletes at most `rowsMax` notifications of all companies from before an instant. Resolves to their number. */
async function deleteNotificationsBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  // By company, since no index orders all companies by time.
  const { numAffectedRows } = await sql`
    delete from notifications where uuid in (
      select old.uuid from companies c cross join lateral (
        select uuid from notifications where company_uuid = c.uuid and created_at < ${before} limit ${rowsMax}
      ) as old limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
