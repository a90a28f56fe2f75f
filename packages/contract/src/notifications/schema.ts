import { z } from 'zod';
import { limits } from '../lib/limits.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';

/** `critical`: nothing is bought; `warning`: something needs an action or a look; `info`: all else. */
export const NOTIFICATION_SEVERITIES = ['critical', 'warning', 'info'] as const;
export type NotificationSeverity = (typeof NOTIFICATION_SEVERITIES)[number];

/** How much a notification matters. Pure. */
export function notificationSeverity({ kind, title }: { kind: string; title: string }): NotificationSeverity {
  if (kind === 'balance' || /\bsuspended\b/i.test(title)) return 'critical';
  const isWarning =
    kind === 'anomaly' || kind === 'app' || /\b(rejected|declined|password|not started)\b/i.test(title);
  return isWarning ? 'warning' : 'info';
}

export const Notification = z.object({
  uuid: Uuid,
  kind: z.string(),
  title: z.string(),
  text: z.string(),
  severity: z.enum(NOTIFICATION_SEVERITIES),
  entity_type: z.string().nullable(),
  entity_uuid: Uuid.nullable(),
  read: z.boolean(),
  created_at: Timestamp,
});
export type Notification = z.infer<typeof Notification>;

/** PATCH /notifications */
export const MarkRead = z.object({ ids: z.array(Uuid).min(1).max(limits.listMax) });
export type MarkRead = z.infer<typeof MarkRead>;
