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

/**
 * How a notification of each kind is sent: as an alert of a kind; as a mail to its person at the times of their alerts, whatever kinds they
 * chose; or not at all. Events of a person's login are mailed at once instead.
 */
const ALERT_OF_NOTIFICATION = {
  balance: 'balance',
  top_up: 'balance',
  alert_rule: 'rule',
  spend_plan: 'spend',
  anomaly: 'anomaly',
  postbacks: 'postbacks',
  moderation: 'review',
  exchange_review: 'review',
  app: 'delivery',
  adset: 'delivery',
  tracking_host: 'delivery',
  company: 'account',
  alert_channel: 'account',
  report_schedule: 'account',
  approval: 'person',
  comment: 'person',
  sso_domain: 'person',
  sign_in: null,
} as const satisfies Record<string, AlertKind | 'person' | null>;
/** The subject of a notification. */
export type NotificationKind = keyof typeof ALERT_OF_NOTIFICATION;

const alertOf = new Map<string, AlertKind | 'person' | null>(Object.entries(ALERT_OF_NOTIFICATION));

/** Whether a person's own notification of a kind is mailed to them at the times of their alerts, whatever kinds they chose. Pure. */
export function isMailedToPerson(notificationKind: string): boolean {
  return alertOf.get(notificationKind) === 'person';
}

/** The alert topic of a kind of notification; null if it is no alert. Pure. */
export function alertKindOf(notificationKind: string): AlertKind | null {
  const kind = alertOf.get(notificationKind) ?? null;
  return kind === 'person' ? null : kind;
}
