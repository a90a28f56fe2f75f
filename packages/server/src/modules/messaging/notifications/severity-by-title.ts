import type { NotificationSeverity } from '@bidwell/contract/notifications/severity';

/**
 * How much a notification matters that a release without stored severities wrote: by its kind and the words of its title, as
 * that release showed it. Pure.
 */
export function severityByTitle({ kind, title }: { kind: string; title: string }): NotificationSeverity {
  if (kind === 'balance' || /\bsuspended\b/i.test(title)) return 'critical';
  const isWarning =
    kind === 'anomaly' || kind === 'app' || /\b(rejected|declined|password|not started)\b/i.test(title);
  return isWarning ? 'warning' : 'info';
}
