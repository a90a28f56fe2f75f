import { linkPath } from '@bidwell/contract/changes/entity-link';
import { dateTimeAt } from '@bidwell/contract/lib/calendar';
import { notificationLink } from '@bidwell/contract/notifications/link';
import type { Context } from '../../../context.ts';
import type { InstallationBrand } from '../../../platform/brand/brand-reader.ts';
import { consoleUrlOf } from '../../../platform/brand/page-brand.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { countMail } from '../mail-count-store.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import {
  type Message,
  type MessageKind,
  WITHIN_A_DAY,
  domainOf,
  keepContent,
  queueMessage,
  sendMail,
} from '../messages.ts';
import {
  type DueItem,
  type DueReader,
  deleteMailItems,
  dueMailItems,
  findDueReader,
  readersWithDue,
} from './mail-store.ts';
import { savePreferences, unsubscribeToken } from './preferences.ts';
import { escapedHtml } from '../../../platform/mail/mail-page.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';

/** Mails that are queued at once. */
const QUEUED_MAX = 500;
/** A person gets one mail of a company within this time; later alerts are in the next one. */
const APART_MS = 5 * 60_000;
/** Alerts for an address that got its mails of a day are tried again after this. */
const FULL_MS = 3_600_000;
/** Alerts that a mail shows; of further ones it has the number. */
const SHOWN_MAX = 50;

const ALERT_MAIL = { name: 'alert_mail', lane: 'today_mail' } as const;

/**
 * Queues a mail to each person and company with due alerts and no waiting mail. The content is read when the mail is first tried, so alerts
 * that come while it waits are in it.
 */
export async function queueAlertMails(ctx: Context): Promise<void> {
  if (!ctx.mailer) return;
  const now = ctx.now();
  const mailedBefore = new Date(now.getTime() - APART_MS);
  await transact(ctx.db, async (tx) => {
    for (const { companyId, userId, email } of await readersWithDue(tx.db, {
      now,
      mailedBefore,
      limit: QUEUED_MAX,
    }))
      await queueMessage(ctx, tx, ALERT_MAIL, {
        about: userId,
        companyId,
        userId,
        queue: `${ALERT_MAIL.name} ${companyId} ${userId}`,
        host: domainOf(email),
      });
  });
}

/** Mails of alerts: the alerts that are due to one person of one company. */
export const alertMails: MessageKind = {
  ...ALERT_MAIL,
  retries: WITHIN_A_DAY,
  async send(ctx, message, { cutOff }) {
    const { companyId, userId } = message;
    if (companyId === null || userId === null) return { result: 'dropped' };
    const now = ctx.now();
    const reader = await findDueReader(ctx.db, companyId, userId);
    const due = reader ? await dueMailItems(ctx.db, companyId, { userId, now }) : [];
    const items = ofTriesBefore(message, due) ?? due;
    if (!reader || items.length === 0) return { result: 'dropped' };
    if (!(await countMail(ctx.db, { to: reader.email, kind: 'alerts', at: now })))
      return { result: 'postponed', until: new Date(now.getTime() + FULL_MS) };
    // The mail server may take a mail whose try fails or is cut by a kill. Each try has the same alerts and the same id, so that mailboxes can
    // drop the repetition; one that does not compare ids shows the mail twice. Alerts that come later are in the next mail.
    const ids = items.map(({ notificationId }) => notificationId);
    if (message.content === null && !(await keepContent(ctx, message, JSON.stringify(ids))))
      return { result: 'dropped' };
    const mail = mailOf(ctx, reader, { id: message.uuid, items, brand: await ctx.brand.current() });
    const outcome = await sendMail(ctx, { mail, lane: ALERT_MAIL.lane, cutOff });
    return {
      ...outcome,
      async settle({ db }, nextAt) {
        if (nextAt) return;
        await deleteMailItems(db, companyId, { userId, notificationIds: ids });
        if (outcome.result === 'sent') await savePreferences(db, companyId, { userId, mailed_at: ctx.now() });
      },
    };
  },
  async giveUp(_ctx, { db }, { companyId, userId }) {
    if (companyId !== null && userId !== null) await deleteMailItems(db, companyId, { userId });
  },
};

