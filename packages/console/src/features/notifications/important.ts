import type { Notification } from '@bidwell/contract/notifications/schema';
import { NOTIFICATION_SEVERITIES } from '@bidwell/contract/notifications/severity';

/** Whether a notification of the company requires an action or a look, or is an event of all of it. A person's own are at the bell. */
function isImportant({ kind, severity, is_own: isOwn }: Notification): boolean {
  return !isOwn && (kind === 'company' || severity !== 'info');
}

const rankOf = ({ severity }: Notification) => NOTIFICATION_SEVERITIES.indexOf(severity);

/** The unread notifications that say the same as one: dismissing it dismisses them, so that nothing is said twice. Pure. */
export function alike(notifications: readonly Notification[], one: Notification): Notification[] {
  return notifications.filter(({ kind, title, read }) => !read && kind === one.kind && title === one.title);
}

/** The unread notification that requires an action most: the most severe, of these the newest; undefined without one. Pure. */
export function newestImportant(notifications: readonly Notification[]): Notification | undefined {
  return notifications
    .filter((notification) => !notification.read && isImportant(notification))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.created_at.localeCompare(a.created_at))[0];
}
