/** Interface of messaging for other parts of the server. */
export { alertMessages } from './alerts/channel-messages.ts';
export { companyNameOf, balanceLowMicrosOf, saveBalanceLow } from './alerts/preferences.ts';
export { alertMails } from './alerts/mail-alerts.ts';
export { registerAlerts, registerUnsubscribe } from './alerts/routes.ts';
export type { LaneBacklog } from './message-store.ts';
export { readBacklog } from './message-store.ts';
export { countMail, deleteMailCounts } from './mail-count-store.ts';
export type { MessageKind, Outcome, Sending } from './messages.ts';
export { failureOf, mailKind, queueMessage, removeMessages, doubling } from './messages.ts';
export type { Messenger } from './messenger.ts';
export { createMessenger } from './messenger.ts';
export { registerNotifications } from './notifications/routes.ts';
export {
  countUnreadWarnings,
  hasNotification,
  notify,
  notifyOnce,
  takeBack,
} from './notifications/service.ts';
export { messagingJobs } from './jobs.ts';
