import { Counter, type Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { confirmationMails } from '../../modules/accounts/address-confirmation.ts';
import { passwordMails } from '../../modules/accounts/passwords/password-reset.ts';
import { invitationMails } from '../../modules/accounts/people/invitation-mail.ts';
import { accountMails } from '../../modules/accounts/sign-in/notify-person.ts';
import { type Messenger, createMessenger } from '../../modules/messaging/messenger.ts';
import type { MessageKind } from '../../modules/messaging/public.ts';
import { alertMessages } from '../../modules/alerts/channel-messages.ts';
import { alertMails } from '../../modules/alerts/mail-alerts.ts';
import { invoiceMails } from '../../modules/invoices/invoice-mail.ts';
import { reportMessages } from '../../modules/report-schedules/report-messages.ts';
import { operatorAlertMails } from '../../modules/operator/operator-alerts.ts';

/** Mails that a person waits for: each process of the roles `api` and `jobs` sends them, so that they need no process of the other role. */
const AWAITED: readonly MessageKind[] = [confirmationMails, invitationMails, passwordMails, accountMails];

/** What the process sends that leads the jobs, reports apart. */
const ledKinds = (ctx: Context): MessageKind[] => [
  ...(ctx.mailer ? [operatorAlertMails, invoiceMails, alertMails] : []),
  alertMessages,
];

/** With a server of ClickHouse, reports are made at once that wait for it. */
const BULK_PLACES_OF_SERVICE = { first: 12, again: 4 };

/** The messengers of a process. */
export interface Messengers {
  awaited: Messenger;
  led: Messenger;
  /** Reads events: it is begun once ClickHouse is ready. */
  reports: Messenger;
}

/** Creates the messengers of a process. Nothing is sent before their first tick. */
export function createMessengers(ctx: Context): Messengers {
  // Without a mail server its kinds wait for a process that has one.
  const places = ctx.config.clickhouseUrl ? { bulk: BULK_PLACES_OF_SERVICE } : {};
  return {
    awaited: createMessenger(ctx, ctx.mailer ? AWAITED : []),
    led: createMessenger(ctx, ledKinds(ctx)),
    reports: createMessenger(ctx, [reportMessages(ctx)], { places }),
  };
}

/** Registers the counts of the messages that this process has sent, by kind. */
export function messageMetrics(registry: Registry, messengers: Messengers): void {
  const results = [
    ['sent', 'Messages that their receivers acknowledged'],
    ['refused', 'Tries of messages that failed, and are repeated'],
    ['failed', 'Messages that were given up'],
  ] as const;
  for (const [result, help] of results)
    registry.registerMetric(
      new Counter({
        name: `bidwell_messages_${result}_total`,
        help,
        labelNames: ['kind'],
        registers: [],
        collect() {
          this.reset();
          for (const { counts } of Object.values(messengers))
            for (const [kind, count] of counts()) this.inc({ kind }, count[result]);
        },
      }),
    );
}
