import { escapedHtml } from '../../../platform/mail/escaped-html.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';

/** What a mail of alerts says. */
export interface AlertMailContent {
  /** Name of the product. */
  product: string;
  companyName: string;
  /** Oldest first. `link` is of the console: the screen that it is about. */
  alerts: readonly { title: string; text: string; at: string; link: string | null }[];
  /** Alerts that are left out. */
  left: number;
  /** Of the console. */
  alertsLink: string;
  /** The page that ends these mails. */
  unsubscribeLink: string;
  /** The address that a mail program posts to for that, by RFC 8058. */
  unsubscribeAddress: string;
}

const SUBJECT_CHARS_MAX = 150;

/** One mail with all alerts that are due, as text and HTML. Links hold only URL-safe characters. Pure. */
export function alertMail(content: AlertMailContent): Omit<Mail, 'to'> {
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

/** The first title, and how many more there are. Titles are those of the product, without names. */
function subjectOf({ alerts, left }: AlertMailContent): string {
  const count = alerts.length + left;
  const first = (alerts[0]?.title ?? '').slice(0, SUBJECT_CHARS_MAX);
  return count > 1 ? `${first} and ${count === 2 ? '1 more alert' : `${count - 1} more alerts`}` : first;
}
