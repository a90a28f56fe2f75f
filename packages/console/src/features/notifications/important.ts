import type { Notification } from '@bidwell/contract/notification';

/** Whether a notification requires an action: a rejection, an event of the whole company, or an anomaly. */
function isImportant({ kind, title }: Notification): boolean {
  return kind === 'company' || kind === 'anomaly' || /\b(rejected|declined|suspended)\b/i.test(title);
}

/** The newest unread notification that requires an action; undefined without one. Pure. */
export function newestImportant(notifications: readonly Notification[]): Notification | undefined {
  return notifications
    .filter((notification) => !notification.read && isImportant(notification))
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0];
}
