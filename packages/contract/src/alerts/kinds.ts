/** Subjects of alerts, in the order in which forms list them. */
export const ALERT_KINDS = [
  'balance',
  'rule',
  'spend',
  'anomaly',
  'postbacks',
  'review',
  'delivery',
  'account',
] as const;
/** The topic of an alert; people and channels choose by it. */
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The kinds that a person gets by mail until they choose. */
export const DEFAULT_MAIL_KINDS: readonly AlertKind[] = ['balance', 'rule'];

const KIND_OF_NOTIFICATION: Readonly<Record<string, AlertKind>> = {
  balance: 'balance',
  top_up: 'balance',
  alert_rule: 'rule',
  spend_plan: 'spend',
  anomaly: 'anomaly',
  postbacks: 'postbacks',
  moderation: 'review',
  app: 'delivery',
  adset: 'delivery',
  tracking_host: 'delivery',
  company: 'account',
  alert_channel: 'account',
  report_schedule: 'account',
};

/**
 * Whether a person's own notification of a kind is mailed to them at the times of their alerts, regardless of the kinds that they chose. What
 * happens to their login is mailed at once instead. Pure.
 */
export function isMailedToPerson(notificationKind: string): boolean {
  return ['approval', 'comment', 'sso_domain'].includes(notificationKind);
}

/** The alert topic of a kind of notification; null for one that is no alert. Pure. */
export function alertKindOf(notificationKind: string): AlertKind | null {
  return KIND_OF_NOTIFICATION[notificationKind] ?? null;
}
