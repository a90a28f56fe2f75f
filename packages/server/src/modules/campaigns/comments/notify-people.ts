import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { notify } from '../../messaging/public.ts';
import { type Commented, type Person, takingPart } from './store.ts';

/** Comments of one person on one thing lead to one notification of another person in this time. */
const APART_MS = 10 * 60_000;
/** People who are notified of a comment: those whom it mentions before those who took part. */
const NOTIFIED_MAX = 50;

/**
 * Notifies of a comment those whom it mentions and those who took part, as authors of comments or of the draft, each by a notification
 * of their own: as far as they still belong to the company and may read campaigns.
 */
export async function notifyOfComment(
  ctx: Context,
  tx: Tx,
  companyId: string,
  comment: {
    on: Commented & { name: string };
    author: { uuid: string | null; name: string };
    mentions: readonly string[];
    /** Of the company. */
    people: readonly Person[];
  },
): Promise<void> {
  const { on, author, mentions, people } = comment;
  const readers = new Set(
    people.filter(({ role }) => companyRoleHas(role, 'campaign.read')).map(({ uuid }) => uuid),
  );
  const concerned = [...new Set([...mentions, ...(await takingPart(tx.db, companyId, on))])];
  const notified = concerned
    .filter((uuid) => uuid !== author.uuid && readers.has(uuid))
    .slice(0, NOTIFIED_MAX);
  const period = Math.floor(ctx.now().getTime() / APART_MS);
  for (const userId of notified) {
    const isMentioned = mentions.includes(userId);
    await notify(ctx, tx, companyId, {
      kind: 'comment',
      userId,
      ...notificationMessages.commented(author.name, on.name, isMentioned),
      entity: on.kind === 'campaign' ? { type: 'campaign', uuid: on.uuid } : undefined,
      onceKey: ['comment', on.uuid, author.uuid, userId, isMentioned, period].join(' '),
    });
  }
}
