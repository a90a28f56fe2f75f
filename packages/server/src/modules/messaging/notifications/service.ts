import type { Notification } from '@bidwell/contract/notifications/schema';
import type { Context } from '../../../context.ts';
import { type Actor, type Owner, readerOf } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { severityByTitle } from './severity-by-title.ts';
import {
  type NewNotification,
  type UntrueNotices,
  deleteNotificationsBefore,
  hasOnceKey,
  insertNotification,
  latestNotifications,
  setRead,
  setUntrueRead,
  unreadAmongLatest,
} from './store.ts';

const LIST_MAX = 200;

/**
 * Notifies a company, or one person of it (`userId`): inserts a row in the transaction, and on commit sends a message to its
 * open pages, which says nothing of what is a person's own. Does nothing if the company has a notification with the same `onceKey`.
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
 * Marks notices of a company as read that are not true any more, such as that of a suspension which has ended: the console shows
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

/** Notifies a company in a transaction of its own, unless it has a notification with the same `onceKey`. */
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

/** Marks notifications as read, also on the company's other open pages. Ignores those of other companies and people. */
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
