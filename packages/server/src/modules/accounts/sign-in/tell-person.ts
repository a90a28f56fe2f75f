import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import type { Context } from '../../../context.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { escapedHtml } from '../../../platform/mail/escaped-html.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { notify } from '../../notifications/service.ts';
import { findUser } from '../store.ts';

/**
 * Tells a person what happened to their account: by mail where the server sends mail, and by a notification of the company for
 * which they act.
 */
export async function tellPerson(
  ctx: Context,
  tx: Tx,
  { userId, companyId }: { userId: string; companyId: string },
  messageFor: (login: string) => NotificationMessage,
): Promise<void> {
  const user = await findUser(tx.db, companyId, userId);
  if (!user) return;
  const message = messageFor(user.login);
  await notify(ctx, tx, companyId, {
    kind: 'company',
    ...message,
    entity: { type: 'company', uuid: companyId },
  });
  const { mailer, config } = ctx;
  if (!mailer) return;
  const profile = `${publicUrlOf(config)}/profile?tab=sign-in`;
  const last =
    'If it was not you, choose a new password, end the sessions that you do not know and look at your second factors:';
  const mail = {
    to: user.email,
    subject: `Bidwell: ${message.title}`,
    text: `${message.text}\n\n${last}\n\n${profile}\n`,
    html: `<p>${escapedHtml(message.text)}</p>\n<p>${last}</p>\n<p><a href="${profile}">${profile}</a></p>\n`,
  };
  tx.afterCommit(() => mailer.send(mail));
}
