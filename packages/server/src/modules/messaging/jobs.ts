import type { Context } from '../../context.ts';
import { ADOPT_EVERY, type LedJob, RETENTION_EVERY_MS } from '../../platform/jobs/leadership.ts';
import { adoptDeliveries } from './alerts/channel-messages.ts';
import { deleteExpiredDeliveries } from './alerts/deliveries.ts';
import { queueAlertMails } from './alerts/mail-alerts.ts';
import { planAlerts } from './alerts/plan-alerts.ts';
import { deleteExpiredMessages } from './message-store.ts';
import { deleteExpiredNotifications } from './notifications/service.ts';

/** The jobs of messages. Alerts are written within `alertsEveryMs` milliseconds. */
export const messagingJobs = (ctx: Context, alertsEveryMs: number): LedJob[] => [
  { name: 'write alerts', everyMs: alertsEveryMs, work: () => planAlerts(ctx) },
  { name: 'queue mails of alerts', everyMs: alertsEveryMs, work: () => queueAlertMails(ctx) },
  {
    name: 'queue alerts that an earlier release left waiting',
    everyMs: ADOPT_EVERY * alertsEveryMs,
    work: () => adoptDeliveries(ctx),
  },
  {
    name: 'delete messages whose time is over',
    everyMs: 60_000,
    work: () => deleteExpiredMessages(ctx.db, ctx.now()),
  },
  {
    name: 'delete old notifications',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteExpiredNotifications(ctx),
  },
  {
    name: 'delete old deliveries of alerts',
    everyMs: RETENTION_EVERY_MS,
    work: () => deleteExpiredDeliveries(ctx),
  },
];
