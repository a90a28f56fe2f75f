import { Counter, type Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import {
  accountMails,
  confirmationMails,
  invitationMails,
  passwordMails,
} from '../../modules/identity/public.ts';
import {
  type MessageKind,
  type Messenger,
  alertMails,
  alertMessages,
  createMessenger,
} from '../../modules/messaging/public.ts';
import { costDayMessages, costRoundMessages, postbackCopyKind } from '../../modules/measurement/public.ts';
import { reviewSendMessages, reviewStateMessages } from '../../modules/moderation/public.ts';
import { invoiceMails } from '../../modules/money/public.ts';
import { reportMessages, warehouseRuns } from '../../modules/reporting/public.ts';
import { operatorAlertMails } from '../../modules/operations/public.ts';

/** Mails that a person waits for: each process of the roles `api` and `jobs` sends them, so that they need no process of the other role. */
const AWAITED: readonly MessageKind[] = [confirmationMails, invitationMails, passwordMails, accountMails];

/** The messages that the process that leads the jobs sends, without reports. */
const ledKinds = (ctx: Context): MessageKind[] => [
  ...(ctx.mailer ? [operatorAlertMails, invoiceMails, alertMails] : []),
  alertMessages,
  postbackCopyKind,
  reviewSendMessages,
  reviewStateMessages,
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
    reports: createMessenger(
      ctx,
      [reportMessages(ctx), warehouseRuns(ctx), costRoundMessages, costDayMessages],
      { places },
    ),
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