/** The due alerts that an earlier try of the mail had; null before the first one. Pure. */
function ofTriesBefore({ content }: Message, due: readonly DueItem[]): readonly DueItem[] | null {
  if (content === null) return null;
  const ids = new Set(JSON.parse(content) as string[]);
  return due.filter(({ notificationId }) => ids.has(notificationId));
}

function mailOf(
  { config }: Context,
  reader: DueReader,
  { id, items, brand }: { id: string; items: readonly DueItem[]; brand: InstallationBrand },
): Mail {
  const { companyId, userId, email, companyName, timeZone } = reader;
  const token = unsubscribeToken(config.signingSecret, { companyId, userId });
  const url = consoleUrlOf(brand, config);
  return {
    id,
    to: email,
    ...alertMail({
      product: brand.settings.name,
      companyName,
      alerts: items.slice(0, SHOWN_MAX).map((item) => ({
        title: item.title,
        text: item.text,
        at: dateTimeAt(item.createdAt.getTime(), timeZone),
        link: linkOf(item, url),
      })),
      left: Math.max(0, items.length - SHOWN_MAX),
      alertsLink: `${url}/alerts`,
      unsubscribeLink: `${url}/unsubscribe#${token}`,
      unsubscribeAddress: `${url}/api/internal/alerts/unsubscribe/${token}`,
    }),
  };
}

/** The screen that an alert is about, at this server's own address; null without one. */
function linkOf({ kind, entityType, entityUuid }: DueItem, url: string): string | null {
  const screen = notificationLink({ kind, entity_type: entityType, entity_uuid: entityUuid });
  return screen && `${url}${linkPath(screen)}`;
}

/** The content of a mail of alerts. */
interface AlertMailContent {
  /** Name of the product. */
  product: string;
  companyName: string;
  /** Oldest first. `link` is of the console: the screen that it is about. */
  alerts: readonly { title: string; text: string; at: string; link: string | null }[];
  /** Alerts that are left out. */
  left: number;
  /** The address of the alerts in the console. */
  alertsLink: string;
  /** The page that ends these mails. */
  unsubscribeLink: string;
  /** The address that a mail program posts to for that, by RFC 8058. */
  unsubscribeAddress: string;
}

/** One mail with all alerts that are due, as text and HTML. Links hold only URL-safe characters. Pure. */
function alertMail(content: AlertMailContent): Omit<Mail, 'to'> {
  const { product, companyName, left, alertsLink, unsubscribeLink, unsubscribeAddress } = content;
  const alerts = content.alerts.map((alert) => ({
    ...alert,
    title: unlinked(alert.title),
    text: unlinked(alert.text),
  }));
  const more = left > 0 ? `${left} more are in the console.` : '';
  const last = `You get this mail because of your choices for the company “${unlinked(companyName)}” in ${product}.`;
  return {
    subject: subjectOf(content),
    text: [
      ...alerts.map(
        ({ title, text, at, link }) => `${title} (${at})\n${text}${link === null ? '' : `\n${link}`}`,
      ),
      ...(more ? [more] : []),
      `${last}\nChange them: ${alertsLink}\nEnd these mails: ${unsubscribeLink}\n`,
    ].join('\n\n'),
    html: [
      ...alerts.map(
        ({ title, text, at, link }) =>
          `<p><b>${escapedHtml(title)}</b> (${escapedHtml(at)})<br>${escapedHtml(text)}${link === null ? '' : `<br><a href="${escapedHtml(link)}">Open</a>`}</p>`,
      ),
      ...(more ? [`<p>${more}</p>`] : []),
      `<p>${escapedHtml(last)}<br><a href="${alertsLink}">Change them</a> or <a href="${unsubscribeLink}">end these mails</a>.</p>`,
    ].join('\n'),
    headers: {
      'List-Unsubscribe': `<${unsubscribeAddress}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

const SUBJECT_CHARS_MAX = 150;

/** The first title, and how many more there are. Titles are the product's own texts, without names. */
function subjectOf({ alerts, left }: AlertMailContent): string {
  const count = alerts.length + left;
  const first = (alerts[0]?.title ?? '').slice(0, SUBJECT_CHARS_MAX);
  return count > 1 ? `${first} and ${count === 2 ? '1 more alert' : `${count - 1} more alerts`}` : first;
}
