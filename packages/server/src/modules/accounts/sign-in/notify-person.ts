import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import type { Context } from '../../../context.ts';
import { consoleUrlOf } from '../../../platform/brand/page-brand.ts';
import { escapedHtml } from '../../../platform/mail/escaped-html.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import { countMail } from '../../../platform/postgres/stores/mail-count-store.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { notify } from '../../notifications/service.ts';
import { findUser } from '../store.ts';

/**
 * Notifies a person of what happened to their account: by mail where the server sends mail and their address is confirmed, at once and whatever they chose of alerts,
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
  const { mailer, config, brand, log } = ctx;
  if (!mailer || !user.email_confirmed_at) return;
  // Not within the transaction, which may have the only connection.
  tx.afterCommit(() => {
    const mail = async () => {
      if (!(await countMail(ctx.db, { to: user.email, kind: 'account', at: ctx.now() }))) return;
      const current = await brand.current();
      const profile = `${consoleUrlOf(current, config)}/profile?tab=sign-in`;
      mailer.send(
        { to: user.email, ...accountMail(message, { product: current.settings.name, profile }) },
        { kind: 'account', id: userId },
      );
    };
    void mail().catch((err: unknown) => log.error({ err }, 'a mail about an account was not sent'));
  });
}

/** The mail of what happened to an account. */
function accountMail(
  message: NotificationMessage,
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
