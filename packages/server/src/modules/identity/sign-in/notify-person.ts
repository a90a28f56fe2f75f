import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import type { Context } from '../../../context.ts';
import { consoleUrlOf } from '../../../platform/brand/page-brand.ts';
import { escapedHtml } from '../../../platform/mail/mail-page.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import { countMail, mailKind, notify } from '../../messaging/public.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { findUser } from '../store.ts';

/**
 * Notifies a person of what happened to their account: by mail at once, if the server sends mail and their address is confirmed, regardless of their alert preferences,
 * and by a notification of their own in the company for which they act.
 */
export async function notifyPerson(
  ctx: Context,
  tx: Tx,
  { userId, companyId }: { userId: string; companyId: string },
  messageFor: (login: string) => NotificationMessage,
): Promise<void> {
  const user = await findUser(tx.db, companyId, userId);
  if (!user) return;
  const message = messageFor(user.login);
  await notify(ctx, tx, companyId, {
    userId,
    kind: 'sign_in',
    ...message,
    entity: { type: 'user', uuid: userId },
  });
  if (!ctx.mailer || !user.email_confirmed_at) return;
  if (!(await countMail(tx.db, { to: user.email, kind: 'account', at: ctx.now() }))) return;
  const { title, text } = message;
  await accountMails.queue(ctx, tx, {
    about: userId,
    companyId,
    userId,
    to: user.email,
    content: { title, text },
    expiresAt: new Date(ctx.now().getTime() + LEAVES_WITHIN_MS),
  });
}

/** News of a login is of no use later. */
const LEAVES_WITHIN_MS = 86_400_000;

/** Mails about events of an account. */
export const accountMails = mailKind<Pick<NotificationMessage, 'title' | 'text'>>({
  name: 'account',
  lane: 'awaited',
  async compose({ config, brand }, message) {
    const current = await brand.current();
    const profile = `${consoleUrlOf(current, config)}/profile?tab=sign-in`;
    return accountMail(message, { product: current.settings.name, profile });
  },
});

/** The mail about an event of an account. */
function accountMail(
  message: Pick<NotificationMessage, 'title' | 'text'>,
  { product, profile }: { product: string; profile: string },
): Omit<Mail, 'to'> {
  // It names browsers, passkeys and addresses as people wrote them.
  const text = unlinked(message.text);
  const last =
    'If it was not you, choose a new password, end the sessions that you do not know and look at your second factors:';
  return {
    subject: `${product}: ${message.title}`,
    text: `${text}\n\n${last}\n\n${profile}\n`,
    html: `<p>${escapedHtml(text)}</p>\n<p>${last}</p>\n<p><a href="${profile}">${profile}</a></p>\n`,
  };
}
