import { NOTIFICATION_SEVERITIES, type NotificationSeverity } from '@bidwell/contract/notifications/severity';
import { IconAlertTriangle, IconBan, IconInfoCircle } from '@tabler/icons-react';

/** How the severity of a notification is shown. */
export const SEVERITIES = {
  critical: { label: 'Critical', color: 'red', icon: IconBan },
  warning: { label: 'Warning', color: 'orange', icon: IconAlertTriangle },
  info: { label: 'Information', color: 'gray', icon: IconInfoCircle },
} as const;

/** The highest severity of notifications; `info` without any. Pure. */
export function highestSeverity(
  notifications: readonly { severity: NotificationSeverity }[],
): NotificationSeverity {
  const ranks = notifications.map(({ severity }) => NOTIFICATION_SEVERITIES.indexOf(severity));
  return NOTIFICATION_SEVERITIES[Math.min(...ranks, NOTIFICATION_SEVERITIES.length - 1)]!;
}
