import type { Notification } from '@bidwell/contract/notification';

/**
 * Whether a piece of news asks for something to be done: what was refused, what concerns the whole company, and figures
 * far from the usual.
 */
function isImportant({ kind, title }: Notification): boolean {
  return kind === 'company' || kind === 'anomaly' || /\b(rejected|declined|suspended)\b/i.test(title);
}

/** The newest unread notification that asks for something to be done; undefined when there is none. Pure. */
export function newestImportant(notifications: readonly Notification[]): Notification | undefined {
  return notifications
    .filter((notification) => !notification.read && isImportant(notification))
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0];
}
