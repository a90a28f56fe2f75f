/** `critical`: nothing is bought; `warning`: something needs an action or a look; `info`: all else. */
export const NOTIFICATION_SEVERITIES = ['critical', 'warning', 'info'] as const;
/** How much a notification matters. */
export type NotificationSeverity = (typeof NOTIFICATION_SEVERITIES)[number];

/** The text of a notification. */
export interface NotificationMessage {
  severity: NotificationSeverity;
  title: string;
  text: string;
}
