import type { Notification } from '@bidwell/contract/notifications/schema';

/** Notifications that are shown as one line. */
export interface NotificationGroup {
  /** Uuid of the newest one. */
  id: string;
  /** For example '24 creatives approved'. */
  title: string;
  /** Newest first. */
  members: readonly Notification[];
  read: boolean;
}

const HOUR_MS = 3_600_000;

/** Puts notifications of one kind and title that are at most an hour apart into one line. Newest first. Pure. */
export function grouped(notifications: readonly Notification[]): NotificationGroup[] {
  const groups: Notification[][] = [];
  const openOf = new Map<string, Notification[]>();
  for (const notification of notifications.toSorted((a, b) => b.created_at.localeCompare(a.created_at))) {
    const key = `${notification.kind}\n${notification.title}`;
    const open = openOf.get(key);
    if (open && Date.parse(open[0]!.created_at) - Date.parse(notification.created_at) <= HOUR_MS) {
      open.push(notification);
      continue;
    }
    const begun = [notification];
    groups.push(begun);
    openOf.set(key, begun);
  }
  return groups.map((members) => ({
    id: members[0]!.uuid,
    title: groupTitle(members[0]!.title, members.length),
    members,
    read: members.every(({ read }) => read),
  }));
}

/** 'Creative approved' of 24 is '24 creatives approved'; a title of another form gets its count at the end. */
function groupTitle(title: string, count: number): string {
  if (count === 1) return title;
  const decision = /^(.+) (approved|rejected|confirmed|declined)$/.exec(title);
  return decision ? `${count} ${decision[1]!.toLowerCase()}s ${decision[2]}` : `${title} (${count} times)`;
}
